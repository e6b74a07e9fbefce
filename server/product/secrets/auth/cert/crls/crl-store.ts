import { type Instant, instant } from '../../../../../kernel/clock.ts'
import { Failure } from '../../../../../kernel/failure.ts'
import type { Ids } from '../../../../../kernel/ids.ts'
import type { ListPlace } from '../../../../../kit/list.ts'
import {
  deleteBlob,
  getBlob,
  maxChunkBytes,
  newUpload,
  putBlob,
  sweepBlobs,
} from '../../../../../storage/blob-store.ts'
import type { Db, Queryable, Tx } from '../../../../../storage/open.ts'
import { bumpVersion } from '../../../../../storage/versions.ts'
import { nameKeyOf } from '../roles/role.ts'
import { type CrlPlace, forgedSigner, type StoredCrl } from './crl.ts'

/** A stored revocation list; its bytes are a blob. */
interface CertCrlRow {
  mount_id: string
  name_key: string
  name: string
  /** Where it is fetched from; empty for one that was written. */
  url: string
  blob_id: string
  size: number
  entries: number
  /** The issuer's name as text, for people. */
  issuer: string
  /** SHA-256 of the key that signed it, when that key is known here; empty for unverified. */
  signer_key: string
  number: string | null
  this_update: number
  next_update: number | null
  updated_at: number
  /** When it is fetched again; 0 for one that was written. */
  refresh_at: number
  last_error: string
  last_error_at: number
}

declare module '../../../../../storage/tables.ts' {
  interface DescribedTables {
    cert_crls: CertCrlRow
  }
}

const scopePrefix = 'cert-crl/'

const scopeOf = ({ mountId, name }: CrlPlace): string => `${scopePrefix}${mountId}/${nameKeyOf(name)}`

/** Stores the bytes of a list and returns their name. They have no effect until a list refers to them. */
export async function putCrlBytes(
  deps: { db: Db; ids: Ids },
  place: CrlPlace,
  bytes: { der: Buffer; at: number },
): Promise<string> {
  const upload = newUpload(deps.ids)
  const chunks = chunksOf(bytes.der)
  // Named after the upload, not after its content: two lists never share bytes, so deleting a list can delete its
  // bytes.
  await putBlob(deps.db, { scope: scopeOf(place), upload, chunks, createdAt: bytes.at })
  return upload
}

function* chunksOf(der: Buffer): Generator<Buffer> {
  for (let at = 0; at < der.length; at += maxChunkBytes) yield der.subarray(at, at + maxChunkBytes)
}

/** The bytes of a list; undefined when they are gone. */
export async function getCrlBytes(db: Db, place: CrlPlace, blobId: string): Promise<Buffer | undefined> {
  const blob = await getBlob(db, { scope: scopeOf(place), id: blobId })
  if (!blob) return undefined
  const der = Buffer.allocUnsafe(blob.size)
  let at = 0
  try {
    for await (const chunk of blob.chunks) {
      der.set(chunk, at)
      at += chunk.length
    }
  } catch (error) {
    if (error instanceof Failure && error.kind === 'missing') return undefined
    throw error
  }
  return der
}

/** Removes bytes that no list refers to any more. */
export const dropCrlBytes = async (db: Queryable, place: CrlPlace, blobId: string): Promise<void> =>
  void (await deleteBlob(db, { scope: scopeOf(place), id: blobId }))

/** What is known about a list. */
export async function findCrl(db: Queryable, { mountId, name }: CrlPlace): Promise<StoredCrl | undefined> {
  const row = await db
    .selectFrom('cert_crls')
    .selectAll()
    .where('mount_id', '=', mountId)
    .where('name_key', '=', nameKeyOf(name))
    .executeTakeFirst()
  return row && toCrl(row)
}

/** The lists of a mount, by name. */
export async function loadCrls(db: Queryable, mountId: string): Promise<StoredCrl[]> {
  const rows = await db
    .selectFrom('cert_crls')
    .selectAll()
    .where('mount_id', '=', mountId)
    .orderBy('name_key')
    .execute()
  return rows.map(toCrl)
}

