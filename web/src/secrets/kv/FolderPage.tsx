import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button, buttonClass } from '../../kit/Button.tsx'
import { FilterBar, Search } from '../../kit/Filters.tsx'
import { IconFileText, IconFolder } from '../../kit/icons.ts'
import { counted } from '../../kit/numbers.ts'
import { Note, Page } from '../../kit/Page.tsx'
import { type Column, Table, TextButton } from '../../kit/Table.tsx'
import { ListFoot } from '../ListFoot.tsx'
import { justBefore, type ListSearch } from '../searches.ts'
import { EngineSettings } from './EngineSettings.tsx'
import { type Engine, nameOf, type Spot, useEngines, useNames, useSpot } from './engine.ts'
import { PathLinks } from './PathLinks.tsx'

const route = getRouteApi('/server/secrets/browse/$')
const pageSize = 100

/** The engines that keep secrets by path. */
export function BrowsePage() {
  const asked = useEngines()
  return (
    <Page
      title="Secrets"
      actions={
        <Link to="/server/secrets/mounts" search={{ kind: 'engines' }} className={buttonClass()}>
          Mount an engine…
        </Link>
      }
    >
      <Answer of={asked} failed="The engines could not be read">
        {(engines) =>
          engines.length === 0 ? (
            <NoEngine />
          ) : (
            <Table
              label="Secrets"
              columns={engineColumns}
              rows={engines}
              keyOf={({ path }) => path}
              foot={counted(engines.length, 'engine')}
            />
          )
        }
      </Answer>
    </Page>
  )
}

const NoEngine = () => (
  <Empty
    title="No secrets that you may see"
    action={
      <Link to="/server/secrets/mounts" search={{ kind: 'engines' }} className={buttonClass('primary')}>
        Mount an engine…
      </Link>
    }
    command={`holdfast write sys/mounts/secret type=kv options:='{"version": "2"}'`}
  >
    An engine of type kv keeps secrets by path, with their versions. None is mounted, or no policy of yours names one.
  </Empty>
)

const engineColumns: readonly Column<Engine>[] = [
  {
    title: 'Path',
    phone: 'name',
    cell: ({ path }) => (
      <Link to="/server/secrets/browse/$" params={{ _splat: path.replace(/\/$/, '') }}>
        {path}
      </Link>
    ),
  },
  { title: 'Versions', phone: 'status', cell: ({ hasVersions }) => (hasVersions ? 'kept' : 'not kept') },
  { title: 'For', grow: true, phone: 'fact', cell: ({ description }) => <span className="soft">{description}</span> },
]

/** The secrets and folders in a folder. */
export function FolderPage() {
  const { _splat: path = '' } = route.useParams()
  const asked = useSpot(path)
  return (
    <Answer of={asked} failed="The engines could not be read">
      {({ spot }) => (spot ? <Folder key={path} spot={spot} /> : <NoSuchEngine path={path} />)}
    </Answer>
  )
}

/** What is said where no engine is, or none that the person may use. */
export const NoSuchEngine = ({ path }: { path: string }) => (
  <Page title={path}>
    <Note tone="calm" action={<Link to="/server/secrets/browse">All secrets</Link>}>
      No engine of type kv is mounted there, or no policy of yours names it.
    </Note>
  </Page>
)

function Folder({ spot }: { spot: Spot }) {
  const [isOpen, setOpen] = useState(false)
  const path = nameOf(spot).replace(/\/$/, '')
  return (
    <Page
      title={`${path}/`}
      facts={<PathLinks of={spot} />}
      actions={
        <>
          {spot.key === '' && spot.engine.hasVersions && <Button onClick={() => setOpen(true)}>Settings…</Button>}
          <Link to="/server/secrets/new-secret/$" params={{ _splat: path }} className={buttonClass('primary')}>
            New secret
          </Link>
        </>
      }
    >
      <Names spot={spot} path={path} />
      {isOpen && <EngineSettings spot={spot} close={() => setOpen(false)} />}
    </Page>
  )
}

function Names({ spot, path }: { spot: Spot; path: string }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: ListSearch) => navigate({ search: next as never })
  const { begins = '', after = justBefore(begins) } = search
  const asked = useNames(spot, { after, limit: pageSize })
  const clear = <TextButton onClick={() => change({})}>Show all</TextButton>
  return (
    <>
      <FilterBar>
        <Search label="Names that begin with" value={begins} change={(text) => change(text ? { begins: text } : {})} />
      </FilterBar>
      <Answer of={asked} failed="The folder could not be read">
        {(all) => {
          const names = all.filter((name) => name.startsWith(begins))
          const isMore = all.length >= pageSize && names.length === all.length
          return (
            <Table
              label="Secrets and folders"
              columns={columnsOf(path)}
              rows={names}
              keyOf={(name) => name}
              nothing={
                begins === '' ? (
                  'Nothing is in this folder yet.'
                ) : (
                  <>
                    No name begins with “{begins}”. {clear}
                  </>
                )
              }
              foot={
                <ListFoot
                  one="name"
                  shown={names.length}
                  next={isMore ? names.at(-1) : undefined}
                  search={search}
                  change={change}
                />
              }
            />
          )
        }}
      </Answer>
    </>
  )
}

const isFolder = (name: string): boolean => name.endsWith('/')

const columnsOf = (path: string): readonly Column<string>[] => [
  {
    title: 'Name',
    phone: 'name',
    grow: true,
    cell: (name) =>
      isFolder(name) ? (
        <Link to="/server/secrets/browse/$" params={{ _splat: `${path}/${name.slice(0, -1)}` }}>
          <IconFolder size={15} stroke={1.6} aria-hidden="true" /> {name}
        </Link>
      ) : (
        <Link to="/server/secrets/secret/$" params={{ _splat: `${path}/${name}` }}>
          <IconFileText size={15} stroke={1.6} aria-hidden="true" /> {name}
        </Link>
      ),
  },
  {
    title: 'Kind',
    phone: 'status',
    cell: (name) => <span className="soft">{isFolder(name) ? 'folder' : 'secret'}</span>,
  },
]
