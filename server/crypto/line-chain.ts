import { hash } from 'node:crypto'
import type { Ids } from '../kernel/ids.ts'
import type { Secret } from '../kernel/secret.ts'
import { prepareHmac } from './prepared-hmac.ts'

/**
 * The end of a chain. Each process writes a chain of its own, so that several can write one file: `chain` is the
 * process's slot, a dot, and eight random digits that are new when there was nothing to continue.
 */
export type ChainHead = { chain: string; seq: number; hash: string }

/** The chain fields at the end of a line. Lines that were written together carry one proof, on the last of them. */
export type ChainLink = ChainHead & { prev: string; proof: string | undefined }

/** Proves that who wrote a line, and so all lines it follows, knew the key. */
export type Prove = (hash: string) => string

/** Without the key no file can be rewritten: the hashes could be made anew, the proofs could not. */
export function proveWith(key: Secret<Buffer>): Prove {
  const hmac = prepareHmac(key.reveal())
  return (sum) => `hmac-sha256:${hmac(sum)}`
}

const slotShape = /^[\w-]{1,64}$/
const linkShape =
  /,"chain":"([\w-]+\.[0-9a-f]{8})","seq":([1-9]\d{0,15}),"prev":"([\w:-]*)","hash":"([\w:-]+)"(?:,"proof":"([\w:-]+)")?\}$/
const hashField = ',"hash":"'
const proofField = ',"proof":"'

/** Longer than any set of chain fields. */
const maxLinkBytes = 640

const digest = (line: string | Uint8Array): string => `sha256:${hash('sha256', line, 'hex')}`

/** The beginning of a new chain for a process slot. */
export function newChain(ids: Pick<Ids, 'hex'>, slot: string): ChainHead {
  if (!slotShape.test(slot)) throw new TypeError(`'${slot}' is no name for an audit chain`)
  return { chain: `${slot}.${ids.hex(8)}`, seq: 0, hash: '' }
}

/** True if the chain belongs to this process slot. */
export const isOfSlot = (head: ChainHead, slot: string): boolean => head.chain.slice(0, -9) === slot

/** Adds the chain fields to a JSON object and returns the line, with its line feed, and the new end of the chain. */
export function linkLine(head: ChainHead, object: string, prove?: Prove): { line: string; head: ChainHead } {
  const seq = head.seq + 1
  const open = `${object.slice(0, -1)},"chain":"${head.chain}","seq":${seq},"prev":"${head.hash}"`
  const sum = digest(open)
  const proof = prove ? `${proofField}${prove(sum)}"` : ''
  return { line: `${open}${hashField}${sum}"${proof}}\n`, head: { chain: head.chain, seq, hash: sum } }
}

/** The chain fields of a line without its line feed; undefined when it has none. */
export function readLink(line: Buffer): ChainLink | undefined {
  const end = line.toString('latin1', Math.max(0, line.length - maxLinkBytes))
  const [, chain, seq, prev, sum, proof] = linkShape.exec(end) ?? []
  if (chain === undefined || prev === undefined || sum === undefined) return undefined
  return { chain, seq: Number(seq), prev, hash: sum, proof }
}

/** True if the line is as it was written. */
export function isUnchanged(line: Buffer, { hash: sum, proof }: ChainLink): boolean {
  const proofLength = proof === undefined ? 0 : proofField.length + proof.length + 1
  return digest(line.subarray(0, line.length - hashField.length - sum.length - proofLength - 2)) === sum
}
