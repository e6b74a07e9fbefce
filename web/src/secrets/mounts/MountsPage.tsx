import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Pair, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { count, counted } from '../../kit/numbers.ts'
import { Page, Section, type Tab } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { span } from '../../kit/times.ts'
import { useDone, warningsIn } from '../act.ts'
import { mountSubjects } from './mountPaths.ts'

const route = getRouteApi('/server/secrets/mounts/')

type Mount = Schemas['Mount'] & { readonly path: string }

const tabs: readonly Tab[] = [
  { label: 'Auth methods', link: { to: '/server/secrets/mounts', search: {} } as Tab['link'] },
  { label: 'Secrets engines', link: { to: '/server/secrets/mounts', search: { kind: 'engines' } } as Tab['link'] },
]

/** What is mounted where: auth methods, secrets engines, and what is still being removed. */
export function MountsPage() {
  const { kind } = route.useSearch()
  const [isOpen, setOpen] = useState(false)
  const isEngines = kind === 'engines'
  return (
    <Page
      title="Mounts"
      tabs={tabs}
      actions={
        <Button kind="primary" onClick={() => setOpen(true)}>
          <IconPlus size={15} stroke={1.8} />
          {isEngines ? 'Mount an engine' : 'Enable a method'}
        </Button>
      }
    >
      {isEngines ? <Engines /> : <Methods />}
      <Removals />
      {isOpen && <Enable isEngine={isEngines} close={() => setOpen(false)} />}
    </Page>
  )
}

const rowsOf = (mounts: Readonly<Record<string, Schemas['Mount']>>, before: string): readonly Mount[] =>
  Object.entries(mounts)
    .map(([path, mount]) => ({ ...mount, path: `${before}${path}` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))

function Methods() {
  const asked = useAnswer('mounts.list-auth', {})
  return (
    <Answer of={asked} failed="The auth methods could not be read">
      {({ data }) => <Mounts label="Auth methods" one="auth method" mounts={rowsOf(data, 'auth/')} />}
    </Answer>
  )
}

function Engines() {
  const asked = useAnswer('mounts.list', {})
  return (
    <Answer of={asked} failed="The secrets engines could not be read">
      {({ data }) => <Mounts label="Secrets engines" one="mount" mounts={rowsOf(data, '')} />}
    </Answer>
  )
}

const Mounts = ({ label, one, mounts }: { label: string; one: string; mounts: readonly Mount[] }) => (
  <Table label={label} columns={columns} rows={mounts} keyOf={({ path }) => path} foot={counted(mounts.length, one)} />
)

const ttl = (seconds: number): React.ReactNode =>
  seconds > 0 ? span(seconds) : <span className="faint">as the server</span>

const columns: readonly Column<Mount>[] = [
  {
    title: 'Path',
    phone: 'name',
    cell: ({ path }) => (
      <Link to="/server/secrets/mounts/$" params={{ _splat: path.replace(/\/$/, '') }}>
        {path}
      </Link>
    ),
  },
  { title: 'Type', phone: 'status', cell: ({ type }) => type },
  { title: 'For', grow: true, cell: ({ description }) => <span className="soft">{description}</span> },
  { title: 'Lifetime', right: true, cell: ({ config }) => ttl(config.default_lease_ttl) },
  { title: 'At most', right: true, cell: ({ config }) => ttl(config.max_lease_ttl) },
]

type Removal = Schemas['SystemRemoval']

/** What is gone for everybody, and whose rows are still being removed. */
function Removals() {
  const asked = useAnswer('removals.read', {}, { every: (answer) => (answer?.data.removals.length ? 2_000 : 15_000) })
  const removals = asked.data?.data.removals ?? []
  if (removals.length === 0) return null
  return (
    <Section
      title="Being removed"
      count={removals.length}
      lead="Nobody can use them any more; their rows are removed in the background."
    >
      <Table label="Being removed" columns={removalColumns} rows={removals} keyOf={({ kind, id }) => `${kind} ${id}`} />
    </Section>
  )
}

const removalColumns: readonly Column<Removal>[] = [
  { title: 'Name', phone: 'name', grow: true, cell: ({ name }) => <span className="strong">{name}</span> },
  {
    title: 'State',
    phone: 'status',
    cell: ({ last_error }) =>
      last_error === '' ? (
        <Status shape="working">Removing</Status>
      ) : (
        <Status shape="risk" term={last_error}>
          Tries again
        </Status>
      ),
  },
  { title: 'Rows left', right: true, phone: 'fact', cell: ({ rows_left }) => count(rows_left) },
  { title: 'Asked for by', cell: ({ requested_by }) => requested_by },
  { title: 'Since', right: true, phone: 'time', cell: ({ requested_at }) => <Time at={requested_at} /> },
]

function Enable({ isEngine, close }: { isEngine: boolean; close: () => void }) {
  const [blank] = useState({
    type: isEngine ? '' : 'cert',
    path: '',
    description: '',
    default_lease_ttl: '',
    max_lease_ttl: '',
  })
  const draft = useDraft(blank)
  const tell = useDone(mountSubjects)
  const type = draft.values.type.trim()
  const path = draft.values.path.trim().replace(/^\/|\/$/g, '') || type
  const where = isEngine ? `${path}/` : `auth/${path}/`
  return (
    <FormDialog
      title={isEngine ? 'Mount a secrets engine' : 'Enable an auth method'}
      close={close}
      draft={draft}
      action={isEngine ? 'Mount engine' : 'Enable method'}
      effect={type === '' ? '' : `It answers at ${where} at once.`}
      reason={type === '' ? 'Name the type first.' : undefined}
      send={async ({ description, default_lease_ttl, max_lease_ttl }) => {
        const config = Object.fromEntries(
          Object.entries({ default_lease_ttl, max_lease_ttl }).filter(([, value]) => value.trim() !== ''),
        )
        const body = { type, description, config }
        const answer = await call(isEngine ? 'mounts.enable' : 'mounts.enable-auth', {
          params: { path: { path } },
          body,
        })
        await tell({ done: `${where} is enabled`, text: warningsIn(answer) })
      }}
    >
      <TextField
        draft={draft}
        name="type"
        label="Type"
        hint={
          isEngine
            ? 'Such as kv; what this server does not have is refused.'
            : 'cert for certificates, approle, or jwt.'
        }
        first
      />
      <TextField
        draft={draft}
        name="path"
        label="Path"
        hint="Where it answers; it may have slashes."
        placeholder={type}
      />
      <TextField draft={draft} name="description" label="For" hint="Others read this before they remove it." />
      <Pair>
        <TextField draft={draft} name="default_lease_ttl" label="Lifetime" placeholder="As the server" />
        <TextField draft={draft} name="max_lease_ttl" label="At most" placeholder="As the server" />
      </Pair>
    </FormDialog>
  )
}
