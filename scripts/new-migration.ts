// npm run new:migration add-lock-version
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The name of a migration created at a given moment, or why the requested name is refused. Migrations run in the order of
 * their names, so that it is later than those that exist.
 */
export function migrationName(
  wish: string,
  at: Date,
  existing: readonly string[],
): { name: string } | { problem: string } {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(wish)) {
    return { problem: `'${wish}' is not a name for a migration; say what it does, such as add-lock-version` }
  }
  const earliest = existing.map((name) => minuteOf(name) + 60_000).filter((time) => !Number.isNaN(time))
  const time = new Date(Math.max(at.getTime(), ...earliest))
  return { name: `${time.toISOString().replace(/\D/g, '').slice(0, 12)}-${wish}` }
}

const minuteOf = (name: string): number =>
  Date.parse(name.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)-.*/, '$1-$2-$3T$4:$5Z'))

/** The initial text of a migration. Later changes to the code must not affect it, so it imports only types. */
export function migrationText(wish: string): string {
  const sentence = wish.replaceAll('-', ' ')
  return `import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

/** ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. */
export async function up(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable('').addColumn('', types.text).execute()
  // or: await db.schema.createTable('').addColumn('id', types.text, (column) => column.primaryKey().notNull()).execute()
}
`
}

function main(wish: string): number {
  const folder = join(import.meta.dirname, '..', 'server', 'storage', 'migrations')
  const made = migrationName(wish, new Date(), readdirSync(folder))
  if ('problem' in made) {
    console.error(made.problem)
    return 1
  }
  const file = join('server', 'storage', 'migrations', `${made.name}.ts`)
  writeFileSync(join(import.meta.dirname, '..', file), migrationText(wish))
  console.error(
    `made ${file}\nNow write its one change, then run npm run gen and npm run types, which names the row to change.`,
  )
  return 0
}

if (import.meta.main) process.exitCode = main(process.argv[2] ?? '')
