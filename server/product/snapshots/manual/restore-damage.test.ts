import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ownFolder } from '../../../../test/support/folders.ts'
import { ownApp, sharedApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot, tableDigests } from '../../../../test/support/snapshot-calls.ts'
import type { Awaitable } from '../../../kernel/awaitable.ts'

// Each archive is read by a thread of its own, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

type Parts = Record<'meta.json' | 'state.bin' | 'SHA256SUMS' | 'SHA256SUMS.sealed', Buffer>

const names = ['meta.json', 'state.bin', 'SHA256SUMS', 'SHA256SUMS.sealed'] as const

/** Unpacks an archive and packs it again with tar, as an attacker without the keys could. */
async function repacked(archive: Buffer, change: (parts: Parts) => Partial<Parts>): Promise<Buffer> {
  const folder = ownFolder()
  execFileSync('tar', ['-xzm'], { cwd: folder, input: archive })
  const parts = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))])),
  ) as Parts
  const kept = change(parts)
  for (const name of names) await writeFile(join(folder, name), kept[name] ?? '')
  return execFileSync('tar', ['-cz', ...names.filter((name) => kept[name])], { cwd: folder, maxBuffer: 10 ** 9 })
}

/** Recomputes the plain checksums, which need no key. */
function summed(parts: Parts): Parts {
  const lines = (['meta.json', 'state.bin'] as const).map((name) => `${sha256(parts[name])}  ${name}\n`)
  return { ...parts, SHA256SUMS: Buffer.from(lines.join('')) }
}

function withMeta(parts: Parts, change: (meta: Record<string, Record<string, unknown>>) => void): Parts {
  const meta = JSON.parse(parts['meta.json'].toString())
  change(meta)
  return summed({ ...parts, 'meta.json': Buffer.from(JSON.stringify(meta)) })
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}

/** Offset of the first frame of a state: after the magic, the length of the header, the header and a hash. */
const firstFrame = ({ 'state.bin': state }: Parts): number => 8 + 4 + state.readUInt32BE(8) + 32

