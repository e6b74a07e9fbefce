import { useQueries } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { call, type Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { FilterBar, Search } from '../../kit/Filters.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { Page } from '../../kit/Page.tsx'
import { ShownOnce } from '../../kit/ShownOnce.tsx'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { orEmpty } from '../act.ts'
import { ListFoot } from '../ListFoot.tsx'
import type { ListSearch } from '../searches.ts'
import { NewToken } from './NewToken.tsx'

const route = getRouteApi('/server/secrets/tokens/')

/** Each row is looked up by itself, so there are few. */
const pageSize = 20

/** An accessor, and what is known of its token; undefined while that is read, and null if it ended meanwhile. */
type Row = { readonly accessor: string; readonly token: Schemas['TokenInfo'] | null | undefined }

/** All stored tokens, by their accessors. */
export function TokensPage() {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<string>()
  return (
    <Page
      title="Tokens"
      actions={
        <Button kind="primary" onClick={() => setOpen(true)}>
          <IconPlus size={15} stroke={1.8} />
          New token
        </Button>
      }
    >
      <Tokens />
      {isOpen && <NewToken close={() => setOpen(false)} show={setMade} />}
      {made !== undefined && (
        <ShownOnce secret={{ title: 'Your new token', text: made }} close={() => setMade(undefined)} />
      )}
    </Page>
  )
}

function Tokens() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const lead = useNavigate()
  const change = (next: ListSearch) => navigate({ search: next as never })
  const query = { list: 'true' as const, limit: pageSize, ...(search.after !== undefined && { after: search.after }) }
  const asked = useAnswer('tokens.list-accessors', { params: { query } }, { keep: true })
  const accessors = asked.data?.data.keys ?? []
  const tokens = useTokens(accessors)
  return (
    <>
      <FilterBar>
        <Search
          label="Go to an accessor"
          value=""
          change={(text) =>
            text.trim() && lead({ to: '/server/secrets/tokens/$accessor', params: { accessor: text.trim() } })
          }
        />
      </FilterBar>
      <Answer of={orEmpty(asked, { data: { keys: [] } } as never)} failed="The tokens could not be read">
        {({ data: { keys } }) => (
          <Table
            label="Tokens"
            columns={columns}
            rows={keys.map((accessor, at) => ({ accessor, token: tokens[at] }))}
            keyOf={({ accessor }) => accessor}
            foot={
              <ListFoot
                one="token"
                shown={keys.length}
                next={keys.length >= pageSize ? keys.at(-1) : undefined}
                search={search}
                change={change}
              />
            }
          />
        )}
      </Answer>
    </>
  )
}

/** The tokens of these accessors, in their order. */
const useTokens = (accessors: readonly string[]): readonly Row['token'][] =>
  useQueries({
    queries: accessors.map((accessor) => ({
      queryKey: ['tokens.lookup-accessor', { body: { accessor } }],
      queryFn: () => call('tokens.lookup-accessor', { body: { accessor } }),
    })),
  }).map(({ data, error }) => (error ? null : data?.data))

const columns: readonly Column<Row>[] = [
  {
    title: 'Token',
    phone: 'name',
    grow: true,
    cell: ({ accessor, token }) => (
      <Link to="/server/secrets/tokens/$accessor" params={{ accessor }} data-tip={accessor}>
        {token?.display_name || `${accessor.slice(0, 8)}…`}
      </Link>
    ),
  },
  {
    title: 'Kind',
    phone: 'status',
    cell: ({ token }) =>
      token === null ? (
        <Status shape="ended">Ended</Status>
      ) : token ? (
        [token.type, token.period ? 'periodic' : '', token.orphan ? 'orphan' : ''].filter(Boolean).join(', ')
      ) : (
        ''
      ),
  },
  { title: 'From', cell: ({ token }) => token && <code>{token.path}</code> },
  {
    title: 'Policies',
    phone: 'fact',
    cell: ({ token }) => (
      <span className="soft">{token && [...token.policies, ...(token.identity_policies ?? [])].join(', ')}</span>
    ),
  },
  { title: 'Created', right: true, cell: ({ token }) => token && <Time at={token.issue_time} /> },
  { title: 'Ends', right: true, phone: 'time', cell: ({ token }) => token && <Time at={token.expire_time} /> },
]
