import type { FailureKind } from '../kernel/failure.ts'
import { type Endpoint, querySchema } from '../kit/endpoint.ts'
import { toPascal, toSingular } from '../kit/model.ts'

/** A part of the document. */
export type Json = Record<string, unknown>

/** What readers of fields and checks of answers go by, and nobody else. */
const internal = ['x-field', 'x-shown', 'x-sparse']

/**
 * The schema in the fewest keywords: choices of texts as `enum`, `null` as a further type, maps as
 * `additionalProperties`. Tools that generate clients understand these best.
 */
function compact(schema: Json): Json {
  const shown = withoutRequired(schema)
  const kept = Object.fromEntries(Object.entries(shown).filter(([key]) => !internal.includes(key)))
  if (Array.isArray(kept.anyOf)) return compactChoice(kept)
  const { patternProperties, ...rest } = kept
  const [values] = Object.values((patternProperties ?? {}) as Json)
  return values === undefined ? kept : { ...rest, additionalProperties: values }
}

const sparseText = 'Those that `fields` does not name are left out.'

/** Attributes of a resource: callers that choose fields get no others. */
function withoutRequired(schema: Json): Json {
  if (!schema['x-sparse']) return schema
  const { required: _, ...rest } = schema
  return { ...rest, description: schema.description ?? sparseText }
}

function compactChoice(schema: Json): Json {
  const { anyOf, ...rest } = schema
  const choices = (anyOf as readonly Json[]).map(compact)
  const named = choices.filter((choice) => choice.type !== 'null')
  const isNullable = named.length < choices.length
  const [only] = named
  const merged = isTextChoice(named) ? { type: 'string', enum: named.map((choice) => choice.const) } : only
  if (merged === undefined || (named.length > 1 && !('enum' in merged))) return { ...rest, anyOf: choices }
  if (!isNullable) return { ...merged, ...rest }
  const isPlain = typeof merged.type === 'string' && merged.title === undefined && merged.properties === undefined
  if (!isPlain) return { ...rest, anyOf: choices }
  const { const: value, ...others } = merged
  const values = Array.isArray(merged.enum) ? merged.enum : value === undefined ? undefined : [value]
  return { ...others, ...rest, type: [merged.type, 'null'], ...(values ? { enum: [...values, null] } : {}) }
}

const isTextChoice = (choices: readonly Json[]): boolean =>
  choices.length > 1 && choices.every(({ type, const: value }) => type === 'string' && typeof value === 'string')

/** Says something about a member rather than about its type, so it stands next to the reference to the type. */
const aboutMember = ['description', 'default', 'examples', 'deprecated', 'minimum', 'maximum', 'x-aliases'] as const

/**
 * The named schemas of one document. Every object that has members gets a name, since tools that generate clients make a
 * type of each: the `title` it is declared with, or one that is made of where it stands.
 */
export class Components {
  readonly #schemas = new Map<string, { readonly schema: Json; readonly text: string }>()
  /** References to schemas that are declared with a name: many stand in several places. */
  readonly #references = new WeakMap<Json, Json>()

  /** The schema as it stands in the document; `name` is for those that are declared without one. */
  place(schema: unknown, name: string): Json {
    const known = this.#references.get(schema as Json)
    if (known) return known
    const { title, ...rest } = compact(schema as Json)
    if (typeof title !== 'string') return isModel(rest) ? this.#refer(name, rest) : this.#within(rest, name)
    const reference = this.#refer(title, rest)
    this.#references.set(schema as Json, reference)
    return reference
  }

  /** All schemas that were placed and have a name. */
  sorted(): Record<string, Json> {
    const byName = [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(byName.map(([name, { schema }]) => [name, schema]))
  }

  #refer(name: string, { description, ...schema }: Json): Json {
    const lifted = isModel(schema) ? { description } : Object.fromEntries(aboutMember.map((key) => [key, schema[key]]))
    const own = Object.fromEntries(Object.entries(schema).filter(([key]) => !(key in lifted)))
    this.#add(name, this.#within(own, name))
    const beside = Object.entries({ ...lifted, description }).filter(([, value]) => value !== undefined)
    return { $ref: `#/components/schemas/${name}`, ...Object.fromEntries(beside) }
  }

