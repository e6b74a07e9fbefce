import { type TObject, type TSchema, Type } from 'typebox'
import { toModelName } from '../model.ts'

type Members = Readonly<Record<string, TSchema>>

const identity = {
  type: Type.String({ description: 'Kind of the resource.' }),
  id: Type.String({ description: 'Identifier of the resource.' }),
}

const identifier = Type.Object(identity, { title: 'ResourceIdentifier' })

const links = (description: string) =>
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), { title: 'Links', description })

/** Descriptions of relationships by name. */
type RelationshipDescriptions = Readonly<Record<string, string>>

/** What is said about a resource in answers. */
type ShownParts = {
  readonly attributes: Members
  readonly relationships?: RelationshipDescriptions
  /** Its name in the OpenAPI document, if it is not that of its type. */
  readonly name?: string
}

/** The schema of a resource in answers, for the OpenAPI document and for the tests that check answers against it. */
export function resourceSchema(type: string | readonly string[], parts: ShownParts): TObject {
  const types = typeof type === 'string' ? [type] : type
  const name = parts.name ?? toModelName(types[0] as string)
  const relationships = Object.entries(parts.relationships ?? {}).map(([key, description]) => [
    key,
    Type.Optional(relationship(description)),
  ])
  return Type.Object(
    {
      type: types.length === 1 ? Type.Literal(types[0] as string) : Type.Union(types.map((each) => Type.Literal(each))),
      id: identity.id,
      attributes: Type.Object({ ...parts.attributes }, { title: `${name}Attributes`, 'x-sparse': true }),
      relationships: Type.Optional(Type.Object(Object.fromEntries(relationships), { title: `${name}Relationships` })),
      links: Type.Optional(links('URL of the resource.')),
    },
    { title: name },
  )
}

const relationship = (description: string): TSchema =>
  Type.Object(
    {
      data: Type.Optional(Type.Union([identifier, Type.Array(identifier), Type.Null()])),
      links: Type.Optional(links('URL of the related resource.')),
    },
    { title: 'Relationship', description },
  )

const anyMembers = (values: TSchema) => Type.Optional(Type.Record(Type.String(), values))

const included = Type.Optional(
  Type.Array(
    Type.Object(
      {
        ...identity,
        attributes: anyMembers(Type.Unknown()),
        relationships: anyMembers(relationship('Resources that it refers to.')),
        links: Type.Optional(links('URL of the resource.')),
      },
      { title: 'IncludedResource' },
    ),
    { description: 'Related resources, as requested with `include`.' },
  ),
)

const pageNumber = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const pagination = Type.Object(
  {
    'current-page': Type.Integer({ description: 'The current page.' }),
    'page-size': Type.Integer({ description: 'Entries per page.' }),
    'prev-page': pageNumber('The previous page, or null.'),
    'next-page': pageNumber('The next page, or null.'),
    'total-pages': Type.Integer({ description: 'Number of pages, at least 1.' }),
    'total-count': Type.Integer({ description: 'Number of entries on all pages.' }),
  },
  { title: 'Pagination' },
)

/** The schema of `meta.warnings`. */
const warnings = (): TSchema =>
  Type.Optional(
    Type.Array(Type.String(), { description: 'Unknown names in the request, if there were any; they were ignored.' }),
  )

/** The schema of `meta` where only warnings are in it. */
export const metaSchema: TSchema = Type.Optional(
  Type.Object({ warnings: warnings() }, { title: 'Meta', description: 'What is to be said about the request.' }),
)

/** Documents are named after the resource in them. */
const titled = ({ title }: { readonly title?: string }, suffix: string) => (title ? { title: `${title}${suffix}` } : {})

/** The schema of a document with one resource. */
export const documentSchema = (resource: TSchema): TObject =>
  Type.Object({ data: resource, included, meta: metaSchema }, titled(resource, 'Document'))

/** The schema of a document with all resources. */
export const allSchema = (resource: TSchema): TObject =>
  Type.Object(
    { data: Type.Array(resource), included, links: Type.Optional(links('Related URLs.')), meta: metaSchema },
    titled(resource, 'List'),
  )

/** The schema of one page of a list. */
export const pageSchema = (resource: TSchema): TObject =>
  Type.Object(
    {
      data: Type.Array(resource),
      included,
      links: links('Absolute URLs of this and other pages.'),
      meta: Type.Object({ pagination, warnings: warnings() }, { title: 'PageMeta' }),
    },
    titled(resource, 'Page'),
  )

/** Schemas of the values attributes have in answers, each with its description. */
export const shown = {
  /** An attribute that some answers leave out. */
  sometimes: <T extends TSchema>(schema: T) => Type.Optional(schema),
  text: (description: string) => Type.String({ description }),
  maybeText: (description: string) => Type.Union([Type.String(), Type.Null()], { description }),
  flag: (description: string) => Type.Boolean({ description }),
  whole: (description: string) => Type.Integer({ description }),
  maybeWhole: (description: string) => Type.Union([Type.Integer(), Type.Null()], { description }),
  time: (description: string) => Type.String({ format: 'date-time', description }),
  maybeTime: (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description }),
  members: (description: string, members: Members) => Type.Object({ ...members }, { description }),
  entries: (description: string, members: Members) => Type.Array(Type.Object({ ...members }), { description }),
  warnings,
  texts: (description: string) => Type.Array(Type.String(), { description }),
  flags: (names: readonly string[], description: string) =>
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Boolean({ description: name })])), { description }),
} as const

/** A resource by type and id. */
export type Identifier = { readonly type: string; readonly id: string }

/** An identifier as one text, to look it up by. */
export const keyOf = ({ type, id }: Identifier): string => `${type} ${id}`

/** How one resource refers to others. */
export type Relationship = {
  readonly data?: Identifier | readonly Identifier[] | null
  readonly links?: { readonly related: string }
}

/** A resource as it is sent. */
export type Resource = Identifier & {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, Relationship>>
  readonly links?: Readonly<Record<string, string | null>>
}
