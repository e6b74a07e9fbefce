import { endpointsOf } from '../../server/app.ts'
import { openApiDocument } from '../../server/http/openapi.ts'
import { features } from '../../server/product/index.ts'
import { version } from '../../server/version.ts'
import type { Generated } from './generator.ts'

/** Operations whose fields are flags of a command. */
const operations = [
  'admin-users.create',
  'admin-users.update',
  'cert-crls.write',
  'approle-roles.write',
  'approle-secret-ids.make',
  'cert-roles.write',
  'kv.write-metadata',
  'jwt-config.write',
  'jwt-roles.write',
  'organizations.create',
  'organizations.update',
  'projects.create',
  'projects.update',
  'snapshots.write-config',
  'teams.create',
  'teams.update',
  'tokens.create',
  'user-tokens.create',
  'vars.create',
  'vars.update',
  'workspaces.create',
  'workspaces.update',
] as const

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly description?: string
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId?: string; requestBody?: Body }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
type Body = { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }

/** The fields of each of these operations, with their kinds and what their help says. */
export async function generateCommandFields(): Promise<Generated> {
  const document = openApiDocument(endpointsOf(features, version), version) as unknown as Document
  const bodies = new Map(
    Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .map(({ operationId = '', requestBody }) => [operationId, requestBody] as const),
  )
  const parts = operations.map((name) => {
    const body = Object.values(bodies.get(name)?.content ?? {})[0]
    if (!body) throw new Error(`The operation ${name} takes no body, or is gone`)
    return `  '${name}': [\n${fieldsOf(document, body.schema).map(lineOf).join('')}  ],\n`
  })
  return {
    'cli/nouns/fields.ts': `${head}${parts.join('')}} as const satisfies Readonly<Record<string, readonly Field[]>>\n`,
  }
}

const head = `// Made from docs/api/openapi.json by \`npm run gen\`.

/** How a value is written on a command line, or the words that it may be. */
export type FieldKind = 'text' | 'flag' | 'number' | 'list' | 'map' | 'json' | readonly string[]

/** A field of a request: its name, how it is written, and what it is. */
export type Field = readonly [name: string, kind: FieldKind, description: string]

/** The fields that operations take. */
export const fields = {
`

type Field = readonly [name: string, kind: string | readonly string[], description: string]

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

const lineOf = ([name, kind, description]: Field): string => {
  const shown = typeof kind === 'string' ? quoted(kind) : `[${kind.map(quoted).join(', ')}]`
  return `    [${quoted(name)}, ${shown}, ${quoted(description)}],\n`
}

/** Documents of /api/v2 have their fields in \`data.attributes\`. */
function fieldsOf(document: Document, schema: Schema): Field[] {
  const resolve = (each: Schema): Schema => {
    const name = each.$ref?.split('/').at(-1)
    return name === undefined ? each : { ...resolve(document.components.schemas[name] ?? {}), ...each, $ref: undefined }
  }
  const member = (of: Schema, name: string): Schema | undefined => {
    const { properties = {}, anyOf = [] } = resolve(of)
    const found = properties[name] ?? anyOf.map((each) => member(each, name)).find((each) => each !== undefined)
    return found && resolve(found)
  }
  const data = member(schema, 'data')
  const attributes = resolve((data && member(data, 'attributes')) ?? schema)
  return Object.entries(attributes.properties ?? {})
    .map(([name, each]): Field => [name, kindOf(resolve(each), resolve), textOf(resolve(each))])
    .filter(([, , description]) => !/^(?:deprecated|ignored|(?:the old|older) name of)/.test(description))
}

/** The first sentence, without the marks of code. */
const textOf = ({ description = '' }: Schema): string =>
  (/^.*?(?=[.;](?:\s|$)|$)/s.exec(description)?.[0] ?? '')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .replace(/^[A-Z](?=[a-z -])/, (first) => first.toLowerCase())

function kindOf(schema: Schema, resolve: (each: Schema) => Schema): string | readonly string[] {
  const choices = (schema.enum ?? []).filter((each) => typeof each === 'string')
  if (choices.length > 0) return choices
  const all = (schema.anyOf ?? [schema]).map(resolve).filter(({ type }) => type !== 'null')
  const words = all.flatMap((each) => (typeof each.const === 'string' ? [each.const] : []))
  if (words.length === all.length) return words
  const types = all.flatMap(({ type }) => type ?? [])
  if (types.includes('boolean')) return 'flag'
  if (types.includes('array')) return 'list'
  if (types.includes('object')) return types.includes('string') ? 'map' : 'json'
  if (types.includes('string') || types.length === 0) return 'text'
  return 'number'
}
