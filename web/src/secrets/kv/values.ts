/** A secret as it is written. */
export type Value = Readonly<Record<string, unknown>>

/** A name and its value, as they are typed. */
export type Line = { readonly name: string; readonly text: string }

/** A value as people read it: texts as they are, the rest as JSON. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** The lines of a secret; undefined if it has more than texts, which only JSON can say. */
export function linesOf(value: Value): readonly Line[] | undefined {
  const lines = Object.entries(value)
  return lines.every(([, text]) => typeof text === 'string')
    ? lines.map(([name, text]) => ({ name, text: text as string }))
    : undefined
}

/** What keeps lines from being a secret; undefined if nothing does. */
export function lineProblem(lines: readonly Line[]): string | undefined {
  const names = lines.map(({ name }) => name)
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at)
  if (twice !== undefined) return `The key ${twice} is there twice.`
  if (lines.some(({ name, text }) => name === '' && text !== '')) return 'A value has no key yet.'
  return names.some((name) => name !== '') ? undefined : 'Give it a key first.'
}

/** The secret that lines say; those without a key are left out. */
export const valueFrom = (lines: readonly Line[]): Value =>
  Object.fromEntries(lines.filter(({ name }) => name !== '').map(({ name, text }) => [name, text]))

/** The secret that JSON says, or what is wrong with it. */
export function parseValue(json: string): { readonly value: Value } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: value as Value }
    return { problem: 'It must be an object: {"key": "value"}.' }
  } catch {
    // The message of the parser repeats what was typed, which is secret.
    return { problem: 'It is not JSON yet.' }
  }
}

/** True if a number in it is too large for a browser, which would write another one. */
export function hasHugeNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHugeNumber)
}

/** What became of a version. */
export type Fate = 'current' | 'kept' | 'deleted' | 'destroyed'

type Version = { readonly deletion_time: string; readonly destroyed: boolean }

/** A version may be told in advance when it will be deleted. */
export function fateOf({ deletion_time, destroyed }: Version, isCurrent: boolean, now = Date.now()): Fate {
  if (destroyed) return 'destroyed'
  if (deletion_time !== '' && Date.parse(deletion_time) <= now) return 'deleted'
  return isCurrent ? 'current' : 'kept'
}
