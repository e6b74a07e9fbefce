import type { Json } from './openapi-compact.ts'

/** Two operations of one path as one: what it does without `list=true`, and with it. */
export function withListing(read: Json, list: Json): Json {
  const { description } = read
  const note = `With \`list=true\`: ${list.summary}`
  return {
    ...read,
    description: typeof description === 'string' ? `${description} ${note}` : note,
    'x-list': list.operationId,
    parameters: mergedParameters(read.parameters as Json[], list.parameters as Json[]),
    responses: mergedResponses(read.responses as Json, list.responses as Json),
  }
}

const keyOf = ({ name, in: place, $ref }: Json): string => `${place} ${name} ${$ref}`

function mergedParameters(read: readonly Json[], list: readonly Json[]): Json[] {
  const known = new Set(read.map(keyOf))
  const more = list.filter((each) => !known.has(keyOf(each)))
  return [...read, ...more.map(({ required: _, ...each }) => each)]
}

function mergedResponses(read: Json, list: Json): Json {
  const statuses = [...new Set([...Object.keys(read), ...Object.keys(list)])].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      mergedResponse(read[status] as Json | undefined, list[status] as Json | undefined),
    ]),
  )
}

function mergedResponse(read: Json | undefined, list: Json | undefined): Json | undefined {
  const one = contentOf(read)
  const other = contentOf(list)
  if (!read || !one || !other) return read ?? list
  const [[type, { schema, ...rest }]] = one
  const [[, { schema: listed }]] = other
  if (JSON.stringify(schema) === JSON.stringify(listed)) return read
  return { ...read, content: { [type]: { ...rest, schema: { anyOf: [schema, listed] } } } }
}

type Content = readonly [readonly [type: string, content: Json]]

function contentOf(response: Json | undefined): Content | undefined {
  const entries = Object.entries((response?.content ?? {}) as Record<string, Json>)
  return entries.length === 0 ? undefined : (entries as unknown as Content)
}
