import type { Included } from '../names.ts'

/** A tag with its value; flat tags have none. */
export type ShownTag = { readonly key: string; readonly value: string }

/** Tags as they are shown: those of the workspace, and those that it has from its project. */
export type ShownTags = { readonly own: readonly ShownTag[]; readonly inherited: readonly ShownTag[] }

/** Tells bindings of the workspace from inherited ones, and adds its flat tags. */
export function shownTags(bindings: readonly Included[], flat: readonly string[]): ShownTags {
  const own: ShownTag[] = []
  const inherited: ShownTag[] = []
  for (const binding of bindings) {
    const { key = '', value } = Object(binding.attributes) as { key?: string; value?: string }
    const relationships = Object(binding) as { relationships?: { 'inherited-from'?: unknown } }
    const list = relationships.relationships?.['inherited-from'] === undefined ? own : inherited
    list.push({ key, value: value ?? '' })
  }
  const bound = new Set([...own, ...inherited].map(({ key }) => key))
  return { own: [...own, ...flat.filter((name) => !bound.has(name)).map((key) => ({ key, value: '' }))], inherited }
}

/** Reads "env=prod": what stands before the first sign is the key. */
export function parseTag(text: string): ShownTag {
  const [key = '', ...value] = text.trim().split('=')
  return { key: key.trim(), value: value.join('=').trim() }
}

/** Writes a tag the way that it is typed. */
export const tagText = ({ key, value }: ShownTag): string => (value === '' ? key : `${key}=${value}`)

/** What has to be sent so that a workspace has these tags of its own. */
export type TagChange = {
  readonly bindings: readonly ShownTag[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Tags with a value are bindings, those without are flat; a binding without a value stays one. */
export function tagChange(before: readonly ShownTag[], flat: readonly string[], after: readonly string[]): TagChange {
  const wanted = after.map(parseTag).filter(({ key }) => key !== '')
  const boundBefore = new Set(before.filter(({ key }) => !flat.includes(key)).map(({ key }) => key))
  const bindings = wanted.filter(({ key, value }) => value !== '' || boundBefore.has(key))
  const flatWanted = wanted.filter(({ key, value }) => value === '' && !boundBefore.has(key)).map(({ key }) => key)
  return {
    bindings,
    added: flatWanted.filter((name) => !flat.includes(name)),
    removed: flat.filter((name) => !flatWanted.includes(name)),
  }
}

const alphabet = /^[A-Za-z0-9_.=+\-@:]*$/

/** What is wrong with a list of tags; undefined if nothing is. */
export function tagsProblem(texts: readonly string[]): string | undefined {
  const keys = texts.map((text) => parseTag(text).key)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) return `${twice} is there twice.`
  const odd = texts.find((text) => !alphabet.test(text.trim()))
  if (odd !== undefined) return `${odd} has a sign that tags cannot have: letters, digits and _ . + - @ : are possible.`
  return keys.includes('') ? 'A tag needs a name before the sign "=".' : undefined
}
