import { hotQuery } from '../../../../storage/hot.ts'
import type { Queryable, Tx } from '../../../../storage/open.ts'
import { rowChunksOf } from '../../../../storage/row-chunks.ts'

/** An output of a state version; the value is sealed JSON. */
interface StateVersionOutputRow {
  id: string
  state_version_id: string
  position: number
  name: string
  sensitive: number
  type: string
  /** JSON of the type expression; null where the file does not say. */
  detailed_type: string | null
  value: Uint8Array
}

declare module '../../../../storage/tables.ts' {
  interface DescribedTables {
    state_version_outputs: StateVersionOutputRow
  }
}

/** An output as it is stored, with its value encrypted. */
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
export const loadOutputs = async (db: Queryable, stateVersionId: string): Promise<StoredOutput[]> =>
  await ofOne.all(db, { version: stateVersionId })

/** An output among those of many versions; the value is null if it was not loaded. */
export type IncludedOutput = Omit<StoredOutput, 'value'> & { readonly value: Uint8Array | null }

/** Bytes of values that are loaded for one answer, as many as one version may have. */
const maxIncluded = 16 * 1024 * 1024

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
  let room = maxIncluded
  const wanted: string[] = []
  for (const { id, bytes } of heads) {
    if (bytes > room) continue
    room -= bytes
    wanted.push(id)
  }
  const values = new Map<string, Uint8Array>()
  for (const lot of rowChunksOf(wanted)) {
    const rows = await db.selectFrom('state_version_outputs').select(['id', 'value']).where('id', 'in', lot).execute()
    for (const { id, value } of rows) values.set(id, value)
  }
  return heads.map(({ bytes: _bytes, ...head }) => ({ ...head, value: values.get(head.id) ?? null }))
}

type IdsByVersion = ReadonlyMap<string, readonly string[]>

/** The ids of the outputs of these versions. */
export async function loadOutputIds(db: Queryable, stateVersionIds: readonly string[]): Promise<IdsByVersion> {
  const [only] = stateVersionIds
  if (only === undefined) return new Map()
  if (stateVersionIds.length > 1) return await loadIdsOfMany(db, stateVersionIds)
  const rows = await idsOfOne.all(db, { version: only })
  return new Map([[only, rows.map(({ id }) => id)]])
}

async function loadIdsOfMany(db: Queryable, stateVersionIds: readonly string[]): Promise<IdsByVersion> {
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

const insert = hotQuery('state-version-outputs.insert', (db, row: StoredOutput) =>
  db.insertInto('state_version_outputs').values({
    id: row.id,
    state_version_id: row.state_version_id,
    position: row.position,
    name: row.name,
    sensitive: row.sensitive,
    type: row.type,
    detailed_type: row.detailed_type,
    value: row.value,
  }),
)

/** Up to so many outputs are stored one by one; building one statement pays off only for more. */
const singleInsertLimit = 50

/** Stores the outputs of a version that is stored already. */
export async function insertOutputs(tx: Tx, outputs: readonly StoredOutput[]): Promise<void> {
  if (outputs.length <= singleInsertLimit)
    await Promise.all(outputs.map((output) => insert.runBeforeCommit(tx, output)))
  else for (const lot of rowChunksOf(outputs)) await tx.insertInto('state_version_outputs').values(lot).execute()
}

/** Removes the outputs of a version whose content is deleted for good. */
export async function deleteOutputs(tx: Tx, stateVersionId: string): Promise<void> {
  await tx.deleteFrom('state_version_outputs').where('state_version_id', '=', stateVersionId).execute()
}
