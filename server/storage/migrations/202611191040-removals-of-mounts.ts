import type { Kysely } from 'kysely'
import type { ColumnTypes } from '../migrate.ts'

type MountRow = {
  id: string
  path: string
  type: string
  accessor: string
  login_id: string
  options: string | null
  config: string
  created_at: number
}

/** Mounts that earlier versions marked while they were being removed are gone, and their rows follow. */
export async function up(db: Kysely<unknown>, _types: ColumnTypes): Promise<void> {
  const tables = db as Kysely<{ mounts: MountRow & { tainted: number }; removals: Record<string, unknown> }>
  const mounts = await tables.selectFrom('mounts').selectAll().where('tainted', '=', 1).execute()
  for (const mount of mounts) {
    const { id, path, type, accessor } = mount
    const payload = JSON.stringify({ id, path, type, accessor, loginId: mount.login_id || id })
    const request = { name: path, requested_by: '', requested_at: mount.created_at, rows_left: 1, payload }
    await tables
      .insertInto('removals')
      .values({ kind: 'mount', subject_id: id, ...request })
      .execute()
  }
  await tables.deleteFrom('mounts').where('tainted', '=', 1).execute()
}
