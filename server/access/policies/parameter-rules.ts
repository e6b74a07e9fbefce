import type { FieldNote, FieldNotes } from '../../kit/field-notes.ts'
import type { ParameterLists } from './policy.ts'
import { globMatches } from './policy-names.ts'

/** The part of a rule that is about the fields of a request. */
type ParameterRules = {
  readonly allowedParameters: ParameterLists
  readonly deniedParameters: ParameterLists
  readonly requiredParameters: ReadonlySet<string>
}

/** Adds values to those a field already has; an empty list means any value, and so swallows the other. */
export function addValues(lists: Map<string, unknown[]>, field: string, values: readonly unknown[]): void {
  const known = lists.get(field)
  if (known === undefined) lists.set(field, [...values])
  else if (known.length === 0 || values.length === 0) known.length = 0
  else for (const value of values) known.push(value)
}

/** Decides whether a request with these fields keeps the rules, with what its endpoint says about the fields. */
export type FieldCheck = (sent: Readonly<Record<string, unknown>>, notes?: FieldNotes) => boolean

/** One for all rules that say nothing about fields, which are nearly all. */
const anyFields: FieldCheck = () => true

/**
 * Prepares parameter rules for many checks. Field names are compared in lower case, and what a rule says about one name
 * of a field holds for its other names.
 */
export function compileParameterRules(rules: ParameterRules): FieldCheck {
  const { allowedParameters, deniedParameters, requiredParameters: required } = rules
  if (allowedParameters.size + deniedParameters.size + required.size === 0) return anyFields
  const denied = compileLists(deniedParameters, denialText)
  const allowed = compileLists(allowedParameters, (value) => (typeof value === 'string' ? value : undefined))
  const allowsAnyField = allowed.size === 0 || (allowed.size === 1 && allowed.has('*'))
  if (denied.size + required.size === 0 && allowsAnyField) return anyFields

  /** A rule that allows or requires the present name and denies an old one altogether only says which to use. */
  const isOnlyAboutName = (name: string, other: string, { spellings }: FieldNote): boolean =>
    name === spellings[0] && deniedParameters.get(other)?.length === 0 && (allowed.has(name) || required.has(name))

  const isDenied = (name: string, value: unknown, note: FieldNote | undefined): boolean => {
    const values = deniableValues(value)
    const holds = (other: string): boolean => values.some((each) => denied.get(other)?.(each))
    if (holds(name)) return true
    return note?.spellings.some((other) => !isOnlyAboutName(name, other, note) && holds(other)) ?? false
  }

  /** A name that only `*` allows must not get around what is said about another name of the field. */
  const isAllowed = (name: string, value: unknown, note: FieldNote | undefined): boolean => {
    const own = allowed.get(name)
    if (own) return own(value, note?.several)
    const lists = (note?.spellings ?? []).flatMap((each) => allowed.get(each) ?? [])
    return allowed.has('*') && lists.every((matches) => matches(value, note?.several))
  }

  return (sent, notes) => {
    const fields = Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value] as const)
    const names = new Set(fields.flatMap(([name]) => notes?.get(name)?.spellings ?? [name]))
    for (const name of required) if (!names.has(name)) return false
    if (fields.length === 0) return true
    if (denied.has('*')) return false
    return fields.every(([name, value]) => {
      const note = notes?.get(name)
      return !isDenied(name, value, note) && (allowsAnyField || isAllowed(name, value, note))
    })
  }
}

/** Judges a value; with `several`, a text stands for the values between its commas as well. */
type Matcher = (value: unknown, several?: boolean) => boolean
type TextOf = (value: unknown) => string | undefined

const compileLists = (lists: ParameterLists, textOf: TextOf): ReadonlyMap<string, Matcher> =>
  new Map([...lists].map(([field, values]) => [field, compileValues(values, textOf)]))

/**
 * Texts may match by `*` at either end; whatever has no text must be equal as JSON. Without values, anything matches.
 * A text for several values that matches only by `*` must match value by value too, empty ones included: else `dev-*`
 * would let in whatever follows a comma.
 */
function compileValues(values: readonly unknown[], textOf: TextOf): Matcher {
  if (values.length === 0) return () => true
  const keyOf = (value: unknown): string => {
    const text = textOf(value)
    return text === undefined ? `json ${canonicalJson(value)}` : `text ${text}`
  }
  const isGlob = (text: string): boolean => text.startsWith('*') || text.endsWith('*')
  const globs = values.flatMap((value) => textOf(value) ?? []).filter(isGlob)
  const exact = new Set(values.filter((value) => !isGlob(textOf(value) ?? '')).map(keyOf))
  const matchesGlob = (text: string): boolean => globs.some((glob) => globMatches(glob, text))
  const matchesPart = (part: string): boolean => exact.has(keyOf(part)) || matchesGlob(part)
  return (value, several = false) => {
    if (exact.has(keyOf(value))) return true
    const text = textOf(value)
    if (text === undefined || !matchesGlob(text)) return false
    return !several || text.split(',').every((part) => matchesPart(part.trim()))
  }
}

/**
 * What a field may come to mean: lists may be sent as one text with commas, numbers and booleans as text, and names are
 * compared without case further in. A denial holds for each of these, or it could be walked around by another spelling.
 */
const deniableValues = (value: unknown): unknown[] => {
  const parts = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return [value, ...parts]
}

function denialText(value: unknown): string | undefined {
  const scalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return scalar ? String(value).trim().toLowerCase() : undefined
}

/** JSON with the keys of objects in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  const inOrder = (_key: string, each: unknown): unknown =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each
  return JSON.stringify(value, inOrder) ?? 'undefined'
}
