import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { FilterBar, Search } from '../../kit/Filters.tsx'
import { AreaField, ListField, TextField } from '../../kit/Form.tsx'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { counted } from '../../kit/numbers.ts'
import { Page } from '../../kit/Page.tsx'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table, TextButton } from '../../kit/Table.tsx'
import { orEmpty, useDone, warningsIn } from '../act.ts'
import { ListFoot } from '../ListFoot.tsx'
import { PolicyLinks } from '../policies/PolicyLinks.tsx'
import { justBefore, type ListSearch, pairsOf } from '../searches.ts'

const route = getRouteApi('/server/secrets/entities/')
const pageSize = 50

type Entity = Pick<Schemas['Entity'], 'id' | 'name' | 'aliases' | 'policies' | 'disabled'>

/** Who is behind the names that log in. */
export function EntitiesPage() {
  const [isOpen, setOpen] = useState(false)
  const add = (
    <Button kind="primary" onClick={() => setOpen(true)}>
      <IconPlus size={15} stroke={1.8} />
      New entity
    </Button>
  )
  return (
    <Page title="Entities" actions={add}>
      <Entities add={add} />
      {isOpen && <NewEntity close={() => setOpen(false)} />}
    </Page>
  )
}

function Entities({ add }: { add: React.ReactNode }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: ListSearch) => navigate({ search: next as never })
  const { begins = '', after = justBefore(begins) } = search
  const query = { list: 'true' as const, limit: pageSize, ...(after !== undefined && { after }) }
  const asked = useAnswer('identity.list-entities-by-name', { params: { query } }, { keep: true })
  return (
    <>
      <FilterBar>
        <Search
          label="Names that begin with"
          value={begins}
          change={(text) => change(text ? { begins: text.toLowerCase() } : {})}
        />
      </FilterBar>
      <Answer
        of={orEmpty(asked, { data: { keys: [], key_info: {} } } as never)}
        failed="The entities could not be read"
      >
        {({ data: { keys, key_info } }) => {
          const all = (Object.values(key_info) as Entity[]).filter(({ name }) => name.toLowerCase().startsWith(begins))
          if (all.length === 0 && begins === '' && search.after === undefined) return <NoEntities add={add} />
          const isMore = keys.length >= pageSize && all.length === keys.length
          return (
            <Table
              label="Entities"
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              nothing={
                <>
                  No name begins with “{begins}”. <TextButton onClick={() => change({})}>Show all</TextButton>
                </>
              }
              foot={
                <ListFoot
                  one="entity"
                  several="entities"
                  shown={all.length}
                  next={isMore ? keys.at(-1) : undefined}
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

const NoEntities = ({ add }: { add: React.ReactNode }) => (
  <Empty
    title="No entities yet"
    action={add}
    command="holdfast write identity/entity name=billing policies=billing-read"
  >
    An entity is who logs in, whatever the method: the first login with a name makes one. Its policies hold for all its
    tokens, from their next request.
  </Empty>
)

const columns: readonly Column<Entity>[] = [
  {
    title: 'Name',
    phone: 'name',
    grow: true,
    cell: ({ id, name }) => (
      <Link to="/server/secrets/entities/$entity" params={{ entity: id }}>
        {name}
      </Link>
    ),
  },
  {
    title: 'State',
    phone: 'status',
    cell: ({ disabled }) =>
      disabled ? (
        <Status shape="ended" term="None of its tokens is accepted">
          Disabled
        </Status>
      ) : (
        <Status shape="done">Enabled</Status>
      ),
  },
  {
    title: 'Logs in as',
    cell: ({ aliases }) => (
      <span data-tip={aliases.map(({ name, mount_path }) => `${name} at ${mount_path}`).join('\n') || undefined}>
        {aliases.length === 1 ? (
          aliases[0]?.name
        ) : (
          <span className="soft">{counted(aliases.length, 'alias', 'aliases')}</span>
        )}
      </span>
    ),
  },
  {
    title: 'Policies',
    phone: 'fact',
    cell: ({ policies }) => <PolicyLinks names={policies} none="none of its own" />,
  },
]

function NewEntity({ close }: { close: () => void }) {
  const [blank] = useState({ name: '', policies: [] as readonly string[], metadata: '' })
  const draft = useDraft(blank)
  const tell = useDone(['identity', 'policies'])
  const navigate = useNavigate()
  const name = draft.values.name.trim()
  return (
    <FormDialog
      title="New entity"
      close={close}
      draft={draft}
      width={620}
      action="Create entity"
      effect="Give it aliases next, so that logins find it."
      reason={name === '' ? 'Give the entity a name first.' : undefined}
      send={async ({ policies, metadata }) => {
        const body = { name, policies: [...policies], metadata: pairsOf(metadata) }
        const made = await call('identity.write-entity', { body })
        await tell({
          done: made ? `Entity ${name} created` : `Entity ${name} was there, and was changed`,
          text: warningsIn(made),
        })
        if (made)
          navigate({ to: '/server/secrets/entities/$entity', params: { entity: made.data.id }, ignoreBlocker: true })
      }}
    >
      <TextField draft={draft} name="name" label="Name" hint="Upper and lower case are the same." first />
      <ListField draft={draft} name="policies" label="Policies" hint="All its tokens have them, beside their own." />
      <AreaField
        draft={draft}
        name="metadata"
        label="Metadata"
        hint="One key=value on each line. Policies can refer to them."
        rows={3}
        mono
      />
    </FormDialog>
  )
}
