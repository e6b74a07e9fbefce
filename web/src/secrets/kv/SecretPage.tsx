import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { isMissing } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { buttonClass } from '../../kit/Button.tsx'
import { Id } from '../../kit/Copy.tsx'
import { Tags } from '../../kit/Filters.tsx'
import { Note, Page, type Tab } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { Time } from '../../kit/Time.tsx'
import { useDone } from '../act.ts'
import { CompareTab } from './CompareTab.tsx'
import { EditSecret } from './Editor.tsx'
import { kvSubjects, type Metadata, nameOf, type Spot, useMetadata, useSpot } from './engine.ts'
import { NoSuchEngine } from './FolderPage.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { PathLinks } from './PathLinks.tsx'
import { SecretActions } from './SecretActions.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import type { SecretSearch } from './searches.ts'
import { Values } from './Values.tsx'
import { UndeleteButton, VersionsTab } from './VersionsTab.tsx'
import { fateOf } from './values.ts'

const route = getRouteApi('/server/secrets/secret/$')

/** One secret: its values, its versions, and what is known about it. */
export function SecretPage() {
  const { _splat: path = '' } = route.useParams()
  const asked = useSpot(path)
  return (
    <Answer of={asked} failed="The engines could not be read">
      {({ spot }) => (spot ? <Secret key={path} spot={spot} /> : <NoSuchEngine path={path} />)}
    </Answer>
  )
}

function Secret({ spot }: { spot: Spot }) {
  const search = route.useSearch()
  const asked = useMetadata(spot)
  const metadata = asked.data?.data
  if (isMissing(asked.error)) return <NoSecret spot={spot} />
  return (
    <Page
      title={spot.key}
      beside={<Id id={nameOf(spot)} />}
      facts={
        <>
          <PathLinks of={spot} />
          {metadata && <Facts of={metadata} />}
        </>
      }
      actions={<SecretActions spot={spot} metadata={metadata} />}
      tabs={tabsOf(spot, metadata)}
    >
      <Face spot={spot} metadata={metadata} search={search} />
    </Page>
  )
}

const NoSecret = ({ spot }: { spot: Spot }) => (
  <Page title={spot.key} facts={<PathLinks of={spot} />}>
    <Note
      tone="calm"
      action={
        <Link
          to="/server/secrets/browse/$"
          params={{ _splat: nameOf(spot).split('/').slice(0, -1).join('/') }}
          className={buttonClass()}
        >
          Show the folder
        </Link>
      }
    >
      There is no such secret, or it was removed for good.
    </Note>
  </Page>
)

function Facts({ of: { current_version, versions, custom_metadata } }: { of: Metadata }) {
  const latest = versions[current_version]
  const custom = Object.entries(custom_metadata ?? {}).map(([key, value]) => ({ key, value }))
  return (
    <>
      {latest ? (
        <span>
          version {current_version}, written <Time at={latest.created_time} /> by {latest.created_by.actor}
        </span>
      ) : (
        <span>no version yet</span>
      )}
      {custom.length > 0 && <Tags of={custom} most={4} />}
    </>
  )
}

function tabsOf(spot: Spot, metadata: Metadata | undefined): readonly Tab[] {
  const link = (search: SecretSearch) =>
    ({ to: '/server/secrets/secret/$', params: { _splat: nameOf(spot) }, search }) as Tab['link']
  if (!spot.engine.hasVersions)
    return [
      { label: 'Values', link: link({}) },
      { label: 'Edit', link: link({ tab: 'edit' }) },
    ]
  return [
    { label: 'Values', link: link({}) },
    { label: 'Edit', link: link({ tab: 'edit' }) },
    { label: 'Versions', link: link({ tab: 'versions' }), count: metadata && Object.keys(metadata.versions).length },
    { label: 'Compare', link: link({ tab: 'compare' }) },
    { label: 'Settings', link: link({ tab: 'settings' }) },
    { label: 'History', link: link({ tab: 'history' }) },
  ]
}

type FaceProps = { spot: Spot; metadata: Metadata | undefined; search: SecretSearch }

function Face({ spot, metadata, search }: FaceProps) {
  const { tab, version, from, to } = search
  const navigate = useNavigate()
  const tell = useDone(kvSubjects)
  const show = () =>
    navigate({ to: '/server/secrets/secret/$', params: { _splat: nameOf(spot) }, search: {}, ignoreBlocker: true })
  if (tab === 'edit')
    return (
      <EditSecret
        spot={spot}
        latest={metadata?.current_version}
        cancel={show}
        done={async (made) => {
          await tell({ done: made === undefined ? `${nameOf(spot)} is written` : `Version ${made} is written` })
          await show()
        }}
      />
    )
  if (tab === 'versions') return <VersionsTab spot={spot} />
  if (tab === 'compare') return <CompareTab spot={spot} from={from} to={to} />
  if (tab === 'settings') return <SettingsTab spot={spot} />
  if (tab === 'history') return <HistoryTab spot={spot} />
  return <Shown spot={spot} metadata={metadata} version={version} />
}

/** The values of a version, or what became of it. */
function Shown({ spot, metadata, version }: Omit<FaceProps, 'search'> & { version: number | undefined }) {
  const number = version ?? metadata?.current_version
  const known = number === undefined ? undefined : metadata?.versions[number]
  const fate = known && fateOf(known, number === metadata?.current_version)
  if (metadata && !known) return <Note tone="calm">There is no version to show.</Note>
  if (known && fate === 'destroyed')
    return <Note tone="calm">Version {number} was destroyed: its values are gone for good.</Note>
  if (known && fate === 'deleted' && number !== undefined)
    return (
      <Note tone="warn" action={<UndeleteButton spot={spot} numbers={[number]} />}>
        Version {number} was deleted <Time at={known.deletion_time} />
        {known.deleted_by ? ` by ${known.deleted_by.actor}` : ''}. Its values are kept, and can be brought back.
      </Note>
    )
  return (
    <>
      {version !== undefined && version !== metadata?.current_version && (
        <Note
          tone="calm"
          action={
            <Link to="/server/secrets/secret/$" params={{ _splat: nameOf(spot) }} search={{}}>
              Show the current one
            </Link>
          }
        >
          This is version {version}. <Status shape="nothing">Not the current one</Status>
        </Note>
      )}
      <Values key={version} spot={spot} version={version} />
    </>
  )
}
