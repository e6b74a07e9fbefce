import { getRouteApi, Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import { Answer } from '../../kit/Answer.tsx'
import { buttonClass } from '../../kit/Button.tsx'
import { FilterBar, Search } from '../../kit/Filters.tsx'
import { Page } from '../../kit/Page.tsx'
import { type Column, Table, TextButton } from '../../kit/Table.tsx'
import { ListFoot } from '../ListFoot.tsx'
import { justBefore, type ListSearch } from '../searches.ts'
import { aboutPolicy } from './builtIn.ts'

const route = getRouteApi('/server/secrets/policies/')
const pageSize = 100

/** All policies by name. */
export const PoliciesPage = () => (
  <Page
    title="Policies"
    actions={
      <>
        <Link to="/server/secrets/try" className={buttonClass()}>
          Try a path…
        </Link>
        <Link to="/server/secrets/new-policy" className={buttonClass('primary')}>
          New policy
        </Link>
      </>
    }
  >
    <Policies />
  </Page>
)

function Policies() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const change = (next: ListSearch) => navigate({ search: next as never })
  const { begins = '', after = justBefore(begins) } = search
  const query = { limit: pageSize, ...(after !== undefined && { after }) }
  const asked = useAnswer('policies.list-by-read', { params: { query } }, { keep: true })
  return (
    <>
      <FilterBar>
        <Search
          label="Names that begin with"
          value={begins}
          change={(text) => change(text ? { begins: text.toLowerCase() } : {})}
        />
      </FilterBar>
      <Answer of={asked} failed="The policies could not be read">
        {({ data: { keys } }) => {
          const names = keys.filter((name) => name.startsWith(begins))
          // The policy root is always the last, whatever page it is.
          const last = keys.filter((name) => name !== 'root').at(-1)
          const isMore = keys.length >= pageSize && names.length === keys.length
          return (
            <Table
              label="Policies"
              columns={columns}
              rows={names}
              keyOf={(name) => name}
              nothing={
                <>
                  No name begins with “{begins}”. <TextButton onClick={() => change({})}>Show all</TextButton>
                </>
              }
              foot={
                <ListFoot
                  one="policy"
                  several="policies"
                  shown={names.length}
                  next={isMore ? last : undefined}
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

const columns: readonly Column<string>[] = [
  {
    title: 'Name',
    phone: 'name',
    grow: true,
    cell: (name) => (
      <Link to="/server/secrets/policies/$" params={{ _splat: name }}>
        {name}
      </Link>
    ),
  },
  { title: 'About', phone: 'status', cell: (name) => <span className="soft">{aboutPolicy(name)}</span> },
  {
    title: 'Used by',
    right: true,
    phone: 'fact',
    cell: (name) => (
      <Link
        to="/server/secrets/policies/$"
        params={{ _splat: name }}
        search={{ tab: 'uses' }}
        aria-label={`Who has it: ${name}`}
      >
        Who has it
      </Link>
    ),
  },
]
