import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { ownApp, sharedApp } from '../../test/support/shared.ts'
import { StateForger } from '../../test/support/state-forger.ts'
import { readArchive } from './format/archive-reader.ts'
import { frameTypes } from './format/state-format.ts'
import { sha256, sumsText } from './format/sums.ts'
import { packArchive } from './format/tar-gzip.ts'
import { readTar } from './format/tar-reader.ts'
import { inspectArchive, restoreArchive, takeArchive, verifyArchive } from './index.ts'

type Members = Record<'meta.json' | 'state.bin' | 'SHA256SUMS' | 'SHA256SUMS.sealed', Buffer>

const app = sharedApp()
let archive: Buffer
let members: Members

beforeAll(async () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    name: `p${index}`,
    text: `${index}`.repeat(90),
    updated_at: 1,
  }))
  await app.deps.db.insertInto('policies').values(rows).execute()
  archive = await taken()
  members = await unpack(archive)
})

async function taken(): Promise<Buffer> {
  const made = await takeArchive(app.deps)
  try {
    return await buffer(made.open())
  } finally {
    await made.remove()
  }
}

async function unpack(bytes: Buffer): Promise<Members> {
  const found: Record<string, Buffer> = {}
  for await (const entry of readTar(Readable.from([gunzipSync(bytes)])))
    found[entry.name] = await buffer(entry.content())
  return found as Members
}

const pack = (parts: Record<string, Buffer>): Promise<Buffer> =>
  buffer(
    packArchive(
      Object.entries(parts).map(([name, content]) => ({ name, size: content.length, content })),
      0,
    ),
  )

/** Plain checksums are not secret: a forger can make them fit, and the size too. */
function withSums(parts: Members): Members {
  const text = parts['meta.json'].toString()
  const sized = text.replace(/"Size":\d+/, `"Size":${parts['state.bin'].length}`)
  const meta = Buffer.from(sized)
  const sums = Buffer.from(sumsText({ meta: sha256(meta), state: sha256(parts['state.bin']) }))
  return { ...parts, 'meta.json': meta, SHA256SUMS: sums }
}

const read = (bytes: Buffer) => readArchive(Readable.from([bytes]))
const policiesIn = async (bytes: Buffer): Promise<number> => (await read(bytes)).state.tables.policies?.rows ?? 0
const invalid = (code?: string) => expect.objectContaining({ kind: 'invalid', ...(code ? { code } : {}) })
const flipped = (bytes: Buffer, at: number, bit = 1): Buffer => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ bit, at)
  return copy
}

test('512 KiB of padding after the archive are accepted, 3 MiB are refused', async () => {
  const padded = (bytes: number) => gzipSync(Buffer.concat([gunzipSync(archive), Buffer.alloc(bytes)]))
  expect(await policiesIn(padded(512 * 1024))).toBeGreaterThan(300)
  await expect(read(padded(3 * 1024 * 1024))).rejects.toEqual(invalid('archive.unreadable'))
})

test('an intact archive is read', async () => {
  expect(await policiesIn(archive)).toBeGreaterThan(300)
})

test('an archive compressed again by other tools is read', async () => {
  expect(await policiesIn(gzipSync(gunzipSync(archive)))).toBe(await policiesIn(archive))
})

test('a flipped bit anywhere is refused, or changes nothing that is read', async () => {
  const { size: _size, sha256: _sha256, ...content } = await read(archive)
  const packed = gunzipSync(archive)
  const step = Math.max(1, Math.floor(archive.length / 400))
  const positions = new Set<number>()
  for (let at = 0; at < archive.length; at += step) positions.add(at)
  for (let at = 0; at < 40; at++) positions.add(at).add(archive.length - 1 - at)
  // A few bits of gzip have no meaning: the time in its header, and the filling in the head of a stored block.
  const isMeaningless = (damaged: Buffer): boolean => {
    try {
      return gunzipSync(damaged).equals(packed)
    } catch {
      return false
    }
  }
  let refused = 0
  for (const at of positions) {
    for (const bit of [1, 0x80]) {
      const [damaged, what] = [flipped(archive, at, bit), `bit ${bit} of byte ${at}`]
      if (isMeaningless(damaged)) {
        expect(await read(damaged), what).toMatchObject(content)
      } else {
        await expect(read(damaged), what).rejects.toEqual(invalid())
        refused++
      }
    }
  }
  expect(refused).toBeGreaterThan(800)
})

