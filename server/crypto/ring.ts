import { hkdfSync } from 'node:crypto'
import type { Clock, Instant } from '../kernel/clock.ts'
import { instant } from '../kernel/clock.ts'
import { type Failure, failure } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'
import type { Secret } from '../kernel/secret.ts'
import { unwrapBytes, type WrapKind, wrapBytes } from './wrap.ts'

/** One data key. `unsaved` seals are those the stored keyring does not count yet. */
type DataKey = { term: number; key: Buffer; installedAt: Instant; seals: number; unsaved: number }

/** What a keyring knows once it is open. */
export type Ring = { id: string; createdAt: Instant; hashKey: Buffer; active: DataKey; keys: Map<number, DataKey> }

/** Where new keys and their times come from. */
export type RingDeps = { ids: Pick<Ids, 'bytes' | 'uuid'>; clock: Pick<Clock, 'now'> }

const keyBytes = 32
const idBytes = 16
const headBytes = idBytes + 8 + keyBytes + 4 + 4
const entryBytes = 4 + 8 + 8 + keyBytes

const ringKind: WrapKind = {
  magic: 'HFKR',
  code: 'keyring',
  thing: 'The keyring',
  keyName: 'root key',
  keyCode: 'wrong-root-key',
}

/** A ring with its first data key and a hash key that never changes. */
export function newRing(deps: RingDeps): Ring {
  const active = newKey(deps, 1)
  return {
    id: deps.ids.uuid(),
    createdAt: deps.clock.now(),
    hashKey: deps.ids.bytes(keyBytes),
    active,
    keys: new Map([[active.term, active]]),
  }
}

/** Adds a data key and makes it the one that seals; the older ones still open. */
export function addTerm(deps: RingDeps, ring: Ring): void {
  const active = newKey(deps, ring.active.term + 1)
  ring.keys.set(active.term, active)
  ring.active = active
}

/** A ring with key material of its own and all seals counted as saved: what is about to be stored. */
export const copyForSaving = (ring: Ring): Ring => wipedAfter(encodeRing(ring), decodeRing)

/** Encrypts a ring under a root key. */
export function wrapRing(ring: Ring, rootKey: Uint8Array, ids: Pick<Ids, 'bytes'>): Buffer {
  return wipedAfter(encodeRing(ring), (plain) => wrapBytes(ringKind, rootKey, plain, ids))
}

/** Decrypts a ring, or says whether the root key or the bytes are wrong. */
export function unwrapRing(wrapped: Uint8Array, rootKey: Uint8Array): Ring {
  return wipedAfter(unwrapBytes(ringKind, rootKey, wrapped), decodeRing)
}

/** Uses bytes that hold keys, and overwrites them whatever happens. */
function wipedAfter<T>(plain: Buffer, use: (plain: Buffer) => T): T {
  try {
    return use(plain)
  } finally {
    plain.fill(0)
  }
}

/** Wraps a stored keyring under a new root key without unsealing anything. */
export function rewrapRing(
  deps: Pick<RingDeps, 'ids'>,
  wrapped: Uint8Array,
  rootKeys: { from: Secret<Uint8Array>; to: Secret<Uint8Array> },
): Buffer {
  const ring = unwrapRing(wrapped, rootKeys.from.reveal())
  try {
    return wrapRing(ring, rootKeys.to.reveal(), deps.ids)
  } finally {
    wipeRing(ring)
  }
}

/** Overwrites all key material. */
export function wipeRing(ring: Ring): void {
  ring.hashKey.fill(0)
  for (const { key } of ring.keys.values()) key.fill(0)
}

/** What is stored belongs to another keyring than the one that is open. */
export const foreignRing = (): Failure =>
  failure('internal', 'keyring.foreign', 'The stored keyring is another one; seal and unseal to use it.')

/** The data key of a term; refuses when the ring lacks it. */
export function keyOfTerm(ring: Ring, term: number): DataKey {
  const key = ring.keys.get(term)
  if (key) return key
  const text = `A sealed value names data key ${term}, which this keyring lacks.`
  throw failure('internal', 'keyring.unknown-term', text)
}

/** How much one data key was used. */
export type TermUsage = { term: number; installedAt: Instant; seals: number }

/** Usage of every data key, oldest first. */
export function usageOf(ring: Ring): TermUsage[] {
  const keys = [...ring.keys.values()].sort((a, b) => a.term - b.term)
  return keys.map(({ term, installedAt, seals, unsaved }) => ({ term, installedAt, seals: seals + unsaved }))
}

/** Names a data key for ever, and reveals nothing of it. */
export const keyName = ({ key }: DataKey): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'holdfast data key name', 16)).toString('hex')

const newKey = (deps: RingDeps, term: number): DataKey => ({
  term,
  key: deps.ids.bytes(keyBytes),
  installedAt: deps.clock.now(),
  seals: 0,
  unsaved: 0,
})

/** `id | created | hash key | active term | count | (term | installed | seals | key)*`: bytes, which can be wiped. */
function encodeRing(ring: Ring): Buffer {
  const bytes = Buffer.alloc(headBytes + ring.keys.size * entryBytes)
  bytes.write(ring.id.replaceAll('-', ''), 0, 'hex')
  let at = bytes.writeDoubleBE(ring.createdAt, idBytes)
  at += ring.hashKey.copy(bytes, at)
  at = bytes.writeUInt32BE(ring.active.term, at)
  at = bytes.writeUInt32BE(ring.keys.size, at)
  for (const { term, installedAt, seals, unsaved, key } of ring.keys.values()) {
    at = bytes.writeUInt32BE(term, at)
    at = bytes.writeDoubleBE(installedAt, at)
    at = bytes.writeDoubleBE(seals + unsaved, at)
    at += key.copy(bytes, at)
  }
  return bytes
}

function decodeRing(bytes: Buffer): Ring {
  const count = bytes.length < headBytes ? 0 : bytes.readUInt32BE(headBytes - 4)
  const keys = new Map<number, DataKey>()
  if (bytes.length === headBytes + count * entryBytes) {
    for (let at = headBytes; at < bytes.length; at += entryBytes) {
      const key = decodeKey(bytes.subarray(at, at + entryBytes))
      keys.set(key.term, key)
    }
  }
  const active = count > 0 && keys.get(bytes.readUInt32BE(headBytes - 8))
  if (!active) throw failure('internal', 'keyring.damaged', 'The keyring is damaged.')
  return {
    id: bytes.toString('hex', 0, idBytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    createdAt: instant(bytes.readDoubleBE(idBytes)),
    hashKey: Buffer.from(bytes.subarray(idBytes + 8, idBytes + 8 + keyBytes)),
    active,
    keys,
  }
}

const decodeKey = (entry: Buffer): DataKey => ({
  term: entry.readUInt32BE(0),
  installedAt: instant(entry.readDoubleBE(4)),
  seals: entry.readDoubleBE(12),
  unsaved: 0,
  key: Buffer.from(entry.subarray(20)),
})
