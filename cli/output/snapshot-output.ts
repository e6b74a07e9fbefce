import { formatSeconds } from '../../server/kernel/duration.ts'
import { renderObject, renderTable } from './formats.ts'

type Row = Readonly<Record<string, unknown>>

/** Facts about a snapshot, with the unit of its age. */
const renderFacts = ({ age, ...facts }: Row): string =>
  renderObject(typeof age === 'number' ? { ...facts, age: formatSeconds(age) } : facts)

/** Facts about a snapshot, followed by its tables that are not empty. */
export function renderWithTables({ tables, ...facts }: Row): string {
  const filled = Object.entries(Object(tables) as Record<string, { rows: number }>).filter(([, { rows }]) => rows > 0)
  const cells = filled.map(([name, { rows }]) => [name, String(rows)])
  return cells.length === 0 ? renderFacts(facts) : `${renderFacts(facts)}\n${renderTable(['table', 'rows'], cells)}`
}

type Change = { rows_now: number; rows_then: number; added: number; removed: number; changed: number }

/** What a restore would change, table by table. */
export function renderPreview({ tables, unchanged: _unchanged, ...facts }: Row): string {
  const changes = Object.entries(Object(tables) as Record<string, Change>)
  if (changes.length === 0) return `${renderFacts(facts)}\nNothing would change.\n`
  const heads = ['table', 'now', 'then', 'come back', 'are lost', 'change']
  const cells = changes.map(([name, each]) =>
    [name, each.rows_now, each.rows_then, each.added, each.removed, each.changed].map(String),
  )
  return `${renderFacts(facts)}\n${renderTable(heads, cells)}`
}