/** The lists of a mount whose signature no known CA has confirmed. */
export const unverifiedCrls = async (db: Queryable, mountId: string): Promise<StoredCrl[]> =>
  (await loadCrls(db, mountId)).filter(({ signerKey }) => signerKey === '' || signerKey === forgedSigner)

/** A page of the names of lists. */
export async function listCrlNames(db: Queryable, mountId: string, { after, most }: ListPlace): Promise<string[]> {
  const lists = db.selectFrom('cert_crls').select('name').where('mount_id', '=', mountId)
  const page = lists.where('name_key', '>', nameKeyOf(after)).orderBy('name_key').limit(most)
  return (await page.execute()).map((row) => row.name)
}

/** Mounts that have lists. */
export async function mountsWithCrls(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('cert_crls').select('mount_id').distinct().execute()
  return rows.map((row) => row.mount_id)
}

/** How many lists each mount has whose successor was due before a time. */
export async function countStaleCrls(db: Queryable, at: Instant): Promise<{ mountPath: string; stale: number }[]> {
  const rows = await db
    .selectFrom('cert_crls as crl')
    .innerJoin('mounts', 'mounts.id', 'crl.mount_id')
    .select((eb) => ['mounts.path', eb.fn.countAll().filterWhere('crl.next_update', '<=', at).as('stale')])
    .groupBy('mounts.path')
    .orderBy('mounts.path')
    .execute()
  return rows.map(({ path, stale }) => ({ mountPath: path, stale: Number(stale) }))
}

/** A list that is past its next update. */
export type StaleCrl = {
  readonly mountPath: string
  readonly name: string
  readonly entries: number
  readonly since: number
}

/** The lists that are past their next update, the longest first. */
export async function listStaleCrls(db: Queryable, at: Instant, limit: number): Promise<StaleCrl[]> {
  const rows = await db
    .selectFrom('cert_crls as crl')
    .innerJoin('mounts', 'mounts.id', 'crl.mount_id')
    .select(['mounts.path', 'crl.name', 'crl.entries', 'crl.next_update'])
    .where('crl.next_update', '<=', at)
    .orderBy('crl.next_update')
    .limit(limit)
    .execute()
  return rows.map(({ path, name, entries, next_update }) => ({
    mountPath: path,
    name,
    entries,
    since: next_update ?? 0,
  }))
}

/**
 * Lists that are to be fetched again by now, and those put off beyond this time: by an earlier version, or by a clock
 * that was ahead.
 */
export async function dueCrls(db: Queryable, now: Instant, latest: Instant): Promise<CrlPlace[]> {
  const rows = await db
    .selectFrom('cert_crls')
    .select(['mount_id', 'name'])
    .where('refresh_at', '>', 0)
    .where((eb) => eb.or([eb('refresh_at', '<=', now), eb('refresh_at', '>', latest)]))
    .orderBy('refresh_at')
    .execute()
  return rows.map((row) => ({ mountId: row.mount_id, name: row.name }))
}

