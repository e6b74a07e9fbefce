import { createHmac } from 'node:crypto'
import { Secret } from '../kernel/secret.ts'
import type { AuditRecord, Fields, Recorded, RecordRules } from './record.ts'

/** How a device writes values down. */
export type HashOptions = { hmacAccessor: boolean; logRaw: boolean; elideListResponses: boolean }

/** Turns a text into its keyed hash. */
export type Hash = (text: string) => string

/** The keyed hash of a device: the same text gives the same hash for as long as the device lives. */
export const hashWith =
  (salt: Secret<Buffer>): Hash =>
  (text) =>
    `hmac-sha256:${createHmac('sha256', salt.reveal()).update(text).digest('hex')}`

/** The record as one device writes it: every secret replaced by its keyed hash, unless the device logs raw values. */
export function hashRecord({ record, rules }: Recorded, hash: Hash, options: HashOptions): AuditRecord {
  const response = options.elideListResponses && rules.list ? elide(record.response) : record.response
  if (options.logRaw) return { ...record, ...(response && { response }) }
  const once = remembering(hash)
  const tokens = (fields: Fields) => hashKeys(fields, once, options)
  return {
    ...record,
    ...(record.auth && { auth: tokens(record.auth) }),
    request: hashRequest(tokens(record.request), rules, once),
    ...(response && { response: hashResponse(response, rules, once, tokens) }),
  }
}

function hashRequest(request: Fields, rules: RecordRules, hash: Hash): Fields {
  const hashed: Fields = { ...request }
  if (request.data !== undefined) hashed.data = hashLeaves(request.data, hash, rules.requestKeys)
  if (isFields(request.headers)) hashed.headers = hashHeaders(request.headers, rules.hashedHeaders, hash)
  return hashed
}

function hashResponse(response: Fields, rules: RecordRules, hash: Hash, tokens: (fields: Fields) => Fields): Fields {
  const hashed: Fields = { ...response }
  if (!rules.clearResponse && response.data !== undefined) {
    hashed.data = hashLeaves(response.data, hash, rules.responseKeys)
  }
  if (isFields(response.auth)) hashed.auth = tokens(response.auth)
  if (isFields(response.wrap_info)) hashed.wrap_info = tokens(response.wrap_info)
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
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hashLeaves(item, hash, exempt, name)]))
}

const hashHeaders = (headers: Fields, hashed: ReadonlySet<string>, hash: Hash): Fields =>
  Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [
      name,
      hashed.has(name) ? hashLeaves(values, hash, new Set()) : values,
    ]),
  )

/** Replaces the names of a list by their number. */
function elide(response: Fields | undefined): Fields | undefined {
  if (!response || !isFields(response.data)) return response
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

/** A record names its token and accessor several times; each is hashed once. */
function remembering(hash: Hash): Hash {
  const known = new Map<string, string>()
  return (text) => {
    const hashed = known.get(text) ?? hash(text)
    known.set(text, hashed)
    return hashed
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
