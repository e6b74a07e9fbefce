import { prepareHmac } from '../crypto/keyed-hashes.ts'
import { runAfterPendingInput } from '../kernel/event-loop.ts'
import { isRawNumber } from '../kernel/exact-json.ts'
import { Secret } from '../kernel/secret.ts'
import type { Fields } from './record-parts.ts'

/** How a device writes values down. */
export type HashOptions = { hmacAccessor: boolean; logRaw: boolean; elideListResponses: boolean }

/** Turns a text into its keyed hash. */
export type Hash = (text: string) => string

/** The keyed hash of a device: the same text gives the same hash for as long as the device lives. */
export function hashWith(salt: Secret<Buffer>): Hash {
  const hmac = prepareHmac(salt.reveal())
  return (text) => `hmac-sha256:${hmac(text)}`
}

const rememberedTexts = 1_000
const rememberedLength = 4_096

/**
 * Hashes each text that is not long once for all requests that come together, which have many in common. Nothing is
 * remembered beyond the next turn of the event loop.
 */
export function memoizePerTurn(hash: Hash): Hash {
  const known = new Map<string, string>()
  const forget = (): void => known.clear()
  return (text) => {
    if (text.length > rememberedLength) return hash(text)
    const found = known.get(text)
    if (found !== undefined) return found
    const made = hash(text)
    if (known.size === 0) runAfterPendingInput(forget)
    if (known.size < rememberedTexts) known.set(text, made)
    return made
  }
}

const tokenKeys: readonly string[] = ['client_token', 'token']
const secretKeys: readonly string[] = [...tokenKeys, 'accessor', 'client_token_accessor', 'wrapped_accessor']

/** Hashes tokens, and accessors where the device wants that; everything beside them stays as it is. */
function hashKeys(fields: Fields, hash: Hash, hmacAccessor: boolean): Fields {
  const hashed: Fields = { ...fields }
  for (const key of hmacAccessor ? secretKeys : tokenKeys) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') hashed[key] = hash(value)
  }
  return hashed
}

/**
 * JSON with each text hashed, at any depth. Keys stay, so do numbers and booleans, and texts right below an exempt key. It is
 * written at once: a copy to be written later would take twice the time, and every answer comes by here.
 */
function hashedJson(value: unknown, hash: Hash, exempt: ReadonlySet<string>, key = ''): string | undefined {
  if (typeof value === 'string') return exempt.has(key) ? JSON.stringify(value) : `"${hash(value)}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Secret) return hashedJson(value.reveal(), hash, exempt)
  if (value instanceof Uint8Array) return `"${value.length} bytes"`
  if (value instanceof Date || isRawNumber(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => hashedJson(item, hash, exempt, key) ?? 'null').join(',')}]`
  return hashedFields(value as Fields, hash, exempt)
}

function hashedFields(fields: Fields, hash: Hash, exempt: ReadonlySet<string>): string {
  let text = ''
  for (const name of Object.keys(fields)) {
    const value = hashedJson(fields[name], hash, exempt, name)
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`
  }
  return `{${text}}`
}

/** What a device does with secret values before it writes them down. */
export type Mask = {
  /** A token. */
  readonly text: Hash
  readonly accessor: Hash
  /** Tokens and accessors among other fields. */
  keys(fields: Fields): Fields
  /** Every text in a value but those below an exempt key, as JSON. `hash` is used where it is faster than the device's own. */
  json(value: unknown, exempt: ReadonlySet<string>, hash?: Hash): string
}

/** Hides secrets behind their hashes, unless the device is to write raw values. */
export function maskOf(hash: Hash, { hmacAccessor, logRaw }: HashOptions): Mask {
  const same = <T>(value: T): T => value
  if (logRaw) return { text: same, accessor: same, keys: same, json: (value) => JSON.stringify(value) }
  return {
    text: hash,
    accessor: hmacAccessor ? hash : same,
    keys: (fields) => hashKeys(fields, hash, hmacAccessor),
    json: (value, exempt, faster = hash) => hashedJson(value, faster, exempt) ?? 'null',
  }
}