/** Stores a list in place of the one that was read, or of none; false when another write came first. */
export async function swapCrl(
  tx: Tx,
  mountId: string,
  { current, next }: { current: StoredCrl | undefined; next: StoredCrl },
): Promise<boolean> {
  const { mount_id, name_key, ...columns } = toRow(mountId, next)
  bumpVersion(tx, 'crls')
  if (!current) {
    const inserted = await tx
      .insertInto('cert_crls')
      .values({ mount_id, name_key, ...columns })
      .onConflict((conflict) => conflict.columns(['mount_id', 'name_key']).doNothing())
      .executeTakeFirst()
    return inserted.numInsertedOrUpdatedRows === 1n
  }
  const updated = await tx
    .updateTable('cert_crls')
    .set(columns)
    .where('mount_id', '=', mount_id)
    .where('name_key', '=', name_key)
    .where('blob_id', '=', current.blobId)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Writes something about a list, unless it was replaced meanwhile. */
async function updateIfCurrent(
  db: Queryable,
  { mountId, name }: CrlPlace,
  blobId: string,
  columns: Partial<CertCrlRow>,
): Promise<void> {
  await db
    .updateTable('cert_crls')
    .set(columns)
    .where('mount_id', '=', mountId)
    .where('name_key', '=', nameKeyOf(name))
    .where('blob_id', '=', blobId)
    .execute()
}

/**
 * Notes why a list could not be fetched again, and when to try next. Logins do not depend on it, so the version stays.
 */
export const noteFetchError = (
  db: Queryable,
  place: CrlPlace,
  error: { blobId: string; text: string; at: Instant; refreshAt: Instant },
): Promise<void> =>
  updateIfCurrent(db, place, error.blobId, {
    last_error: error.text,
    last_error_at: error.at,
    refresh_at: error.refreshAt,
  })

/** Notes that a list was fetched again and is the one in force, and when to fetch it next. */
export const noteUnchanged = (
  db: Queryable,
  place: CrlPlace,
  { blobId, refreshAt }: Pick<StoredCrl, 'blobId' | 'refreshAt'>,
): Promise<void> => updateIfCurrent(db, place, blobId, { last_error: '', last_error_at: 0, refresh_at: refreshAt })

/** Notes who signed a list. The effect of a list depends on it, so the version changes. */
export async function noteSigner(
  tx: Tx,
  place: CrlPlace,
  { blobId, signerKey, lastError, lastErrorAt }: Pick<StoredCrl, 'blobId' | 'signerKey' | 'lastError' | 'lastErrorAt'>,
): Promise<void> {
  await updateIfCurrent(tx, place, blobId, { signer_key: signerKey, last_error: lastError, last_error_at: lastErrorAt })
  bumpVersion(tx, 'crls')
}

/** Removes a list and its bytes; false when there is none. */
export async function deleteCrl(tx: Tx, place: CrlPlace): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('cert_crls')
    .where('mount_id', '=', place.mountId)
    .where('name_key', '=', nameKeyOf(place.name))
    .returning('blob_id')
    .executeTakeFirst()
  if (deleted) await dropCrlBytes(tx, place, deleted.blob_id)
  bumpVersion(tx, 'crls')
  return deleted !== undefined
}

/** Removes bytes stored before this time that no list refers to: their upload was interrupted. */
export const sweepCrlBytes = (db: Db, before: Instant): Promise<void> =>
  sweepBlobs(db, { scopePrefix, before, inUse: db.selectFrom('cert_crls').select('blob_id').$asScalar() })

/** Removes up to `limit` lists of a mount that is gone, with their bytes; returns how many are left. */
export async function removeSomeCrls(tx: Tx, mountId: string, limit: number): Promise<number> {
  const names = await listCrlNames(tx, mountId, { after: '', most: limit + 1 })
  for (const name of names.slice(0, limit)) await deleteCrl(tx, { mountId, name })
  return Math.max(0, names.length - limit)
}

const toCrl = (row: CertCrlRow): StoredCrl => ({
  name: row.name,
  url: row.url,
  blobId: row.blob_id,
  size: row.size,
  entries: row.entries,
  issuer: row.issuer,
  signerKey: row.signer_key,
  number: row.number ?? undefined,
  thisUpdate: instant(row.this_update),
  nextUpdate: row.next_update === null ? undefined : instant(row.next_update),
  updatedAt: instant(row.updated_at),
  refreshAt: instant(row.refresh_at),
  lastError: row.last_error,
  lastErrorAt: instant(row.last_error_at),
})

const toRow = (mountId: string, crl: StoredCrl): CertCrlRow => ({
  mount_id: mountId,
  name_key: nameKeyOf(crl.name),
  name: crl.name,
  url: crl.url,
  blob_id: crl.blobId,
  size: crl.size,
  entries: crl.entries,
  issuer: crl.issuer,
  signer_key: crl.signerKey,
  number: crl.number ?? null,
  this_update: crl.thisUpdate,
  next_update: crl.nextUpdate ?? null,
  updated_at: crl.updatedAt,
  refresh_at: crl.refreshAt,
  last_error: crl.lastError,
  last_error_at: crl.lastErrorAt,
})