test('a flipped bit in state.bin is refused even if gzip and the plain checksums were made to fit', async () => {
  const state = members['state.bin']
  const step = Math.max(1, Math.floor(state.length / 150))
  for (let at = 0; at < state.length; at += step) {
    const forged = await pack(withSums({ ...members, 'state.bin': flipped(state, at) }))
    await expect(read(forged), `byte ${at}`).rejects.toEqual(invalid())
  }
})

test('an archive truncated anywhere is refused with archive.unreadable', async () => {
  const step = Math.max(1, Math.floor(archive.length / 200))
  for (let length = 0; length < archive.length; length += step) {
    await expect(read(archive.subarray(0, length)), `${length} bytes`).rejects.toEqual(invalid('archive.unreadable'))
  }
  await expect(read(archive.subarray(0, -1))).rejects.toEqual(invalid('archive.unreadable'))
})

test('an archive with extra bytes or another archive after it is refused', async () => {
  await expect(read(Buffer.concat([archive, Buffer.from('more')]))).rejects.toEqual(invalid())
  await expect(read(Buffer.concat([archive, archive]))).rejects.toEqual(invalid())
})

test('missing, additional and reordered members are refused', async () => {
  const { 'SHA256SUMS.sealed': sealed, ...unsealed } = members
  const wrong: Record<string, Buffer>[] = [
    unsealed,
    { ...members, 'SHA256SUMS.sealed': Buffer.alloc(0) },
    { ...members, extra: sealed },
    Object.fromEntries(Object.entries(members).toReversed()),
    {},
  ]
  for (const parts of wrong) await expect(read(await pack(parts))).rejects.toEqual(invalid('archive.unreadable'))
})

test('a meta.json over its size limit is refused', async () => {
  const padded = (bytes: number) => Buffer.concat([members['meta.json'], Buffer.alloc(bytes, 0x20)])
  const withMeta = (meta: Buffer) => pack(withSums({ ...members, 'meta.json': meta }))
  expect(await policiesIn(await withMeta(padded(100)))).toBe(await policiesIn(archive))
  await expect(read(await withMeta(padded(9_000)))).rejects.toEqual(invalid('archive.unreadable'))
})

test('forged lengths of almost 4 GiB in state.bin are refused', async () => {
  const state = Buffer.from(members['state.bin'])
  const headerEnd = 12 + state.readUInt32BE(8) + 32
  for (const at of [8, headerEnd + 1, headerEnd + 5]) {
    const forged = Buffer.from(state)
    forged.writeUInt32BE(0xffff_fff0, at)
    await expect(read(await pack(withSums({ ...members, 'state.bin': forged })))).rejects.toEqual(invalid())
  }
})

test('forged row, table and trailer frames are refused even with a correct hash chain', async () => {
  const forger = new StateForger(members['state.bin'])
  const lies = [
    forger.with(frameTypes.rows, (rows) =>
      Buffer.concat([rows.subarray(0, 2), Buffer.from([0x7f, 0xff, 0xff, 0xff]), rows.subarray(6)]),
    ),
    forger.with(frameTypes.rows, (rows) => rows.subarray(0, -3)),
    forger.with(frameTypes.rows, () => Buffer.alloc(0)),
    forger.with(frameTypes.tableBegin, () => Buffer.from('{"name":"policies"}')),
    forger.with(frameTypes.tableEnd, () => Buffer.from('null')),
    forger.with(frameTypes.trailer, () => Buffer.from('{"tables":{}}')),
  ]
  for (const state of lies)
    await expect(read(await pack(withSums({ ...members, 'state.bin': state })))).rejects.toEqual(invalid())
  // Those who load the rows skim the archive first, so the rows are judged when they are loaded.
  for (const state of lies.slice(0, 3)) {
    const forged = await pack(withSums({ ...members, 'state.bin': state }))
    expect(await verifyArchive(app.deps, Readable.from([forged]))).toMatchObject({ ok: false, tables: {} })
  }
  const untouched = await pack(withSums({ ...members, 'state.bin': forger.with(-1, (rows) => rows) }))
  expect(await policiesIn(untouched)).toBe(await policiesIn(archive))
})

