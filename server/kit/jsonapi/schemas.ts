import { type TObject, type TSchema, Type } from 'typebox'

type Members = Readonly<Record<string, TSchema>>

const identifier = Type.Object({
  type: Type.String({ description: 'Kind of the resource.' }),
  id: Type.String({ description: 'Identifier of the resource.' }),
})

const links = (description: string) =>
  Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), { description })

/** Descriptions of relationships by name. */
export type RelationshipDescriptions = Readonly<Record<string, string>>

/** The schema of a resource in answers, for the OpenAPI document and for the tests that check answers against it. */
export function resourceSchema(
  type: string | readonly string[],
  parts: { readonly attributes: Members; readonly relationships?: RelationshipDescriptions },
): TObject {
  const types = typeof type === 'string' ? [type] : type
  const relationships = Object.entries(parts.relationships ?? {}).map(([name, description]) => [
    name,
    Type.Optional(relationship(description)),
  ])
  return Type.Object({
    type: types.length === 1 ? Type.Literal(types[0] as string) : Type.Union(types.map((each) => Type.Literal(each))),
    id: Type.String({ description: 'Identifier of the resource.' }),
    attributes: Type.Optional(Type.Object({ ...parts.attributes })),
    relationships: Type.Optional(Type.Object(Object.fromEntries(relationships))),
    links: Type.Optional(links('URL of the resource.')),
  })
}

const relationship = (description: string): TSchema =>
  Type.Object(
    {
      data: Type.Optional(Type.Union([identifier, Type.Array(identifier), Type.Null()])),
      links: Type.Optional(links('URL of the related resource.')),
    },
    { description },
  )

const included = Type.Optional(
  Type.Array(Type.Intersect([identifier, Type.Record(Type.String(), Type.Unknown())]), {
    description: 'Related resources, as requested with `include`.',
  }),
)

const pageNumber = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const pagination = Type.Object({
  'current-page': Type.Integer({ description: 'The current page.' }),
  'page-size': Type.Integer({ description: 'Entries per page.' }),
  'prev-page': pageNumber('The previous page, or null.'),
  'next-page': pageNumber('The next page, or null.'),
  'total-pages': Type.Integer({ description: 'Number of pages, at least 1.' }),
  'total-count': Type.Integer({ description: 'Number of entries on all pages.' }),
})

/** The schema of a document with one resource. */
export const documentSchema = (resource: TSchema): TObject => Type.Object({ data: resource, included })

/** The schema of a document with all resources. */
export const allSchema = (resource: TSchema): TObject =>
  Type.Object({ data: Type.Array(resource), included, links: Type.Optional(links('Related URLs.')) })

/** The schema of one page of a list. */
export const pageSchema = (resource: TSchema): TObject =>
  Type.Object({
    data: Type.Array(resource),
    included,
    links: links('Absolute URLs of this and other pages.'),
    meta: Type.Object({ pagination }),
  })

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
  texts: (description: string) => Type.Array(Type.String(), { description }),
  flags: (names: readonly string[], description: string) =>
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Boolean({ description: name })])), { description }),
} as const
