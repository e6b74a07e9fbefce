import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { parseSeconds } from '../kernel/duration.ts'
import { failure } from '../kernel/failure.ts'

/** How the value of a `/v1` field is read. Command lines send every value as text, so each kind accepts text. */
export type FieldKind = 'text' | 'flag' | 'whole' | 'seconds' | 'list' | 'text-map' | 'object' | 'any'

type FieldOptions = {
  aliases?: readonly string[]
  /** What answers say about it, if not the same. */
  shown?: string
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
}

const describe = (kind: FieldKind, description: string, options: FieldOptions = {}) => {
  const { aliases, shown, ...rest } = options
  const notes = { ...(aliases ? { 'x-aliases': aliases } : {}), ...(shown ? { 'x-shown': shown } : {}) }
  return { description, 'x-field': kind, ...notes, ...rest }
}

/** The field types of the `/v1` API. All are optional: whether one must be given is a rule of its endpoint. */
export const field = {
  text: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.String(describe('text', description, options))),
  flag: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Boolean(describe('flag', description, options))),
  whole: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Integer(describe('whole', description, options))),
  seconds: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Integer({ minimum: 0, ...describe('seconds', description, options) })),
  list: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Array(Type.String(), describe('list', description, options))),
  textMap: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Record(Type.String(), Type.String(), describe('text-map', description, options))),
  object: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Record(Type.String(), Type.Unknown(), describe('object', description, options))),
  any: (description: string, options?: FieldOptions) =>
    Type.Optional(Type.Unknown(describe('any', description, options))),
} as const

/** Kinds of fields that are also read from text, as command lines send them: `1h`, `true`, `a,b`. */
const alsoText: Readonly<Partial<Record<FieldKind, TSchema>>> = {
  flag: Type.Union([Type.Boolean(), Type.String()], { title: 'FlagInput' }),
  whole: Type.Union([Type.Integer(), Type.String()], { title: 'IntegerInput' }),
  seconds: Type.Union([Type.Integer(), Type.String()], { title: 'DurationInput' }),
  list: Type.Union([Type.Array(Type.String()), Type.String()], { title: 'ListInput' }),
  'text-map': Type.Union([Type.Record(Type.String(), Type.String()), Type.String()], { title: 'MapInput' }),
}

/** A schema that also accepts text wherever the fields are read from text. */
export function acceptingText(schema: TObject): object {
  const properties = Object.entries(schema.properties as Record<string, FieldSchema>)
  return { ...schema, properties: Object.fromEntries(properties.map(([name, each]) => [name, withText(each)])) }
}

function withText(property: FieldSchema): object {
  const input = property['x-field'] && alsoText[property['x-field']]
  if (!input) return property
  const { type: _, items: __, patternProperties: ___, ...about } = property as FieldSchema & Record<string, unknown>
  return { ...input, ...about }
}

/** The fields of a request in their types, and the keys that its endpoint does not know. */
type ParsedFields<T> = { value: T; unknown: string[] }

/** The schema of a field, with what the readers of fields go by. */
export type FieldSchema = TSchema & {
  description?: string
  'x-field'?: FieldKind
  'x-aliases'?: readonly string[]
  'x-shown'?: string
  default?: unknown
  minimum?: number
  maximum?: number
}

/**
 * Reads the fields of a request into the types its endpoint declares. Each field that cannot be read is refused by
 * name; unknown ones are reported, not refused.
 */
export function parseFields<T extends TObject>(schema: T, raw: Record<string, unknown>): ParsedFields<Static<T>> {
  const { fields, known } = declaredBy(schema)
  const sent = withDeclaredNames(raw, known)
  const value: Record<string, unknown> = {}
  for (const { name, type, names } of fields) {
    const sentAs = names.find((each) => Object.hasOwn(sent, each))
    if (sentAs === undefined) continue
    const parsed = parseField(sentAs, type, sent[sentAs])
    if (parsed !== undefined) value[name] = parsed
  }
  const unknown = Object.keys(sent).filter((key) => !known.has(key))
  return { value: value as Static<T>, unknown: unknown.sort() }
}

