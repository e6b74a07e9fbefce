import { Link } from '@tanstack/react-router'
import { useAnswer } from '../../api/answers.ts'
import { Answer } from '../../kit/Answer.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import type { Spot } from './engine.ts'

type Entry = {
  readonly entity_id: string
  readonly display_name: string
  readonly operation: string
  readonly version: number
  readonly first: string
  readonly last: string
  readonly count: number
}

/** Who has used a secret, and when. */
export function HistoryTab({ spot }: { spot: Spot }) {
  const asked = useAnswer('kv.read-history', { params: { path: { path: spot.key } } }, { mount: spot.engine.path })
  return (
    <Answer of={asked} failed="The history could not be read">
      {({ data: { entries } }) => (
        <Table
          label="Who has used it"
          columns={columns}
          rows={[...entries].sort((a, b) => (a.last < b.last ? 1 : -1))}
          keyOf={({ entity_id, display_name, operation }) => `${entity_id} ${display_name} ${operation}`}
          nothing="Nobody has used it, or the engine does not note it."
          foot={`${counted(entries.length, 'line')}, one for each user and verb; it may be a minute late`}
        />
      )}
    </Answer>
  )
}

const columns: readonly Column<Entry>[] = [
  {
    title: 'Who',
    phone: 'name',
    grow: true,
    cell: ({ entity_id, display_name }) =>
      entity_id === '' ? (
        display_name
      ) : (
        <Link to="/server/secrets/entities/$entity" params={{ entity: entity_id }}>
          {display_name || entity_id}
        </Link>
      ),
  },
  { title: 'Did', phone: 'status', cell: ({ operation }) => operation },
  { title: 'Last version', right: true, cell: ({ version }) => count(version) },
  { title: 'Times', right: true, phone: 'fact', cell: ({ count: times }) => count(times) },
  { title: 'First', right: true, cell: ({ first }) => <Time at={first} /> },
  { title: 'Last', right: true, phone: 'time', cell: ({ last }) => <Time at={last} /> },
]
