import { partSize, useLongAnswer } from '../../api/answers.ts'
import type { Schemas } from '../../api/client.ts'
import { Answer } from '../../kit/Answer.tsx'
import { count } from '../../kit/numbers.ts'
import { Note } from '../../kit/Page.tsx'
import { type Column, InSight, Table } from '../../kit/Table.tsx'
import { useWorkspace } from '../workspace.tsx'

/** What the current state manages. */
export function ResourcesTab() {
  const { reasonNot } = useWorkspace()
  const reason = reasonNot('can-read-state-versions')
  return reason === undefined ? <Resources /> : <Note tone="calm">{reason}</Note>
}

function Resources() {
  const { id, attributes } = useWorkspace()
  const { first, rows, seen, long } = useLongAnswer('workspace-resources.list', (part) => ({
    params: { path: { workspaceId: id }, query: { 'page[size]': partSize, 'page[number]': part } },
  }))
  return (
    <Answer of={first} failed="The resources could not be read">
      {() => (
        <>
          {(attributes['resource-count'] ?? 0) > long.count && long.count > 0 && (
            <Note tone="calm">The state has more resources; the first {count(long.count)} are listed.</Note>
          )}
          <Table
            label="Resources"
            columns={columns}
            rows={rows}
            long={long}
            keyOf={({ id }) => id}
            nothing="The current state manages no resource, or there is none."
            foot={<InSight {...seen} total={long.count} />}
          />
        </>
      )}
    </Answer>
  )
}

const columns: readonly Column<Schemas['StateResource']>[] = [
  { title: 'Address', cell: ({ attributes }) => <code>{attributes.address}</code>, phone: 'name', grow: true },
  { title: 'Type', width: 200, cell: ({ attributes }) => attributes['provider-type'], phone: 'status' },
  { title: 'Module', width: 160, cell: ({ attributes }) => <span className="soft">{attributes.module}</span> },
  {
    title: 'Provider',
    width: 220,
    cell: ({ attributes }) => <span className="soft">{attributes.provider}</span>,
    phone: 'fact',
  },
]