type Declared = {
  readonly fields: readonly { readonly name: string; readonly type: FieldSchema; readonly names: readonly string[] }[]
  /** Every name that means something, aliases too. */
  readonly known: ReadonlySet<string>
}

const declarations = new WeakMap<TObject, Declared>()

/** What a schema declares, put together once: every write reads some schema. */
function declaredBy(schema: TObject): Declared {
  const found = declarations.get(schema)
  if (found) return found
  const fields = Object.entries(schema.properties as Record<string, FieldSchema>).map(([name, type]) => ({
    name,
    type,
    names: [name, ...(type['x-aliases'] ?? [])],
  }))
  const declared = { fields, known: new Set(fields.flatMap(({ names }) => names)) }
  declarations.set(schema, declared)
  return declared
}

/**
 * Policies compare the names of fields without case, so they are read without case: else a field that a policy asks for
 * could be sent in a spelling that nobody reads.
 */
export function withDeclaredNames(
  raw: Record<string, unknown>,
  declared: ReadonlySet<string>,
): Record<string, unknown> {
  if (Object.keys(raw).every((name) => declared.has(name))) return raw
  const spellings = new Map([...declared].map((name) => [name.toLowerCase(), name]))
  const named = new Map<string, unknown>()
  for (const [name, value] of Object.entries(raw)) {
    const known = declared.has(name) ? name : (spellings.get(name.toLowerCase()) ?? name)
    if (named.has(known))
      throw failure('invalid', 'field.twice', `Field '${known}' was sent in two spellings; send one of them.`)
    named.set(known, value)
  }
  return Object.fromEntries(named)
}

function parseField(name: string, type: FieldSchema, raw: unknown): unknown {
  // Null says nothing; where a flag is on by default, it must not switch that off.
  if (raw === null && type.default === true) return undefined
  const kind = type['x-field'] ?? 'any'
  const parsed = readers[kind](raw)
  if (parsed === inexact) {
    const text = `Field '${name}' holds a number that is too large to be read exactly; send it as a string.`
    throw failure('invalid', 'field.inexact', text)
  }
  if (parsed === tooMany) {
    throw failure('invalid', 'field.too-many', `Field '${name}' has more than ${mostEntries} entries.`)
  }
  if (parsed === negative) {
    // Clients and their tests look for the words behind the name.
    throw failure('invalid', 'field.negative', `Field '${name}': cannot provide negative value '${raw}'.`)
  }
  if (parsed === unreadable) {
    throw failure('invalid', 'field.unreadable', `Field '${name}' ${expectations[kind]}.`)
  }
  if (typeof parsed === 'number' && parsed < (type.minimum ?? Number.NEGATIVE_INFINITY)) {
    throw failure('invalid', 'field.too-small', `Field '${name}' must be at least ${type.minimum}.`)
  }
  if (typeof parsed === 'number' && parsed > (type.maximum ?? Number.POSITIVE_INFINITY)) {
    throw failure('invalid', 'field.too-large', `Field '${name}' must be at most ${type.maximum}.`)
  }
  return parsed
}

const unreadable = Symbol('unreadable')
const inexact = Symbol('inexact')
const tooMany = Symbol('too many')
const negative = Symbol('negative')

/** Entries of a list or map that comes as one text: as many as a JSON array may have unless told otherwise. */
const mostEntries = 10_000

const expectations: Record<FieldKind, string> = {
  text: 'must be a string',
  flag: 'must be true or false',
  whole: 'must be a whole number',
  seconds: 'must be a duration from 0 to 292 years: whole seconds, or a string such as "90s", "1h30m" or "7d"',
  list: 'must be a list of strings, or one string with commas',
  'text-map': 'must be an object whose values are strings',
  object: 'must be an object',
  any: 'cannot be read',
}

const readers: Record<FieldKind, (raw: unknown) => unknown> = {
  text: readText,
  flag: readFlag,
  whole: readWhole,
  seconds: readSeconds,
  list: readList,
  'text-map': readTextMap,
  object: readObject,
  any: (raw) => raw,
}