test('an archive without the table column that holds the keys is refused with archive.unreadable', async () => {
  const forger = new StateForger(members['state.bin'])
  const renamed = forger.with(frameTypes.tableBegin, (begin) =>
    Buffer.from(begin.toString().replace('wrapped', 'other')),
  )
  const forged = await pack(withSums({ ...members, 'state.bin': renamed }))
  await expect(inspectArchive(app.deps, Readable.from([forged]))).rejects.toEqual(invalid('archive.unreadable'))
})

test('an archive whose rows break a unique index is reported as not readable', async () => {
  const other = await ownApp({ engine: 'sqlite' })
  const blob = { scope: 's', id: 'twice', size: 0, chunks: 0, created_at: 1 }
  await sql`drop index blobs_by_content`.execute(other.deps.db)
  await other.deps.db
    .insertInto('blobs')
    .values([
      { ...blob, upload: 'a' },
      { ...blob, upload: 'b' },
    ])
    .execute()
  const made = await takeArchive(other.deps)
  const problem = 'snapshot archive is not readable: its rows do not fit together'
  expect(await verifyArchive(other.deps, made.open())).toMatchObject({ ok: false, problem })
  await made.remove()
})

test('an archive of another program and one of a newer format have different error codes', async () => {
  const meta = JSON.parse(members['meta.json'].toString())
  const withMeta = (changed: object) =>
    pack(withSums({ ...members, 'meta.json': Buffer.from(JSON.stringify(changed)) }))
  await expect(read(await withMeta({ ...meta, holdfast: undefined }))).rejects.toEqual(
    invalid('archive.foreign-program'),
  )
  const newer = { ...meta, holdfast: { ...meta.holdfast, format: 2 } }
  await expect(read(await withMeta(newer))).rejects.toEqual(invalid('archive.newer-format'))
  // No newer version would read these.
  for (const format of [0, -1, 'x', undefined]) {
    const unknown = { ...meta, holdfast: { ...meta.holdfast, format } }
    await expect(read(await withMeta(unknown))).rejects.toEqual(invalid('archive.unreadable'))
  }
})

test('a snapshot with unknown migrations is refused with archive.newer-tables', async () => {
  const state = new StateForger(members['state.bin']).withHeader((header) => ({
    ...header,
    migrations: [...header.migrations, '999912312359-from-the-future'],
  }))
  const forged = await pack(withSums({ ...members, 'state.bin': state }))
  await expect(inspectArchive(app.deps, Readable.from([forged]))).rejects.toEqual(invalid('archive.newer-tables'))
})

test('a snapshot with only some of the migrations that the baseline replaces is refused', async () => {
  const state = new StateForger(members['state.bin']).withHeader((header) => ({
    ...header,
    migrations: ['202611150000-storage', '202611150001-jobs'],
  }))
  const forged = await pack(withSums({ ...members, 'state.bin': state }))
  await expect(inspectArchive(app.deps, Readable.from([forged]))).rejects.toEqual(invalid('archive.older-tables'))
})

test('a header whose time is not a number is refused as not readable', async () => {
  for (const created of ['x', null, 1.5, undefined]) {
    const state = new StateForger(members['state.bin']).withHeader((header) => ({
      ...header,
      created: created as number,
    }))
    const forged = await pack(withSums({ ...members, 'state.bin': state }))
    await expect(inspectArchive(app.deps, Readable.from([forged]))).rejects.toEqual(invalid('archive.unreadable'))
  }
})

test('mixed parts of two snapshots are refused, also with forged plain checksums, and nothing changes', async () => {
  await app.deps.db.insertInto('policies').values({ name: 'later', text: '', updated_at: 2 }).execute()
  const later = await unpack(await taken())
  const mixed = await pack({ ...members, 'state.bin': later['state.bin'] })
  await expect(read(mixed)).rejects.toEqual(invalid('archive.checksum'))
  const forged = await pack(withSums({ ...members, 'state.bin': later['state.bin'] }))
  expect(await policiesIn(forged)).toBe((await policiesIn(archive)) + 1)
  const before = (await takeArchive(app.deps)).summary.tables
  await expect(restoreArchive(app.deps, Readable.from([forged]))).rejects.toEqual(invalid('archive.other-keys'))
  expect((await takeArchive(app.deps)).summary.tables).toEqual(before)
})
