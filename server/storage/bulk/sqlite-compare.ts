import { DatabaseSync } from 'node:sqlite'
import { sqliteTables } from './sqlite-bulk.ts'
import { isGeneration, quoted, type TableShape } from './table-shape.ts'

/** What a table would gain and lose, in rows, and the keys of the first ones. */
export type TableChanges = {
  readonly rowsNow: number
  readonly rowsThen: number
  /** Rows that only the other database has. */
  readonly added: number
  /** Rows that only this one has. */
  readonly removed: number
  /** Rows that both have, with different content. */
  readonly changed: number
  readonly examples: { readonly added: string[]; readonly removed: string[]; readonly changed: string[] }
}

const mostExamples = 10

/** Compares two SQLite files table by table: what would change if `other` took the place of `current`. */
export function compareDatabases(current: string, other: string): Record<string, TableChanges> {
  const database = new DatabaseSync(current, { readOnly: true })
  try {
    database.prepare('attach database ? as other').run(other)
    const tables = sqliteTables(database).filter((table) => table.key.length > 0)
    return Object.fromEntries(tables.map((table) => [table.name, compare(database, table)]))
  } finally {
    database.close()
  }
}

function compare(database: DatabaseSync, table: TableShape): TableChanges {
  const name = quoted(table.name)
  const onKey = table.key.map((column) => `n.${quoted(column)} = t.${quoted(column)}`).join(' and ')
  const content = table.columns.filter((column) => !table.key.includes(column.name) && !isGeneration(column))
  const differs =
    content.map(({ name: column }) => `n.${quoted(column)} is not t.${quoted(column)}`).join(' or ') || '0'
  const parts = {
    added: `from other.${name} t where not exists (select 1 from main.${name} n where ${onKey})`,
    removed: `from main.${name} n where not exists (select 1 from other.${name} t where ${onKey})`,
    changed: `from main.${name} n join other.${name} t on ${onKey} where ${differs}`,
  }
  const count = (from: string) => Number(database.prepare(`select count(*) as rows ${from}`).get()?.rows)
  const examples = (from: string, row: 'n' | 't') => {
    const key = table.key.map((column) => `${row}.${quoted(column)}`).join(` || '/' || `)
    const rows = database.prepare(`select ${key} as key ${from} order by 1 limit ${mostExamples}`).all()
    return rows.map((found) => String(found.key))
  }
  return {
    rowsNow: count(`from main.${name}`),
    rowsThen: count(`from other.${name}`),
    added: count(parts.added),
    removed: count(parts.removed),
    changed: count(parts.changed),
    examples: {
      added: examples(parts.added, 't'),
      removed: examples(parts.removed, 'n'),
      changed: examples(parts.changed, 'n'),
    },
  }
}
