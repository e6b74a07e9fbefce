import { createHmac, hash } from 'node:crypto'
import type { Ids } from '../kernel/ids.ts'
import type { Secret } from '../kernel/secret.ts'

/**
 * The end of a chain. Each process writes a chain of its own, so that several can write one file: `chain` is the
 * process's slot, a dot, and eight random digits that are new when there was nothing to continue.
 */
export type ChainHead = { chain: string; seq: number; hash: string }

/** The chain fields at the end of a line. */
export type ChainLink = ChainHead & { prev: string }

/** The digest over a line up to its hash. */
export type Digest = (bytes: Uint8Array) => string

/** Finds changed and removed lines, unless somebody rewrites the whole rest of the file. */
export const plainDigest: Digest = (bytes) => `sha256:${hash('sha256', bytes, 'hex')}`

/** Finds rewritten files too: without the key no line can be made that fits. */
export const keyedDigest =
  (key: Secret<Buffer>): Digest =>
  (bytes) =>
    `hmac-sha256:${createHmac('sha256', key.reveal()).update(bytes).digest('hex')}`

const slotShape = /^[\w-]{1,64}$/
const linkShape = /,"chain":"([\w-]+\.[0-9a-f]{8})","seq":([1-9]\d{0,15}),"prev":"([\w:-]*)","hash":"([\w:-]+)"\}$/
const hashField = ',"hash":"'

/** Longer than any set of chain fields. */
const maxLinkBytes = 512

/** The beginning of a new chain for a process slot. */
export function newChain(ids: Pick<Ids, 'hex'>, slot: string): ChainHead {
  if (!slotShape.test(slot)) throw new TypeError(`'${slot}' is no name for an audit chain`)
  return { chain: `${slot}.${ids.hex(8)}`, seq: 0, hash: '' }
}

/** True if the chain belongs to this process slot. */
export const isOfSlot = (head: ChainHead, slot: string): boolean => head.chain.slice(0, -9) === slot

/** Adds the chain fields to a JSON object and returns the line, with its line feed, and the new end of the chain. */
export function linkLine(head: ChainHead, object: string, digest: Digest): { line: Buffer; head: ChainHead } {
  const seq = head.seq + 1
  const open = `${object.slice(0, -1)},"chain":"${head.chain}","seq":${seq},"prev":"${head.hash}"`
  const sum = digest(Buffer.from(open))
  return { line: Buffer.from(`${open}${hashField}${sum}"}\n`), head: { chain: head.chain, seq, hash: sum } }
}

/** The chain fields of a line without its line feed; undefined when it has none. */
export function readLink(line: Buffer): ChainLink | undefined {
  const end = line.toString('latin1', Math.max(0, line.length - maxLinkBytes))
  const [, chain, seq, prev, sum] = linkShape.exec(end) ?? []
  if (chain === undefined || prev === undefined || sum === undefined) return undefined
  return { chain, seq: Number(seq), prev, hash: sum }
}

/** True if the line is as it was written. */
export const isUnchanged = (line: Buffer, link: ChainLink, digest: Digest): boolean =>
  digest(line.subarray(0, line.length - hashField.length - link.hash.length - 2)) === link.hash
