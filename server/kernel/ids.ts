import { randomBytes, randomFillSync, randomUUID } from 'node:crypto'
import type { Instant } from './clock.ts'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The prefixes of identifiers under `/api/v2`. */
export type IdPrefix =
  | 'ws'
  | 'apool'
  | 'prj'
  | 'run'
  | 'sv'
  | 'cv'
  | 'plan'
  | 'apply'
  | 're'
  | 'wsc'
  | 'sshkey'
  | 'user'
  | 'var'
  | 'varset'
  | 'wsout'
  | 'ot'
  | 'oc'
  | 'tag'
  | 'tb'
  | 'org'
  | 'team'
  | 'tws'
  | 'tprj'
  | 'at'
  | 'drp'
  | 'ou'
  | 'chg'
  | 'evt'
  | 'tool'
  | 'agent'
  | 'rjob'

/** An identifier that knows what it names, so that a project's cannot pose as a workspace's. */
export type Id<P extends IdPrefix> = `${P}-${string}` & { readonly __id: P }

/** The one source of randomness for identifiers and tokens. */
export type Ids = {
  newId<P extends IdPrefix>(prefix: P): Id<P>
  /**
   * An identifier that begins with its time, so that entries of a log are added at the end of an index, not all over
   * it.
   */
  newIdAt<P extends IdPrefix>(prefix: P, at: Instant): Id<P>
  uuid(): string
  /** Random text over digits and letters; 24 characters carry 142 bits. */
  text(length: number): string
  /** Random lower-case hexadecimal digits. */
  hex(length: number): string
  bytes(length: number): Buffer
}

/** Random bytes drawn ahead: asking for a few at a time costs more than the few. Each is used once and wiped. */
const randomPool = Buffer.alloc(4_096)
let poolPosition = randomPool.length

function randomByte(): number {
  if (poolPosition === randomPool.length) {
    randomFillSync(randomPool)
    poolPosition = 0
  }
  const byte = randomPool[poolPosition] ?? 0
  randomPool[poolPosition++] = 0
  return byte
}

/** Up to this length bytes are drawn ahead, for nonces and the like; keys are longer and drawn separately. */
const longestNonce = 16

function drawBytes(length: number): Buffer {
  if (length > longestNonce) return randomBytes(length)
  const bytes = Buffer.alloc(length)
  for (let index = 0; index < length; index++) bytes[index] = randomByte()
  return bytes
}

/** Draws characters without bias: bytes beyond the last full multiple of the alphabet are thrown away. */
function drawText(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    const byte = randomByte()
    if (byte < limit) text += alphabet[byte % alphabet.length]
  }
  return text
}

/** A time of this or the next thousand years in eight characters that sort as the times do. */
function timeText(at: Instant): string {
  let text = ''
  for (let rest: number = at; text.length < 8; rest = Math.floor(rest / base58.length)) {
    text = base58.charAt(rest % base58.length) + text
  }
  return text
}

/** Identifiers from the operating system's generator. */
export const randomIds: Ids = {
  newId: <P extends IdPrefix>(prefix: P) => `${prefix}-${drawText(base58, 16)}` as Id<P>,
  newIdAt: <P extends IdPrefix>(prefix: P, at: Instant) => `${prefix}-${timeText(at)}${drawText(base58, 8)}` as Id<P>,
  uuid: () => randomUUID(),
  text: (length) => drawText(base62, length),
  hex: (length) =>
    drawBytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length),
  bytes: drawBytes,
}

/** True if the text is a well-formed identifier with this prefix; a malformed one can name nothing. */
export function isId<P extends IdPrefix>(prefix: P, text: string): text is Id<P> {
  return (
    text.length === prefix.length + 17 &&
    text.startsWith(`${prefix}-`) &&
    /^[1-9A-HJ-NP-Za-km-z]{16}$/.test(text.slice(-16))
  )
}
