import { useAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { Note } from '../../kit/Page.tsx'
import { type Column, Pager, Table } from '../../kit/Table.tsx'
import { useAddress } from '../address.ts'
import type { PageSearch } from '../pageSearch.ts'
import { useWorkspace } from '../workspace.tsx'

const pageSize = 50

/** What the current state manages. */
export function ResourcesTab() {
  const { id, attributes, reasonNot } = useWorkspace()
  const { search, change } = useAddress<PageSearch>()
  const page = search.page ?? 1
  const reason = reasonNot('can-read-state-versions')
  const params = { path: { workspaceId: id }, query: { 'page[size]': pageSize, 'page[number]': page } }
  const asked = useAnswer('workspace-resources.list', { params }, { when: reason === undefined, keep: true })
  if (reason !== undefined) return <Note tone="calm">{reason}</Note>
  return (
    <Answer of={asked} failed="The resources could not be read">
      {({ data, meta }) => {
        const total = meta.pagination['total-count']
        return (
          <>
            {(attributes['resource-count'] ?? 0) > total && total > 0 && (
              <Note tone="calm">The state has more resources; the first {total.toLocaleString('en')} are listed.</Note>
            )}
            <Table
              label="Resources"
              columns={columns}
              rows={data}
              keyOf={(resource) => resource.id}
              nothing="The current state manages no resource, or there is none."
              foot={
                <Pager
                  page={page}
                  pageSize={pageSize}
                  shown={data.length}
                  total={total}
                  change={(next) => change({ page: next === 1 ? undefined : next })}
                />
              }
            />
          </>
        )
      }}
    </Answer>
  )
}

const columns: readonly Column<Schemas['StateResource']>[] = [
  { title: 'Address', cell: ({ attributes }) => <code>{attributes.address}</code>, phone: 'name', grow: true },
  { title: 'Type', cell: ({ attributes }) => attributes['provider-type'], phone: 'status' },
  { title: 'Module', cell: ({ attributes }) => <span className="soft">{attributes.module}</span> },
  { title: 'Provider', cell: ({ attributes }) => <span className="soft">{attributes.provider}</span>, phone: 'fact' },
]
