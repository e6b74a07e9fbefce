import { hotQuery } from '../../../storage/hot.ts'
import { lotsOf } from '../../../storage/lots.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import type { StateVersionOutputRow } from '../../../storage/tables/state-versions.ts'

/** An output as it is stored, its value sealed. */
export type StoredOutput = StateVersionOutputRow

const byId = hotQuery<{ id: string }, StoredOutput>('state-version-outputs.by-id', (db, { id }) =>
  db.selectFrom('state_version_outputs').selectAll().where('id', '=', id),
)

/** The output with this id. */
export const loadOutput = async (db: Queryable, id: string): Promise<StoredOutput | undefined> =>
  await byId.first(db, { id })

type OfVersion = { version: string }

const ofOne = hotQuery<OfVersion, StoredOutput>('state-version-outputs.of-version', (db, { version }) =>
  db.selectFrom('state_version_outputs').selectAll().where('state_version_id', '=', version).orderBy('position'),
)

const idsOfOne = hotQuery<OfVersion, { id: string }>('state-version-outputs.ids-of-version', (db, { version }) =>
  db.selectFrom('state_version_outputs').select('id').where('state_version_id', '=', version).orderBy('position'),
)

/** The outputs of a version, in the order of its file. */
export const loadOutputs = (db: Queryable, stateVersionId: string): Promise<StoredOutput[]> =>
  ofOne.all(db, { version: stateVersionId })

/** An output among those of many versions; the value is null where it was not loaded. */
export type IncludedOutput = Omit<StoredOutput, 'value'> & { readonly value: Uint8Array | null }

/** Bytes of values that are loaded for one answer, as many as one version may have. */
const mostIncluded = 16 * 1024 * 1024

/** The outputs of these versions, in the order of their files; values beyond what an answer can carry are left out. */
export async function loadIncludedOutputs(
  db: Queryable,
  stateVersionIds: readonly string[],
): Promise<readonly IncludedOutput[]> {
  const [only] = stateVersionIds
  if (only === undefined) return []
  if (stateVersionIds.length === 1) return await loadOutputs(db, only)
  const heads = await db
    .selectFrom('state_version_outputs')
    .select(['id', 'state_version_id', 'position', 'name', 'sensitive', 'type', 'detailed_type'])
    .select(({ fn }) => fn<number>('length', ['value']).as('bytes'))
    .where('state_version_id', 'in', stateVersionIds)
    .orderBy('state_version_id')
    .orderBy('position')
    .execute()
  let room = mostIncluded
  const wanted: string[] = []
  for (const { id, bytes } of heads) {
    if (bytes > room) continue
    room -= bytes
    wanted.push(id)
  }
  const values = new Map<string, Uint8Array>()
  for (const lot of lotsOf(wanted)) {
    const rows = await db.selectFrom('state_version_outputs').select(['id', 'value']).where('id', 'in', lot).execute()
    for (const { id, value } of rows) values.set(id, value)
  }
  return heads.map(({ bytes: _bytes, ...head }) => ({ ...head, value: values.get(head.id) ?? null }))
}

/** The ids of the outputs of these versions. */
export async function loadOutputIds(
  db: Queryable,
  stateVersionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const [only] = stateVersionIds
  if (only === undefined) return new Map()
  if (stateVersionIds.length === 1) {
    const rows = await idsOfOne.all(db, { version: only })
    return new Map([[only, rows.map(({ id }) => id)]])
  }
  const rows = await db
    .selectFrom('state_version_outputs')
    .select(['id', 'state_version_id'])
    .where('state_version_id', 'in', stateVersionIds)
    .orderBy('state_version_id')
    .orderBy('position')
    .execute()
  const grouped = Map.groupBy(rows, (row) => row.state_version_id)
  return new Map([...grouped].map(([version, outputs]) => [version, outputs.map(({ id }) => id)]))
}

/** Stores the outputs of a version. */
export async function insertOutputs(tx: Tx, outputs: readonly StoredOutput[]): Promise<void> {
  for (const lot of lotsOf(outputs)) await tx.insertInto('state_version_outputs').values(lot).execute()
}

/** Removes the outputs of a version whose content is deleted for good. */
export async function deleteOutputs(tx: Tx, stateVersionId: string): Promise<void> {
  await tx.deleteFrom('state_version_outputs').where('state_version_id', '=', stateVersionId).execute()
}
