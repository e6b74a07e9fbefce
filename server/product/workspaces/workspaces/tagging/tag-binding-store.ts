import type { Instant } from '../../../../kernel/clock.ts'
import type { Ids } from '../../../../kernel/ids.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { KeyValue, TagBinding } from './tag-binding.ts'

/** A key with a value, on a workspace or on a project and then inherited by its workspaces. */
interface TagBindingRow {
  id: string
  organization_id: string
  workspace_id: string | null
  project_id: string | null
  key: string
  value: string
  position: number
  created_at: number
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    tag_bindings: TagBindingRow
  }
}

const toBinding = (row: TagBindingRow): TagBinding => ({
  id: row.id,
  workspaceId: row.workspace_id,
  projectId: row.project_id,
  key: row.key,
  value: row.value,
  createdAt: row.created_at as Instant,
})

/** Direct bindings of these workspaces or projects, in order of creation. */
export async function loadBindings(
  db: Queryable,
  of: 'workspace_id' | 'project_id',
  ids: readonly string[],
): Promise<TagBinding[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('tag_bindings').selectAll().where(of, 'in', ids).orderBy('position').execute()
  return rows.map(toBinding)
}

/** The workspace or project that bindings belong to. */
export type BindingTarget = { readonly organizationId: string } & (
  | { readonly workspaceId: string }
  | { readonly projectId: string }
)

const columnsOf = (target: BindingTarget) => ({
  organization_id: target.organizationId,
  workspace_id: 'workspaceId' in target ? target.workspaceId : null,
  project_id: 'projectId' in target ? target.projectId : null,
})

const ownerOf = (target: BindingTarget): readonly ['workspace_id' | 'project_id', string] =>
  'workspaceId' in target ? ['workspace_id', target.workspaceId] : ['project_id', target.projectId]

/** Direct bindings of one workspace or project, in order of creation. */
export const loadBindingsOf = (db: Queryable, target: BindingTarget): Promise<TagBinding[]> => {
  const [owner, id] = ownerOf(target)
  return loadBindings(db, owner, [id])
}

/** Makes these the only bindings of a target. Keys that stay keep their id and time. */
export async function replaceBindings(
  tx: Tx,
  ids: Pick<Ids, 'newId'>,
  target: BindingTarget,
  wanted: { readonly bindings: readonly KeyValue[]; readonly at: Instant },
): Promise<void> {
  const keys = wanted.bindings.map(({ key }) => key)
  const [column, id] = ownerOf(target)
  const others = tx.deleteFrom('tag_bindings').where(column, '=', id)
  await (keys.length === 0 ? others : others.where('key', 'not in', keys)).execute()
  await mergeBindings(tx, ids, target, wanted)
}

/** Adds bindings to a target; an existing key gets the new value. The caller checks how many there may be. */
export async function mergeBindings(
  tx: Tx,
  ids: Pick<Ids, 'newId'>,
  target: BindingTarget,
  wanted: { readonly bindings: readonly KeyValue[]; readonly at: Instant },
): Promise<void> {
  const [owner, id] = ownerOf(target)
  const last = await tx
    .selectFrom('tag_bindings')
    .select(({ fn }) => fn.max('position').as('position'))
    .where(owner, '=', id)
    .executeTakeFirst()
  const first = Number(last?.position ?? 0) + 1
  for (const [index, { key, value }] of wanted.bindings.entries()) {
    await tx
      .insertInto('tag_bindings')
      .values({ id: ids.newId('tb'), ...columnsOf(target), key, value, position: first + index, created_at: wanted.at })
      .onConflict((conflict) => conflict.columns([owner, 'key']).doUpdateSet({ value }))
      .execute()
  }
  bumpVersion(tx, 'workspaces')
}