// An archive is judged before the engine is asked for anything.
describe('damage', () => {
  const app = sharedApp()
  let archive: Buffer
  let later: Buffer
  let before: Awaited<ReturnType<typeof tableDigests>>
  beforeAll(async () => {
    archive = await saveSnapshot(app)
    await app.root.put('/v1/sys/policies/acl/later', { policy: 'path "a" { capabilities = ["read"] }' })
    later = await saveSnapshot(app)
    before = await tableDigests(app)
  })
  // Nothing that is refused changes anything; one look at all tables is enough for all of them.
  afterAll(async () => expect(await tableDigests(app)).toEqual(before))

  const damages: [string, () => Awaitable<Buffer>, RegExp][] = [
    ['an empty body', () => Buffer.alloc(0), /^snapshot archive is not readable: /],
    ['a body that is not gzip', () => Buffer.from('{"hello":"world"}'), /^snapshot archive is not readable: /],
    ['a truncated archive', () => archive.subarray(0, archive.length - 100), /^snapshot archive is not readable: /],
    ['an archive followed by zeros', () => Buffer.concat([archive, Buffer.alloc(1_000)]), /: bytes follow its end$/],
    ['an archive followed by 3 MB', () => Buffer.concat([archive, Buffer.alloc(3_000_000)]), /: bytes follow its end$/],
    ['half an archive', () => archive.subarray(0, archive.length / 2), /^snapshot archive is not readable: /],
    [
      'a flipped bit',
      () => flipped(archive, Math.floor(archive.length / 2)),
      /^snapshot (archive is not readable|integrity check)/,
    ],
    [
      'a flipped bit inside the gzip data',
      () => repacked(archive, (parts) => ({ ...parts, 'state.bin': flipped(parts['state.bin'], 5_000) })),
      /^snapshot integrity check failed for "state.bin"$/,
    ],
    [
      'a flipped bit in the length of a frame',
      () =>
        repacked(archive, (parts) => ({ ...parts, 'state.bin': flipped(parts['state.bin'], firstFrame(parts) + 1) })),
      /^snapshot integrity check failed for "state.bin"$/,
    ],
    [
      'a state that was cut off',
      () => repacked(archive, (parts) => ({ ...parts, 'state.bin': parts['state.bin'].subarray(0, -50) })),
      /^snapshot integrity check failed for "state.bin"$/,
    ],
    [
      'a wrong checksum',
      () => repacked(archive, (parts) => ({ ...parts, SHA256SUMS: flipped(parts.SHA256SUMS, 3) })),
      /^snapshot (integrity check failed for "meta.json"|archive is not readable: )/,
    ],
    [
      'an archive without SHA256SUMS.sealed',
      () => repacked(archive, ({ 'SHA256SUMS.sealed': _sealed, ...parts }) => parts),
      /^snapshot archive is not readable: /,
    ],
    [
      'an archive of another program',
      () => repacked(archive, (parts) => withMeta(parts, (meta) => delete meta.holdfast)),
      /not a Holdfast snapshot/,
    ],
    ...([null, 'text', 5] as const).map((holdfast): (typeof damages)[number] => [
      `one that says ${holdfast} where our facts stand`,
      () => repacked(archive, (parts) => withMeta(parts, (meta) => Object.assign(meta, { holdfast }))),
      /not a Holdfast snapshot/,
    ]),
    [
      'an archive of a newer format',
      () =>
        repacked(archive, (parts) => withMeta(parts, ({ holdfast }) => Object.assign(holdfast ?? {}, { format: 2 }))),
      /format 2, which this version of Holdfast does not know/,
    ],
  ]

  test.each(damages)(
    'restore: %s is refused with 400, also by snapshot-force, and leaves no files',
    async (_name, make, text) => {
      const bytes = await make()
      for (const at of ['', '-force']) {
        const { status, body } = await sendSnapshot(app, bytes, { at })
        expect([status, body.errors.length], `${at}: ${body.errors}`).toEqual([400, 1])
        expect(body.errors[0]).toMatch(text)
      }
      expect(await readdir(join(app.deps.settings.dataDir, 'spool'))).toEqual([])
    },
  )

  test('restore: the state of one snapshot with the sealed checksums of another is 400 without force', async () => {
    let state: Buffer = Buffer.alloc(0)
    let meta: Buffer = Buffer.alloc(0)
    await repacked(later, (parts) => {
      state = parts['state.bin']
      meta = parts['meta.json']
      return parts
    })
    const swapped = await repacked(archive, (parts) => summed({ ...parts, 'state.bin': state, 'meta.json': meta }))
    const { status, body } = await sendSnapshot(app, swapped)
    expect(status).toBe(400)
    expect(body.errors[0]).toMatch(/checksums were forged|integrity/)
  })

  test('restore: force accepts a snapshot of our own keys with invalid sealed checksums, and the keys stay', async () => {
    const app = await ownApp()
    const own = await saveSnapshot(app)
    await app.root.put('/v1/sys/policies/acl/later', { policy: 'path "a" { capabilities = ["read"] }' })
    await app.root.put('/v1/sys/rotate', {})
    const token = (await app.root.post('/v1/auth/token/create', { type: 'batch', policies: ['default'] })).body.auth
    const unproved = await repacked(own, (parts) => ({ ...parts, 'SHA256SUMS.sealed': Buffer.alloc(100) }))
    expect((await sendSnapshot(app, unproved)).status).toBe(400)
    expect((await sendSnapshot(app, unproved, { at: '-force' })).body).toMatchObject({
      data: { sealed: false, same_cluster: true },
      warnings: [expect.stringContaining('sealed checksums of the snapshot do not match')],
    })
    expect((await app.root.get('/v1/sys/policies/acl/later')).status).toBe(404)
    // The current keys are kept, not replaced by the older ones of the snapshot.
    expect((await app.root.get('/v1/sys/key-status')).body.data.term).toBe(2)
    expect((await app.root.as(token.client_token).get('/v1/auth/token/lookup-self')).status).toBe(200)
  })
})
