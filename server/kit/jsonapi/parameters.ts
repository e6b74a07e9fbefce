import { type TSchema, Type } from 'typebox'
import { type Instant, parseInstant } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import { nearestName } from '../../kernel/spelling.ts'

/** The parameters of a request by folded name: `search[exclude_tags]` and `search[exclude-tags]` are one. */
export type SentParameters = ReadonlyMap<string, readonly string[]>

/** A query parameter: its names on the wire, and how it is read. */
export type Parameter<T> = {
  /** The names to document it under, as clients send them: `filter[project][id]`, `filter[tagged][0][key]`. */
  readonly schemas: Readonly<Record<string, TSchema>>
  readonly read: (sent: SentParameters) => T
  /** Names of the sent parameters that it reads and that have a value. */
  readonly usedNames: (sent: SentParameters) => readonly string[]
}

/** Folds the spellings of a parameter's name into one. */
export const foldName = (name: string): string => name.replaceAll('_', '-')

/** The parameter that was probably meant: one in another family counts as near, as `search[name]` does to `filter[name]`. */
export function nearestParameter(name: string, known: Iterable<string>): string | undefined {
  const folded = foldName(name)
  const inner = (each: string) => (each.includes('[') ? each.slice(each.indexOf('[')) : `[${each}]`)
  return nearestName(folded, known) ?? [...known].find((each) => inner(each) === inner(folded))
}

/** Folds the names of parameters. Brackets arrive raw or percent-encoded; both are decoded before. */
export function foldParameters(query: URLSearchParams): SentParameters {
  const sent = new Map<string, string[]>()
  for (const [key, value] of query) {
    if (key.includes('\u0000') || value.includes('\u0000'))
      throw undecodable('A parameter contains a NUL character.', key)
    const name = foldName(key)
    const values = sent.get(name)
    if (values) values.push(value)
    else sent.set(name, [value])
  }
  return sent
}

/** A parameter that is not what it should be. */
export const undecodable = (detail: string, parameter: string) =>
  failure('malformed', 'query.undecodable', detail, { faults: [{ detail, parameter }] })

/** The value of a parameter; the last one counts, and a blank one is none. */
export const lastValue = (sent: SentParameters, name: string): string | undefined => {
  const value = sent.get(name)?.at(-1)?.trim()
  return value === '' ? undefined : value
}

/** Entries of a comma-separated parameter, trimmed; empty ones do not count. */
const entriesOf = (values: readonly string[]): readonly string[] =>
  values
    .flatMap((value) => value.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** `check` says what is wrong with a value, as "must be …"; undefined when it is fine. */
const text = (
  name: string,
  description: string,
  check?: (value: string) => string | undefined,
): Parameter<string | undefined> => ({
  schemas: { [name]: Type.String({ description }) },
  read: (sent) => {
    const value = lastValue(sent, name)
    const wrong = value === undefined ? undefined : check?.(value)
    if (wrong !== undefined) throw undecodable(`Parameter ${name} ${wrong}.`, name)
    return value
  },
  usedNames: (sent) => (lastValue(sent, name) === undefined ? [] : [name]),
})

const time = (name: string, description: string): Parameter<Instant | undefined> => ({
  schemas: { [name]: Type.String({ format: 'date-time', description }) },
  read: (sent) => {
    const value = lastValue(sent, name)
    if (value === undefined) return undefined
    const at = parseInstant(value)
    if (at === undefined) throw undecodable(timeProblem(name), name)
    return at
  },
  usedNames: (sent) => (lastValue(sent, name) === undefined ? [] : [name]),
})

/** The plus sign of an offset means a blank in a query, unless it is encoded. */
const timeProblem = (name: string): string =>
  `Parameter ${name} must be a time such as 2026-01-21T10:00:00Z; write the '+' of an offset as %2B.`

/** `most` entries are taken: fewer where each becomes a condition of its own in the statement. */
const list = (name: string, description: string, most = 1_000): Parameter<readonly string[] | undefined> => ({
  schemas: { [name]: Type.String({ description: `${description} Separate several values with commas.` }) },
  read: (sent) => {
    const entries = new Set(entriesOf(sent.get(name) ?? []))
    if (entries.size > most) throw undecodable(`Parameter ${name} takes at most ${most} entries.`, name)
    return entries.size === 0 ? undefined : [...entries]
  },
  usedNames: (sent) => (entriesOf(sent.get(name) ?? []).length === 0 ? [] : [name]),
})

const flag = (name: string, description: string): Parameter<boolean | undefined> => ({
  schemas: { [name]: Type.Boolean({ description }) },
  read: (sent) => {
    const value = lastValue(sent, name)
    if (value === undefined) return undefined
    if (value === 'true' || value === 'false') return value === 'true'
    throw undecodable(`Parameter ${name} must be true or false.`, name)
  },
  usedNames: (sent) => (lastValue(sent, name) === undefined ? [] : [name]),
})

/** How many groups are taken: each becomes a condition of its own in the statement. */
const mostGroups = 50

/** Groups such as `filter[tagged][0][key]`, `filter[tagged][0][value]`: one entry for each index, gaps allowed. */
const groups = <const K extends string>(
  prefix: string,
  keys: readonly K[],
  description: string,
): Parameter<readonly Readonly<Partial<Record<K, string>>>[]> => ({
  // No style of OpenAPI writes a list of objects like this, so the first one stands for all.
  schemas: Object.fromEntries(
    keys.map((key) => [
      `${prefix}[0][${key}]`,
      Type.String({ description: `${description} This is the ${key} of the first; further ones have other numbers.` }),
    ]),
  ),
  read: (sent) => {
    const found = new Map<number, Partial<Record<K, string>>>()
    for (const name of sent.keys()) {
      const member = groupMember(prefix, keys, name)
      const value = member && lastValue(sent, name)
      if (!member || value === undefined) continue
      const group: Partial<Record<K, string>> = found.get(member.index) ?? {}
      group[member.key] = value
      found.set(member.index, group)
    }
    if (found.size > mostGroups) throw undecodable(`Parameter ${prefix} takes at most ${mostGroups} groups.`, prefix)
    return [...found].sort(([a], [b]) => a - b).map(([, group]) => group)
  },
  usedNames: (sent) => {
    const members = [...sent.keys()].flatMap((name) => {
      const member = groupMember(prefix, keys, name)
      return member ? [{ name, index: member.index, filled: lastValue(sent, name) !== undefined }] : []
    })
    const filled = new Set(members.filter((member) => member.filled).map(({ index }) => index))
    return members.filter(({ index }) => filled.has(index)).map(({ name }) => name)
  },
})

/** Which member of which group a parameter is; undefined for other parameters and for members that nobody asks for. */
function groupMember<K extends string>(
  prefix: string,
  keys: readonly K[],
  name: string,
): { readonly index: number; readonly key: K } | undefined {
  if (!name.startsWith(`${prefix}[`)) return undefined
  const [, index = '', member] = /^\[([^\]]*)\](?:\[([^\]]*)\])?$/.exec(name.slice(prefix.length)) ?? []
  if (!/^\d{1,6}$/.test(index)) throw undecodable(`Write ${prefix}[0][${keys[0]}], with any number, not ${name}.`, name)
  const key = keys.find((each) => each === member)
  return key && { index: Number(index), key }
}

