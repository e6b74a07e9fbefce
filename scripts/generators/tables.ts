import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { type Db, isRemote, openStore } from '../../server/storage/open.ts'
import { readSource } from '../boundaries/source-text.ts'
import { tableOwners } from '../boundaries/tables.ts'
import { readSources } from '../check-boundaries.ts'
import type { Generated } from './generator.ts'

/** The type of each column by table and name: `text`, `integer`, `bytes` or `real`, and `null` where that is allowed. */
type Columns = Record<string, Record<string, string>>

/** What engines call the types that migrations give to columns. */
const migrationTypes = new Map(
  Object.entries({
    text: ['text'],
    integer: ['integer', 'bigint', 'int8'],
    bytes: ['blob', 'bytea'],
    real: ['real', 'float8'],
  }).flatMap(([type, names]) => names.map((name) => [name, type])),
)

/** The columns of all tables of a migrated database. */
export async function columnsOf(db: Db): Promise<Columns> {
  const schema = isRemote(db) ? await currentSchema(db) : undefined
  const own = isRemote(db) ? undefined : await plainTables(db)
  const tables = (await db.introspection.getTables()).filter(
    (table) => table.schema === schema && (own?.has(table.name) ?? true),
  )
  return Object.fromEntries(
    tables.map(({ name: table, columns }) => {
      const types = columns.map(({ name, dataType, isNullable }) => {
        const type = migrationTypes.get(dataType.toLowerCase())
        if (!type) throw new Error(`The column ${table}.${name} has the type '${dataType}'; use one of ColumnTypes.`)
        return [name, isNullable ? `${type} null` : type]
      })
      return [table, Object.fromEntries(types)]
    }),
  )
}

/** Without those in which SQLite keeps a full-text index. */
async function plainTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_list where type = 'table'`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

async function currentSchema(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db)
  return rows[0]?.schema
}

const head = `// Made from the migrations by \`npm run gen\`: every table with its owner and its columns. On SQLite a column is a
// \`text\`, \`integer\`, \`blob\` (bytes) or \`real\`; on PostgreSQL a \`text\`, \`bigint\`, \`bytea\` or \`double precision\`.

`

/** The tables of the store with their columns and owners. */
export async function generateTables(): Promise<Generated> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tables-'))
  const url = `sqlite:${join(folder, 'tables.db')}`
  const store = await openStore({ url, log: silentLog, clock: systemClock, durability: 'off' })
  try {
    await migrate(store)
    const tables = Object.entries(await columnsOf(store.db)).sort(([a], [b]) => (a < b ? -1 : 1))
    const owners = ownersByTable()
    const texts = tables.map(([table, columns]) => {
      const lines = Object.entries(columns).map(([name, type]) => `    ${name}: '${type}',\n`)
      return `  /** Written by ${owners.get(table)?.owner ?? 'nobody'}. */\n  ${table}: {\n${lines.join('')}  },\n`
    })
    return {
      'docs/sql/tables.ts': `${head}/** The columns of each table. */\nexport const tables = {\n${texts.join('')}} as const\n`,
    }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function ownersByTable(): ReturnType<typeof tableOwners>['owners'] {
  const sources = [...readSources(join(import.meta.dirname, '..', '..'))]
  return tableOwners(sources.map(([file, text]) => ({ file, source: readSource(text) }))).owners
}
