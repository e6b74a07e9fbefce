/** A part of the document. */
export type Json = Record<string, unknown>

/** What readers of fields and checks of answers go by, and nobody else. */
const internal = ['x-field', 'x-shown', 'x-sparse']

/**
 * The schema in the fewest keywords: choices of texts as `enum`, `null` as a further type, maps as
 * `additionalProperties`. Tools that generate clients understand these best.
 */
export function compact(schema: Json): Json {
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
