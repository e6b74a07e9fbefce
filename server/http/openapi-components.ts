import { toPascal, toSingular } from '../kit/model.ts'
import { compact, type Json } from './openapi-compact.ts'

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
