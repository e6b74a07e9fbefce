import type { Instant } from '../../../../kernel/clock.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import type { Members } from '../../../../kit/change-log/change-rules.ts'

/** The most bindings of one workspace, and of one project. */
export const maxBindings = 10

/** A key and its value. */
export type KeyValue = { readonly key: string; readonly value: string }

/** A tag binding of a workspace or project. */
export type TagBinding = KeyValue & {
  readonly id: string
  readonly workspaceId: string | null
  readonly projectId: string | null
  readonly createdAt: Instant
}

/** A binding in force on a workspace; inherited ones name their project. */
export type EffectiveBinding = KeyValue & { readonly inheritedFrom: string | null }

const alphabet = /^[A-Za-z0-9_.=+\-@:]*$/
const alphabetText = 'may contain only letters, numbers and _ . = + - @ :'

/** What is wrong with a key. */
export function bindingKeyProblem(key: string, reservedPrefixes: readonly string[]): string | undefined {
  if (key === '') return "can't be blank"
  if (!alphabet.test(key)) return alphabetText
  const prefix = reservedPrefixes.find((each) => key.toLowerCase().startsWith(each))
  return prefix === undefined ? undefined : `cannot begin with "${prefix}", which is reserved`
}

/** What is wrong with a value. */
export const bindingValueProblem = (value: string): string | undefined =>
  alphabet.test(value) ? undefined : alphabetText

/** The faults of a list of bindings as a whole: duplicate keys, and too many. `pointer` is that of the list. */
export function bindingListFaults(bindings: readonly KeyValue[], pointer: string): Fault[] {
  const seen = new Set<string>()
  const faults: Fault[] = []
  bindings.forEach(({ key }, index) => {
    if (seen.has(key))
      faults.push({ detail: `Key "${key}" is given twice`, pointer: `${pointer}/${index}/attributes/key` })
    seen.add(key)
  })
  if (seen.size > maxBindings) faults.push(tooManyBindings(pointer))
  return faults
}

/** The fault of more bindings than a resource can have. */
export const tooManyBindings = (pointer: string): Fault => ({
  detail: `Tag bindings cannot exceed ${maxBindings} bindings per resource`,
  pointer,
  code: 'tag-bindings.too-many',
})

/** Bindings as the change log shows them. */
export const describeBindings = (bindings: readonly KeyValue[]): Members => ({
  'tag-bindings': Object.fromEntries(bindings.map(({ key, value }) => [key, value])),
})

/** The bindings in force: direct ones, then those of the project whose key is not bound directly. */
export function effectiveBindings(
  direct: readonly KeyValue[],
  ofProject: readonly KeyValue[],
  projectId: string,
): EffectiveBinding[] {
  const own = new Set(direct.map(({ key }) => key))
  return [
    ...direct.map(({ key, value }) => ({ key, value, inheritedFrom: null })),
    ...ofProject.filter(({ key }) => !own.has(key)).map(({ key, value }) => ({ key, value, inheritedFrom: projectId })),
  ]
}
