import { prepareHmac } from '../crypto/prepared-hmac.ts'
import { Secret } from '../kernel/secret.ts'
import type { Fields, Recorded, RecordRules } from './record.ts'

/** How a device writes values down. */
export type HashOptions = { hmacAccessor: boolean; logRaw: boolean; elideListResponses: boolean }

/** Turns a text into its keyed hash. */
export type Hash = (text: string) => string

/** The keyed hash of a device: the same text gives the same hash for as long as the device lives. */
export function hashWith(salt: Secret<Buffer>): Hash {
  const hmac = prepareHmac(salt.reveal())
  return (text) => `hmac-sha256:${hmac(text)}`
}

/** A part of a record as a device wrote it. */
type Written = { fields: Fields; text: string }

/** Writes records as one device does: every secret replaced by its keyed hash, unless the device logs raw values. */
export function createWriter(hash: Hash, options: HashOptions): (recorded: Recorded) => string {
  // A request and its answer share parts, and so do requests of one caller: each part is hashed and written once.
  const written = new WeakMap<Fields, Written>()
  const once = (part: Fields, make: () => Fields): Written => {
    const known = written.get(part)
    if (known) return known
    const fields = options.logRaw ? part : make()
    const made = { fields, text: JSON.stringify(fields) }
    written.set(part, made)
    return made
  }
  return ({ record, rules }) => {
    const { auth, response, error } = record
    const caller = auth && once(auth, () => hashKeys(auth, hash, options))
    const quick = caller ? reusing(auth, caller.fields, hash) : hash
    const request = once(record.request, () => hashRequest(record.request, rules, quick, options))
    const parts = [`{"time":"${record.time}","type":"${record.type}"`]
    if (caller) parts.push(`"auth":${withToken(caller.text, request.fields.client_token)}`)
    parts.push(`"request":${request.text}`)
    if (response) parts.push(`"response":${JSON.stringify(answerOf(response, rules, quick, options))}`)
    if (error) parts.push(`"error":${JSON.stringify(error)}`)
    return `${parts.join(',')}}`
  }
}

/** Adds the token to the caller's part, which is kept without it. */
const withToken = (auth: string, token: unknown): string =>
  typeof token === 'string' ? `{"client_token":${JSON.stringify(token)},${auth.slice(1)}` : auth

/** The caller's accessor comes up in every request; its hash is taken from where it was made. */
function reusing(plain: Fields, hashed: Fields, hash: Hash): Hash {
  const { accessor } = hashed
  if (typeof accessor !== 'string' || accessor === plain.accessor) return hash
  return (text) => (text === plain.accessor ? accessor : hash(text))
}

function answerOf(response: Fields, rules: RecordRules, hash: Hash, options: HashOptions): Fields {
  const shown = options.elideListResponses && rules.list ? elide(response) : response
  return options.logRaw ? shown : hashResponse(shown, rules, hash, options)
}

function hashRequest(request: Fields, rules: RecordRules, hash: Hash, options: HashOptions): Fields {
  const hashed = hashKeys(request, hash, options)
  if (request.data !== undefined) hashed.data = hashLeaves(request.data, hash, rules.requestKeys)
  if (isFields(request.headers)) hashed.headers = hashHeaders(request.headers, rules.hashedHeaders, hash)
  return hashed
}

function hashResponse(response: Fields, rules: RecordRules, hash: Hash, options: HashOptions): Fields {
  const hashed: Fields = { ...response }
  if (!rules.clearResponse && response.data !== undefined) {
    hashed.data = hashLeaves(response.data, hash, rules.responseKeys)
  }
  if (isFields(response.auth)) hashed.auth = hashKeys(response.auth, hash, options)
  if (isFields(response.wrap_info)) hashed.wrap_info = hashKeys(response.wrap_info, hash, options)
  return hashed
}

const tokenKeys: readonly string[] = ['client_token', 'token']
const accessorKeys: readonly string[] = ['accessor', 'client_token_accessor', 'wrapped_accessor']

/** Hashes tokens, and accessors where the device wants that; everything beside them stays as it is. */
function hashKeys(fields: Fields, hash: Hash, { hmacAccessor }: HashOptions): Fields {
  const hashed: Fields = { ...fields }
  for (const key of hmacAccessor ? [...tokenKeys, ...accessorKeys] : tokenKeys) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') hashed[key] = hash(value)
  }
  return hashed
}

/** Hashes each text at any depth. Keys stay, so do numbers and booleans, and texts right below an exempt key. */
export function hashLeaves(value: unknown, hash: Hash, exempt: ReadonlySet<string>, key = ''): unknown {
  if (typeof value === 'string') return exempt.has(key) ? value : hash(value)
  if (value instanceof Secret) return hashLeaves(value.reveal(), hash, exempt)
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => hashLeaves(item, hash, exempt, key))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.keys(value).map((name) => [name, hashLeaves(value[name], hash, exempt, name)]))
}

const hashHeaders = (headers: Fields, hashed: ReadonlySet<string>, hash: Hash): Fields =>
  Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name,
      hashed.has(name) ? hashLeaves(values, hash, new Set()) : values,
    ]),
  )

/** Replaces the names of a list by their number. */
function elide(response: Fields): Fields {
  if (!isFields(response.data)) return response
  const { keys, key_info: info } = response.data
  return {
    ...response,
    data: {
      ...response.data,
      ...(Array.isArray(keys) && { keys: keys.length }),
      ...(isFields(info) && { key_info: Object.keys(info).length }),
    },
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
