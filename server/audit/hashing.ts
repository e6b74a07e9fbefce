import { prepareHmac } from '../crypto/prepared-hmac.ts'
import { Secret } from '../kernel/secret.ts'
import type { AuditRecord, Recorded, RecordRules } from './record.ts'
import { type Fields, type Part, rememberWritten, type Written, writtenBy } from './record-parts.ts'

/** How a device writes values down. */
export type HashOptions = { hmacAccessor: boolean; logRaw: boolean; elideListResponses: boolean }

/** Turns a text into its keyed hash. */
export type Hash = (text: string) => string

/** The keyed hash of a device: the same text gives the same hash for as long as the device lives. */
export function hashWith(salt: Secret<Buffer>): Hash {
  const hmac = prepareHmac(salt.reveal())
  return (text) => `hmac-sha256:${hmac(text)}`
}

let writers = 0

/**
 * Writes records as one device does: every secret replaced by its keyed hash, unless the device logs raw values. The
 * object's closing brace is left to whoever adds the fields of the chain.
 */
export function createWriter(hash: Hash, options: HashOptions): (recorded: Recorded) => string {
  const writer = ++writers
  // A request and its answer share parts, and so do requests of one caller: each part is hashed and written once.
  const once = (part: Part, make: () => Fields): Written => {
    const known = writtenBy(part, writer)
    if (known) return known
    const fields = options.logRaw ? part.fields : make()
    const { client_token, accessor } = fields
    const made = { text: JSON.stringify(fields), token: client_token, accessor }
    rememberWritten(part, writer, made)
    return made
  }
  return ({ record, rules }) => {
    const { auth, response, error } = record
    const caller = auth && once(auth, () => hashKeys(auth.fields, hash, options))
    const quick = caller ? reusing(record, caller, hash) : hash
    const request = once(record.request, () => hashRequest(record.request.fields, rules, quick, options))
    if (caller && record.ownToken) caller.token ??= request.token
    let line = `{"time":"${record.time}","type":"${record.type}",`
    if (caller) line += `"auth":${withToken(caller.text, request.token)},`
    line += `"request":${request.text}`
    if (response) line += `,"response":${JSON.stringify(answerOf(response, rules, quick, options))}`
    if (error) line += `,"error":${JSON.stringify(error)}`
    return line
  }
}

/** Adds the token to the caller's part, which is kept without it. */
const withToken = (auth: string, token: unknown): string =>
  typeof token === 'string' ? `{"client_token":${JSON.stringify(token)},${auth.slice(1)}` : auth

/** The token and the accessor of a caller come up in every request; their hashes are taken from where they were made. */
function reusing({ auth, request, ownToken }: AuditRecord, { token, accessor }: Written, hash: Hash): Hash {
  const plainToken = ownToken && typeof token === 'string' ? request.fields.client_token : undefined
  const plainAccessor = typeof accessor === 'string' ? auth?.fields.accessor : undefined
  return (text) => {
    if (text === plainToken) return token as string
    return text === plainAccessor ? (accessor as string) : hash(text)
  }
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
const secretKeys: readonly string[] = [...tokenKeys, 'accessor', 'client_token_accessor', 'wrapped_accessor']

/** Hashes tokens, and accessors where the device wants that; everything beside them stays as it is. */
function hashKeys(fields: Fields, hash: Hash, { hmacAccessor }: HashOptions): Fields {
  const hashed: Fields = { ...fields }
  for (const key of hmacAccessor ? secretKeys : tokenKeys) {
    const value = fields[key]
    if (typeof value === 'string' && value !== '') hashed[key] = hash(value)
  }
  return hashed
}

/** Hashes each text at any depth. Keys stay, so do numbers and booleans, and texts right below an exempt key. */
function hashLeaves(value: unknown, hash: Hash, exempt: ReadonlySet<string>, key = ''): unknown {
  if (typeof value === 'string') return exempt.has(key) ? value : hash(value)
  if (value instanceof Secret) return hashLeaves(value.reveal(), hash, exempt)
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => hashLeaves(item, hash, exempt, key))
  return isFields(value) ? hashFields(value, hash, exempt) : value
}

function hashFields(fields: Fields, hash: Hash, exempt: ReadonlySet<string>): Fields {
  const hashed: Fields = {}
  for (const name of Object.keys(fields)) {
    const value = hashLeaves(fields[name], hash, exempt, name)
    // A plain assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(hashed, name, { value, enumerable: true })
    else hashed[name] = value
  }
  return hashed
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
