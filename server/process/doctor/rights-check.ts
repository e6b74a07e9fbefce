import type { Store } from '../../storage/open.ts'
import { type Finding, fail, warn } from './finding.ts'
import { loadRights, type Rights } from './rights-store.ts'

/** Which rights the server lacks in its PostgreSQL database; undefined if none. */
export async function rightsFinding({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<Finding | undefined> {
  const rights = engine === 'postgres' ? await loadRights(db) : undefined
  return rights && missingRight(rights)
}

/** A start creates tables, also when it upgrades; a restore fills a schema of its own before it replaces them. */
function missingRight({ role, database, schema, tables, schemas }: Rights): Finding | undefined {
  if (schema === null) {
    return fail(`the user ${role} can use no schema of its search_path`, 'Create the schema, or let the user use it.')
  }
  if (!tables) {
    const fix = `grant create on schema ${schema} to ${role}`
    return fail(`the user ${role} may not create tables in the schema ${schema}`, fix)
  }
  if (schemas) return undefined
  const text = `the user ${role} may not create schemas in the database ${database}, so snapshots cannot be restored`
  return warn(text, `grant create on database ${database} to ${role}`)
}