  #add(name: string, schema: Json): void {
    const text = JSON.stringify(schema)
    const known = this.#schemas.get(name)
    if (known && known.text !== text) throw new Error(`Two schemas are named ${name}; give one another title`)
    this.#schemas.set(name, { schema, text })
  }

  #within(schema: Json, name: string): Json {
    const placed = { ...schema }
    if (isObject(schema.properties)) {
      const members = Object.entries(schema.properties)
      placed.properties = Object.fromEntries(
        members.map(([key, each]) => [key, this.place(each, memberName(name, key))]),
      )
    }
    if (isObject(schema.items)) placed.items = this.place(schema.items, entryName(name))
    if (isObject(schema.additionalProperties)) {
      placed.additionalProperties = this.place(schema.additionalProperties, entryName(name))
    }
    if (Array.isArray(schema.anyOf)) {
      const models = schema.anyOf.filter((each) => isModel(each)).length
      placed.anyOf = schema.anyOf.map((each, index) => this.place(each, models > 1 ? `${name}${index + 1}` : name))
    }
    return placed
  }
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for an object with members of its own. */
const isModel = ({ properties }: Json): boolean => isObject(properties) && Object.keys(properties).length > 0

/** `WorkspacesCreateBody` and `vcs-repo` are `WorkspacesCreateBodyVcsRepo`; `Data` in between would say nothing. */
const memberName = (name: string, key: string): string => `${name.replace(/(?<=.)Data$/, '')}${toPascal(key)}`

/** What the entries of a list are called: `…Rights` has entries `…Right`. */
function entryName(name: string): string {
  const one = toSingular(name)
  return one === name ? `${name}Entry` : one
}

/**
 * Kinds of failures of an endpoint: those it names, and those that follow from what it asks for, since the steps before its
 * handler refuse in its name. What any request may meet, such as 429, is said once for the whole document.
 */
export function failuresOf(endpoint: Endpoint): readonly FailureKind[] {
  return [...new Set([...(endpoint.fails ?? []), ...failuresOfAccess(endpoint), ...failuresOfInput(endpoint)])]
}

/** What holds for every call, in words. */
export const failuresOfAll =
  'Any request may also fail with 400, 405, 406, 408, 415, 417, 429, 431, 500 or 503, in the format of other errors. Under /api/v2, unknown parameters and members are ignored, and named in the header `Warning` and in `meta.warnings` of the document.'

/** The kinds in words. */
export const failureWords: Readonly<Record<FailureKind, string>> = {
  malformed: 'malformed request',
  invalid: 'invalid input',
  unauthenticated: 'not authenticated',
  forbidden: 'permission denied',
  refused: 'not allowed',
  missing: 'not found',
  'unsupported-operation': 'unsupported operation',
  'not-acceptable': 'not acceptable',
  'unsupported-media': 'unsupported media type',
  conflict: 'conflict',
  precondition: 'precondition failed',
  'unmet-expectation': 'expectation failed',
  'other-protocol': 'another version of the protocol is spoken',
  'too-large': 'request too large',
  'header-too-large': 'headers too large',
  'too-slow': 'request timeout',
  'rate-limited': 'too many requests',
  sealed: 'server is sealed',
  unavailable: 'temporarily unavailable',
  upstream: 'another service failed',
  'no-space': 'not enough disk space',
  internal: 'internal error',
}

/** Rules about people alone. */
const personalRules: readonly string[] = ['user', 'user:read', 'user:manage-tokens', 'site:admin']

/** What hides something looks into an organization, unless it is about people; and that may be closed to user tokens. */
const isWithinOrganization = ({ access, fails = [] }: Endpoint): boolean =>
  access.kind === 'rule' && !personalRules.includes(access.name) && fails.includes('missing')

function failuresOfAccess(endpoint: Endpoint): readonly FailureKind[] {
  const { api, access, verb } = endpoint
  if (access.kind === 'open') return []
  if (api === 'api/runner/v1') return ['unauthenticated', 'other-protocol']
  if (api !== 'api/v2') return ['forbidden']
  // A write with the session of a browser needs the proof that it comes from a page of ours.
  return verb !== 'GET' || isWithinOrganization(endpoint) ? ['unauthenticated', 'refused'] : ['unauthenticated']
}

function failuresOfInput(endpoint: Endpoint): readonly FailureKind[] {
  if (endpoint.body) return ['malformed', 'too-large']
  // A choice of fields is never refused: names that no resource has choose nothing.
  const names = Object.keys(querySchema(endpoint)?.properties ?? {}).filter((name) => name !== 'fields')
  return names.length > 0 ? ['malformed'] : []
}
