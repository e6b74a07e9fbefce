import { type TSchema, Type } from 'typebox'
import type { QueryShape } from '../endpoint.ts'
import { type PageRequest, pageSizes, readPage } from './paging.ts'
import {
  foldParameters,
  type Parameter,
  readInclude,
  readSort,
  readSparseFields,
  refuseIgnored,
  type SentParameters,
  type Sort,
  type SparseFields,
} from './parameters.ts'

/** Parameters by their names in code. */
type ParameterShape = Readonly<Record<string, Parameter<unknown>>>

/** The values of parameters by their names in code. */
export type ParameterValues<P extends ParameterShape> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

/** What the query of a read may declare. */
type ShowQueryShape<P extends ParameterShape> = {
  /** Paths that can be included, in snake case: `current_run.plan`. */
  readonly include?: readonly string[]
  readonly parameters?: P
}

/** The query of a read of one resource. */
export type ShowQuery<P extends ParameterShape = Record<never, never>> = {
  readonly include: ReadonlySet<string>
  readonly fields: SparseFields
} & ParameterValues<P>

/** What the query of a list may declare. */
type ListQueryShape<P extends ParameterShape, K extends string> = ShowQueryShape<P> & {
  readonly sort?: readonly K[]
}

/** The query of a list. */
export type ListQuery<P extends ParameterShape = Record<never, never>, K extends string = string> = ShowQuery<P> & {
  readonly page: PageRequest
  readonly sort: Sort<K> | undefined
}

/** Declares the query of a read of one resource: what can be included, and sparse fields. */
export function showQuery<P extends ParameterShape = Record<never, never>>(
  shape: ShowQueryShape<P> = {},
): QueryShape<ShowQuery<P>> {
  return {
    schema: Type.Object(showSchemas(shape)),
    parse: (query) => readShow(shape, foldParameters(query)),
  }
}

/** Declares the query of a list: pages, filters, searches, order, what can be included. */
export function listQuery<P extends ParameterShape = Record<never, never>, const K extends string = never>(
  shape: ListQueryShape<P, K> = {},
): QueryShape<ListQuery<P, K>> {
  const size = `Entries per page; ${pageSizes.standard} by default, at most ${pageSizes.largest}.`
  const schemas: Record<string, TSchema> = {
    'page[number]': Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page number.' })),
    'page[size]': Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizes.largest, description: size })),
    ...showSchemas(shape),
  }
  if (shape.sort) schemas.sort = Type.Optional(Type.String({ description: sortText(shape.sort) }))
  return {
    schema: Type.Object(schemas),
    parse: (query) => {
      const sent = foldParameters(query)
      return { ...readShow(shape, sent), page: readPage(sent), sort: shape.sort && readSort(sent, shape.sort) }
    },
  }
}

/** Declares the query of a change to all that a list finds: its filters and searches alone, of which none is ignored. */
export function selectionQuery<P extends ParameterShape>(parameters: P): QueryShape<ParameterValues<P>> {
  return {
    schema: Type.Object(documented(parameters)),
    parse: (query) => {
      const sent = foldParameters(query)
      refuseIgnored(sent, Object.values(parameters))
      return readValues(parameters, sent)
    },
  }
}

const sortText = (keys: readonly string[]): string =>
  `Sort key: one of ${keys.join(', ')}; prefix it with "-" to reverse the order.`

function showSchemas(shape: ShowQueryShape<ParameterShape>): Record<string, TSchema> {
  const include = { description: `Related resources to include: ${shape.include?.join(', ')}.` }
  return {
    ...documented(shape.parameters ?? {}),
    ...(shape.include?.length ? { include: Type.Optional(Type.String(include)) } : {}),
    fields: Type.Optional(Type.Record(Type.String(), Type.String(), { description: fieldsText })),
  }
}

const fieldsText =
  'Attributes and relationships to show of each type, separated by commas, such as `fields[workspaces]=name,locked`; ' +
  'all of them for types that are not named.'

const documented = (parameters: ParameterShape): Record<string, TSchema> =>
  Object.fromEntries(
    Object.values(parameters).flatMap(({ schemas }) =>
      Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)]),
    ),
  )

function readShow<P extends ParameterShape>(shape: ShowQueryShape<P>, sent: SentParameters): ShowQuery<P> {
  return {
    ...readValues(shape.parameters ?? {}, sent),
    include: readInclude(sent, shape.include ?? []),
    fields: readSparseFields(sent),
  } as ShowQuery<P>
}

const readValues = <P extends ParameterShape>(parameters: P, sent: SentParameters): ParameterValues<P> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, declared]) => [name, declared.read(sent)]),
  ) as ParameterValues<P>