function readSeconds(raw: unknown): unknown {
  if (raw === null) return undefined
  const seconds = parseSeconds(raw)
  if (seconds !== undefined) return seconds
  const opposite = typeof raw === 'number' ? -raw : typeof raw === 'string' && raw.startsWith('-') ? raw.slice(1) : ''
  return parseSeconds(opposite) ? negative : unreadable
}

function readText(raw: unknown): unknown {
  if (typeof raw === 'string') return raw
  if (raw === null) return ''
  if (typeof raw === 'number') return Math.abs(raw) <= Number.MAX_SAFE_INTEGER ? String(raw) : inexact
  if (typeof raw === 'boolean') return raw ? '1' : '0'
  return unreadable
}

/** The first of these values that could not be read as a text. */
const refusalIn = (texts: readonly unknown[]): symbol | undefined => texts.find((text) => typeof text === 'symbol')

function readFlag(raw: unknown): unknown {
  if (typeof raw === 'boolean') return raw
  if (raw === null || raw === '' || raw === 0) return false
  if (raw === 1) return true
  return (typeof raw === 'string' ? parseFlag(raw) : undefined) ?? unreadable
}

/** Reads a flag in the spellings that clients of the `/v1` family know; undefined when the text is none of them. */
export function parseFlag(text: string): boolean | undefined {
  if (/^(1|t|T|TRUE|true|True)$/.test(text)) return true
  return /^(0|f|F|FALSE|false|False)$/.test(text) ? false : undefined
}

function readWhole(raw: unknown): unknown {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? raw : unreadable
  if (raw === null || raw === '') return 0
  if (typeof raw === 'boolean') return raw ? 1 : 0
  if (typeof raw !== 'string') return unreadable
  const [, sign, digits] = /^([+-]?)(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9]\d*)$/.exec(raw) ?? []
  if (digits === undefined) return unreadable
  const magnitude = /^0[0-7]/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
  return Number.isSafeInteger(magnitude) ? (sign === '-' ? -magnitude : magnitude) : unreadable
}

/** Entries of an array are not split at commas, and empty entries stay: dropping one could widen a constraint. */
function readList(raw: unknown): unknown {
  if (raw === null || raw === '') return []
  if (typeof raw === 'number') return readList([raw])
  if (typeof raw === 'string') {
    const parts = raw.split(',')
    return parts.length > mostEntries ? tooMany : parts.map((part) => part.trim())
  }
  if (!Array.isArray(raw)) return unreadable
  const texts = raw.map(readText)
  return refusalIn(texts) ?? texts.map((text) => String(text).trim())
}

function readTextMap(raw: unknown): unknown {
  if (raw === null || raw === '') return {}
  const object = readObject(raw)
  if (typeof object === 'symbol') return object
  const entries = Object.entries(object as Record<string, unknown>).map(
    ([key, value]) => [key, readText(value)] as const,
  )
  return refusalIn(entries.map(([, value]) => value)) ?? Object.fromEntries(entries)
}

/** An object may also come as its JSON text, or as `key=value` texts, which is how command lines send maps. */
function readObject(raw: unknown): unknown {
  if (raw === null || raw === '') return {}
  if (typeof raw === 'string') return readObjectText(raw)
  if (Array.isArray(raw)) return readPairs(raw)
  return typeof raw === 'object' ? raw : unreadable
}

function readObjectText(text: string): unknown {
  if (!text.trimStart().startsWith('{')) {
    const pairs = text.split(',')
    return pairs.length > mostEntries ? tooMany : readPairs(pairs)
  }
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : unreadable
  } catch {
    return unreadable
  }
}

function readPairs(pairs: readonly unknown[]): unknown {
  const entries = pairs.map(readPair)
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : unreadable
}

/** A key and what follows the first `=`; a key that is blank is none. */
function readPair(pair: unknown): [key: string, value: string] | undefined {
  const at = typeof pair === 'string' ? pair.indexOf('=') : -1
  if (typeof pair !== 'string' || at < 0) return undefined
  const key = pair.slice(0, at).trim()
  return key === '' ? undefined : [key, pair.slice(at + 1)]
}
