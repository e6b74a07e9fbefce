import { useState } from 'react'
import { useAnswer } from '../../api/answers.ts'
import { Answer, Empty } from '../../kit/Answer.tsx'
import { Button } from '../../kit/Button.tsx'
import { IconPlus } from '../../kit/icons.ts'
import { Page, type Tab } from '../../kit/Page.tsx'
import { FootEnd, Pager, Table, TextButton } from '../../kit/Table.tsx'
import { useAddress } from '../address.ts'
import { namesOf } from '../names.ts'
import { BulkBar } from './BulkBar.tsx'
import { columnsOf, type Workspace } from './columns.tsx'
import { Filters } from './Filters.tsx'
import { isUnfiltered, type ListSearch, listQuery } from './listSearch.ts'
import { NewWorkspace } from './NewWorkspace.tsx'
import { useDuration } from './useDuration.ts'

const pageSize = 50

/** The workspaces of an organization. */
export function ListPage() {
  const { organization, search, change: go } = useAddress<ListSearch>()
  const organizations = useAnswer('organizations.show', { params: { path: { organization } } })
  const mayCreate = organizations.data?.data.attributes.permissions?.['can-create-workspace']
  return (
    <Page
      title="Workspaces"
      tabs={tabsOf(organization)}
      actions={
        <Button
          kind="primary"
          reason={mayCreate === false ? `You may not create workspaces. Ask an owner of ${organization}.` : undefined}
          onClick={() => go({ new: true })}
        >
          <IconPlus size={15} stroke={1.6} aria-hidden="true" />
          New workspace
        </Button>
      }
    >
      <Filters organization={organization} search={search} change={(next) => go(withoutPage(next))} />
      <List />
      {search.new && <NewWorkspace organization={organization} close={() => go(gone('new'))} />}
    </Page>
  )
}

/** Another list begins with its first page. */
const withoutPage = (next: Partial<ListSearch>) => ({ ...gone('page'), ...next })

/** The member left out of the address. */
const gone = (name: keyof ListSearch): Partial<ListSearch> => ({ [name]: undefined })

function List() {
  const { organization, search, change: go, replaceAll } = useAddress<ListSearch>()
  const [chosen, setChosen] = useState<ReadonlyMap<string, Workspace>>(new Map())
  const { new: _new, ...shown } = search
  const query = { ...listQuery(shown, pageSize), include: 'project,locked_by,effective_tag_bindings' as const }
  const asked = useAnswer('workspaces.list', { params: { path: { organization }, query } }, { keep: true })
  const took = useDuration(asked.isFetching)
  const choose = (keys: ReadonlySet<string>, rows: readonly Workspace[]) => {
    const known = new Map([...chosen, ...rows.map((row) => [row.id, row] as const)])
    setChosen(new Map([...keys].flatMap((key) => (known.has(key) ? [[key, known.get(key) as Workspace]] : []))))
  }
  return (
    <Answer of={asked} failed="The workspaces could not be read">
      {(page) => {
        const total = page.meta.pagination['total-count']
        if (total === 0 && isUnfiltered(search)) return <NoWorkspaces organization={organization} />
        return (
          <Table
            label="Workspaces"
            columns={columnsOf(organization, namesOf(page), page.included ?? [])}
            rows={page.data}
            keyOf={({ id }) => id}
            titleOf={({ attributes }) => attributes.name ?? ''}
            sort={{ by: search.sort ?? 'name', change: (sort) => go(withoutPage({ sort })) }}
            selection={{
              chosen: new Set(chosen.keys()),
              change: (keys) => choose(keys, page.data),
              actions: <BulkBar chosen={[...chosen.values()]} total={total} clear={() => setChosen(new Map())} />,
            }}
            nothing={
              <>
                Nothing matches. <TextButton onClick={() => replaceAll({})}>Clear the filters</TextButton>
              </>
            }
            foot={
              <>
                <Pager
                  page={search.page ?? 1}
                  pageSize={pageSize}
                  shown={page.data.length}
                  total={total}
                  change={(next) => go(next === 1 ? gone('page') : { page: next })}
                />
                {took !== undefined && <FootEnd>answered in {took} ms</FootEnd>}
              </>
            }
          />
        )
      }}
    </Answer>
  )
}

const tabsOf = (organization: string): readonly Tab[] =>
  [
    { label: 'All', search: {} },
    { label: 'Locked', search: { locked: true } },
  ].map(({ label, search }) => ({
    label,
    link: { to: '/$organization/workspaces', params: { organization }, search } as Tab['link'],
  }))

const NoWorkspaces = ({ organization }: { organization: string }) => (
  <Empty
    title="No workspaces yet"
    command={`terraform {\n  cloud {\n    hostname     = "${location.host}"\n    organization = "${organization}"\n    workspaces { name = "first" }\n  }\n}`}
  >
    A workspace keeps the state of one configuration, with its lock, its variables and its history. A configuration with
    this block creates one at its first use.
  </Empty>
)
