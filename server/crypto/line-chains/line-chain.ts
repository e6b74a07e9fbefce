import { createHash, hash as hashOnce } from 'node:crypto'
import type { Ids } from '../../kernel/ids.ts'
import type { Secret } from '../../kernel/secret.ts'

/**
 * The end of a chain. Each process writes a chain of its own, so that several can write one file: `chain` is the
 * process's slot, a dot, and eight random digits that are new when there was nothing to continue.
 */
export type ChainHead = { chain: string; seq: number; hash: string }

/** What the last line of a group says of all of it. */
export type ChainSeal = { prev: string; hash: string; proof: string | undefined }

/** The chain fields at the end of a line. Lines that are written together are a group, which its last line seals. */
export type ChainLink = { chain: string; seq: number; seal: ChainSeal | undefined }

/** Proves that whoever wrote a line, and with it all lines before it, knew the key. */
export type Prove = (hash: string) => string

/**
 * What lines are hashed with, and the bytes of its block. New lines use the first, which takes little more than half the time
 * of the other on processors without instructions for SHA-256; the other is found in older files.
 */
const hashes = { blake2b512: 128, sha256: 64 } as const

type HashName = keyof typeof hashes

const newestHash: HashName = 'blake2b512'

const sumOf = (name: HashName, bytes: Uint8Array): string => `${name}:${hashOnce(name, bytes, 'hex')}`

const hashOf = (sum: string): HashName => (sum.startsWith('sha256:') ? 'sha256' : newestHash)

/**
 * Without the key no file can be rewritten: the hashes could be made again, the proofs could not. A hash with the key in a
 * block before it is a sound proof here, since what one hash proves always has the same length and cannot be extended.
 */
export function proveWith(key: Secret<Buffer>): Prove {
  const bytes = key.reveal()
  if (bytes.length < 32 || bytes.length > hashes.sha256) throw new RangeError('The key of a chain has 32 to 64 bytes')
  const rooms = { blake2b512: roomFor('blake2b512', bytes), sha256: roomFor('sha256', bytes) }
  return (sum) => {
    const name = hashOf(sum)
    const room = rooms[name]
    room.write(sum, hashes[name], 'latin1')
    return `keyed-${sumOf(name, room)}`
  }
}

/** A block that holds a key, and place for a hash after it. */
function roomFor(name: HashName, key: Buffer): Buffer {
  const room = Buffer.alloc(hashes[name] + sumOf(name, key).length)
  key.copy(room)
  return room
}

const slotShape = /^[\w-]{1,64}$/
const linkShape =
  /,"chain":"([\w-]+\.[0-9a-f]{8})","seq":([1-9]\d{0,15})(?:,"prev":"([\w:-]*)","hash":"([\w:-]+)"(?:,"proof":"([\w:-]+)")?)?\}$/
const hashField = ',"hash":"'
const proofField = ',"proof":"'

/** Longer than any set of chain fields. */
const maxLinkBytes = 1024

const lineFeed = 10

/** The beginning of a new chain for a process slot. */
export function newChain(ids: Pick<Ids, 'hex'>, slot: string): ChainHead {
  if (!slotShape.test(slot)) throw new TypeError(`'${slot}' is not a name for an audit chain`)
  return { chain: `${slot}.${ids.hex(8)}`, seq: 0, hash: '' }
}

/** True if the chain belongs to this process slot. */
export const isOfSlot = (head: { chain: string }, slot: string): boolean => head.chain.slice(0, -9) === slot

const firstRoom = 64 * 1024

/** How lines are linked. `room` is memory to use, which may hold anything and must not be used elsewhere meanwhile. */
type LinkOptions = { prefix?: string; prove?: Prove | undefined; room?: Buffer | undefined }

/** A group of lines: the first `length` bytes of `room`, with their line feeds. `head` is the end of the chain after it. */
export type LineGroup = { readonly room: Buffer; readonly length: number; readonly head: ChainHead }

/**
 * Makes a group of JSON objects, which come without their closing braces and are at least one. The last line carries the
 * hash of all bytes before that hash, among them the hash of the group before.
 */
export function linkLines(before: ChainHead, objects: readonly string[], options: LinkOptions = {}): LineGroup {
  const { prefix = '', prove, room = Buffer.allocUnsafe(firstRoom) } = options
  const { chain } = before
  let { seq } = before
  const place = `,"chain":"${chain}","seq":`
  const next = `}\n${prefix}`
  let text = ''
  // Adding to a text copies nothing: it is put together once, when its bytes are written.
  for (const object of objects) text += `${text === '' ? prefix : next}${object}${place}${++seq}`
  text += `,"prev":"${before.hash}"`
  // A character takes at most three bytes.
  const enough = text.length * 3 + maxLinkBytes
  const bytes = enough <= room.length ? room : Buffer.allocUnsafe(enough)
  const end = bytes.write(text)
  const hash = sumOf(newestHash, bytes.subarray(0, end))
  const proof = prove ? `${proofField}${prove(hash)}"` : ''
  const length = end + bytes.write(`${hashField}${hash}"${proof}}\n`, end, 'latin1')
  return { room: bytes, length, head: { chain, seq, hash } }
}

/** The lines of a group, each with its line feed. */
export function linesOf({ room, length }: LineGroup): Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < length; ) {
    const end = room.indexOf(lineFeed, from) + 1
    lines.push(room.subarray(from, end))
    from = end
  }
  return lines
}

/** The chain fields of a line without its line feed; undefined when it has none. */
export function readLink(line: Buffer): ChainLink | undefined {
  const end = line.toString('latin1', Math.max(0, line.length - maxLinkBytes))
  const [, chain, seq, prev, hash, proof] = linkShape.exec(end) ?? []
  if (chain === undefined) return undefined
  return {
    chain,
    seq: Number(seq),
    seal: prev === undefined || hash === undefined ? undefined : { prev, hash, proof },
  }
}

/** The part of a sealing line that its hash covers. */
export function sealedPart(line: Buffer, { hash, proof }: ChainSeal): Buffer {
  const proofLength = proof === undefined ? 0 : proofField.length + proof.length + 1
  return line.subarray(0, line.length - hashField.length - hash.length - proofLength - 2)
}

/** The hash of a group that is read line by line. Its last line says which one it is. */
export type GroupDigest = { add(bytes: Uint8Array): void; matches(sum: string): boolean }

/** Begins the hash of a group. */
export function beginDigest(): GroupDigest {
  const running = { blake2b512: createHash('blake2b512'), sha256: createHash('sha256') }
  return {
    add: (bytes) => {
      for (const hash of Object.values(running)) hash.update(bytes)
    },
    matches: (sum) => {
      const name = hashOf(sum)
      return sum === `${name}:${running[name].digest('hex')}`
    },
  }
}
