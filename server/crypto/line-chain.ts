import { hash } from 'node:crypto'
import type { Ids } from '../kernel/ids.ts'
import type { Secret } from '../kernel/secret.ts'

/**
 * The end of a chain. Each process writes a chain of its own, so that several can write one file: `chain` is the
 * process's slot, a dot, and eight random digits that are new when there was nothing to continue.
 */
export type ChainHead = { chain: string; seq: number; hash: string }

/** The chain fields at the end of a line. Lines that were written together carry one proof, on the last of them. */
export type ChainLink = ChainHead & { prev: string; proof: string | undefined }

/** Proves that who wrote a line, and so all lines it follows, knew the key. */
export type Prove = (hash: string) => string

const blockBytes = 64

/**
 * Without the key no file can be rewritten: the hashes could be made anew, the proofs could not. A hash with the key in a
 * block before it is a sound proof here, since what is proved always has the same length and cannot be extended.
 */
export function proveWith(key: Secret<Buffer>): Prove {
  const keyed = Buffer.alloc(blockBytes + sumLength)
  if (key.reveal().copy(keyed) < 32) throw new RangeError('The key of a chain has at least 32 bytes')
  return (sum) => {
    keyed.write(sum, blockBytes, 'latin1')
    return `keyed-${digest(keyed)}`
  }
}

const slotShape = /^[\w-]{1,64}$/
const linkShape =
  /,"chain":"([\w-]+\.[0-9a-f]{8})","seq":([1-9]\d{0,15}),"prev":"([\w:-]*)","hash":"([\w:-]+)"(?:,"proof":"([\w:-]+)")?\}$/
const hashField = ',"hash":"'
const proofField = ',"proof":"'

/** Longer than any set of chain fields. */
const maxLinkBytes = 640

const digest = (line: string | Uint8Array): string => `sha256:${hash('sha256', line, 'hex')}`
const sumLength = 'sha256:'.length + 64

/** The beginning of a new chain for a process slot. */
export function newChain(ids: Pick<Ids, 'hex'>, slot: string): ChainHead {
  if (!slotShape.test(slot)) throw new TypeError(`'${slot}' is no name for an audit chain`)
  return { chain: `${slot}.${ids.hex(8)}`, seq: 0, hash: '' }
}

/** True if the chain belongs to this process slot. */
export const isOfSlot = (head: ChainHead, slot: string): boolean => head.chain.slice(0, -9) === slot

const linkRoom = 1024
const firstRoom = 64 * 1024

/** Lines that are written together: their bytes, one after the other. */
export class LineBatch {
  #bytes: Buffer
  #length = 0
  readonly #ends: number[] = []
  readonly #heads: ChainHead[]

  /** `room` is memory to use, which may hold anything and must not be used elsewhere until the batch is done with. */
  constructor(head: ChainHead, room: Buffer = Buffer.allocUnsafe(firstRoom)) {
    this.#heads = [head]
    this.#bytes = room
  }

  /** Adds a JSON object with its chain fields. Objects come without their closing brace. */
  add(object: string, prove?: Prove): void {
    const before = this.head
    const seq = before.seq + 1
    const open = `${object},"chain":"${before.chain}","seq":${seq},"prev":"${before.hash}"`
    // A character takes at most three bytes.
    this.#reserve(open.length * 3 + linkRoom)
    const end = this.#length + this.#bytes.write(open, this.#length)
    const sum = digest(this.#bytes.subarray(this.#length, end))
    const proof = prove ? `${proofField}${prove(sum)}"` : ''
    this.#length = end + this.#bytes.write(`${hashField}${sum}"${proof}}\n`, end, 'latin1')
    this.#ends.push(this.#length)
    this.#heads.push({ chain: before.chain, seq, hash: sum })
  }

  /** The end of the chain after the last line. */
  get head(): ChainHead {
    return this.headAfter(this.#ends.length)
  }

  /** The end of the chain if only so many lines had been added. */
  headAfter(count: number): ChainHead {
    return this.#heads[count] as ChainHead
  }

  /** Memory that begins with the lines and their line feeds; it is the room for the next batch as well. */
  get room(): Buffer {
    return this.#bytes
  }

  /** How many bytes the lines have. */
  get length(): number {
    return this.#length
  }

  /** Where each line ends. */
  get ends(): readonly number[] {
    return this.#ends
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
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