/** The kinds of query parameters. */
export const parameter = { text, time, list, flag, groups } as const

/**
 * Refuses a query with a parameter that would be ignored. Where a query says what to change, more would be changed than
 * meant.
 */
export function refuseIgnored(sent: SentParameters, declared: readonly Parameter<unknown>[]): void {
  const usedNames = new Set(declared.flatMap((each) => each.usedNames(sent)))
  const ignored = [...sent.keys()].find((name) => !usedNames.has(name))
  if (ignored === undefined) return
  const named = `Parameter '${ignored.slice(0, 100)}'`
  const ofLists = /^(?:sort|include|page\[(?:number|size)\]|fields\[[^\]]+\])$/
  const detail = ofLists.test(ignored)
    ? `${named} is for lists only: this applies to all that the filters select. Leave it out.`
    : `${named} is unknown or has no value. ${adviceOn(ignored, declared)}`
  throw undecodable(detail, ignored)
}

function adviceOn(name: string, declared: readonly Parameter<unknown>[]): string {
  const meant = nearestParameter(
    name,
    declared.flatMap(({ schemas }) => Object.keys(schemas)).filter((each) => each !== name),
  )
  return meant === undefined ? 'Correct it or leave it out.' : `Did you mean '${meant}'?`
}

/** Reads `include`: `-` and `_` are equal; an unknown path is 400. Clients look for how that detail ends. */
export function readInclude(sent: SentParameters, allowed: readonly string[]): ReadonlySet<string> {
  const requested = entriesOf(sent.get('include') ?? []).map((path) => path.replaceAll('-', '_'))
  const unknown = requested.find((path) => !allowed.includes(path))
  if (unknown === undefined) return new Set(requested)
  const detail = `'${unknown.slice(0, 100)}' cannot be included here: Invalid include parameter`
  throw failure('malformed', 'query.include', detail, { faults: [{ detail, parameter: 'include' }] })
}

/** An order of a list. */
export type Sort<K extends string> = { readonly key: K; readonly descending: boolean }

/** Reads `sort`: one of the allowed keys, with `-` before it for the reverse. */
export function readSort<K extends string>(sent: SentParameters, allowed: readonly K[]): Sort<K> | undefined {
  const requested = lastValue(sent, 'sort')
  if (requested === undefined) return undefined
  const descending = requested.startsWith('-')
  const name = (descending ? requested.slice(1) : requested).replaceAll('_', '-')
  const key = allowed.find((each) => each === name)
  if (key !== undefined) return { key, descending }
  const detail = `Invalid sort parameter: sort by ${allowed.join(', ')}, with '-' before it for the reverse.`
  throw failure('malformed', 'query.sort', detail, { faults: [{ detail, parameter: 'sort' }] })
}

/** The fields wanted of each type; a type that is not named is given whole. */
export type SparseFields = ReadonlyMap<string, ReadonlySet<string>>

/** Reads `fields[type]=a,b`; names of fields are folded as names of parameters are. */
export function readSparseFields(sent: SentParameters): SparseFields {
  const fields = new Map<string, ReadonlySet<string>>()
  for (const [name, values] of sent) {
    const type = /^fields\[([^\]]+)\]$/.exec(name)?.[1]
    if (type !== undefined) fields.set(type, new Set(entriesOf(values).map((field) => field.replaceAll('_', '-'))))
  }
  return fields
}
