import type { OperationName } from '../../api-client/client.ts'
import {
  callOperation,
  type OperationInput,
  type Page,
  pageOf,
  pagesOf,
  type Resource,
  resourceOf,
} from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure } from '../io.ts'
import { findNamed, type ResourceKind, resourceKind, type Scope } from './lookup.ts'
import type { Result, Row, Session, Verb, VerbArgument, VerbFlag } from './noun.ts'

/** A resource as people and programs want it: attributes and ids of related resources, side by side. */
export function flat({ id, attributes, relationships = {} }: Resource): Row {
  const related = Object.entries(relationships).flatMap(([name, { data }]) => {
    const ids = Array.isArray(data) ? data.map((each) => Object(each).id) : (Object(data).id ?? null)
    return data === undefined || name in attributes ? [] : [[name, ids]]
  })
  return { id, ...attributes, ...Object.fromEntries(related) }
}

/** Flags of nouns that live in an organization. */
export const organizationFlag: VerbFlag = {
  term: '--organization <name>',
  text: 'the organization; the only one there is, unless HOLDFAST_ORGANIZATION names one',
  names: 'organization',
}

/** Accepted by lists that have one page too, so that it can be typed without a thought. */
export const allFlag: VerbFlag = { term: '--all', text: 'show all of them, not only one page' }

const pageFlags: readonly VerbFlag[] = [
  allFlag,
  { term: '--page <number>', text: 'which page to show' },
  { term: '--limit <number>', text: 'how many to a page, at most 100' },
]

/** A flag that narrows a list. */
export type Filter = VerbFlag & {
  /** The parameters of the request for what was given. */
  readonly query: (
    given: string | boolean | string[],
    session: Session,
  ) => OperationInput['query'] | Promise<OperationInput['query']>
}

type ListOptions = {
  readonly operation: OperationName
  readonly description: string
  readonly columns: readonly string[]
  readonly example: string
  readonly place?: (session: Session) => Promise<Readonly<Record<string, string>>>
  readonly arguments?: readonly VerbArgument[]
  readonly flags?: readonly VerbFlag[]
  readonly filters?: readonly Filter[]
  /** What is sent whatever was given. */
  readonly query?: (session: Session) => Promise<OperationInput['query']>
  /** False for lists that the server sends as a whole. */
  readonly hasPages?: false
  /** A relationship that a table shows by the name of the other resource. */
  readonly include?: string
}

/** `list`: one page, or all of them. */
export function listVerb(options: ListOptions): Verb {
  const { description, columns, example, filters = [], flags = [], hasPages = true } = options
  return {
    name: 'list',
    description,
    ...(options.arguments && { arguments: options.arguments }),
    flags: [...filters, ...flags, ...(hasPages ? pageFlags : [allFlag])],
    example,
    run: async (session) => {
      const path = await options.place?.(session)
      const query = {
        include: options.include,
        ...(await options.query?.(session)),
        ...(await queryOf(session, filters)),
      }
      const page = await readPages(session, options, { ...(path && { path }), query })
      const hint = hintOf(page)
      const data = page.resources.map(flat)
      return { rows: withNames(data, page.included, options.include), data, columns, ...(hint && { hint }) }
    },
  }
}

function withNames(rows: readonly Row[], included: readonly Resource[], relationship?: string): readonly Row[] {
  if (relationship === undefined) return rows
  const names = new Map(included.map(({ id, attributes }) => [id, attributes.name]))
  return rows.map((row) => ({ ...row, [relationship]: names.get(String(row[relationship])) ?? row[relationship] }))
}

async function readPages(session: Session, { operation, hasPages }: ListOptions, input: OperationInput): Promise<Page> {
  const { all, page, limit } = session.flags
  if (all && hasPages !== false) {
    const pages = await Array.fromAsync(pagesOf(session.client, operation, input))
    return { resources: pages.flatMap((each) => each.resources), included: pages.flatMap((each) => each.included) }
  }
  const paging = { 'page[number]': page, 'page[size]': limit }
  return pageOf(await callOperation(session.client, operation, { ...input, query: { ...input.query, ...paging } }))
}

async function queryOf(session: Session, filters: readonly Filter[]): Promise<Record<string, unknown>> {
  const query: Record<string, unknown> = {}
  for (const { term, query: ask } of filters) {
    const given = session.flags[flagName(term)]
    if (given !== undefined) Object.assign(query, await ask(given as string | boolean | string[], session))
  }
  return query
}

/** The name of a flag as commander has it. */
const flagName = (term: string): string =>
  (/^--(?:no-)?([\w-]+)/.exec(term)?.[1] ?? '').replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

const hintOf = ({ resources, nextPage, totalCount }: Page): string | undefined =>
  nextPage === undefined
    ? undefined
    : `${resources.length}${totalCount === undefined ? '' : ` of ${totalCount}`} are shown; --all shows every one, --page ${nextPage} the next.`

/** The word that names what a verb is about. */
export const target = (kind: ResourceKind): VerbArgument => ({
  term: `<${kind}>`,
  text: `${resourceKind(kind).called} or id`,
  names: kind,
})

type About = {
  readonly kind: ResourceKind
  readonly flags?: readonly VerbFlag[]
}

type ShowOptions = About & {
  readonly example: string
  readonly columns?: readonly string[]
  readonly description: string
}

/** `show`: one resource. */
export const showVerb = ({ kind, flags = [], description, example, columns }: ShowOptions): Verb => ({
  name: 'show',
  description,
  arguments: [target(kind)],
  flags,
  example,
  run: async (session) => resultOf(await findNamed(session, kind, session.word(0)), columns),
})

/** A resource as a result. */
export const resultOf = (resource: Resource, columns?: readonly string[]): Result => ({
  row: flat(resource),
  ...(columns && { columns }),
})

type Relationships = Readonly<Record<string, unknown>>

/** A body with one resource. */
export const documentOf = (type: string, attributes: object, relationships: Relationships = {}): object => ({
  data: { type, attributes, ...(Object.keys(relationships).length > 0 && { relationships }) },
})

/** A reference to another resource. */
export const reference = (type: string, id: string): { data: { type: string; id: string } } => ({ data: { type, id } })

type CreateOptions = {
  readonly operation: OperationName & NonNullable<Verb['fieldsOf']>['operation']
  readonly type: string
  /** The attribute that the first word gives. */
  readonly called: string
  readonly description: string
  readonly example: string
  readonly flags?: readonly VerbFlag[]
  readonly without?: readonly string[]
  /** Attributes that must be there and were not given. */
  readonly defaults?: Readonly<Record<string, unknown>>
  readonly columns?: readonly string[]
  readonly place?: (scope: Scope) => Promise<Readonly<Record<string, string>>>
  readonly relationships?: (session: Session) => Promise<Relationships>
}

/** `create`: a resource from a name and its attributes. */
export const createVerb = (options: CreateOptions): Verb => ({
  name: 'create',
  description: options.description,
  arguments: [{ term: `<${options.called}>`, text: `${options.called} of the new one` }],
  flags: options.flags ?? [],
  fieldsOf: { operation: options.operation, without: [options.called, ...(options.without ?? [])] },
  example: options.example,
  run: async (session) => {
    const path = await options.place?.(session)
    const attributes = { ...options.defaults, ...(await session.fields()), [options.called]: session.word(0) }
    const body = documentOf(options.type, attributes, await options.relationships?.(session))
    const answer = await callOperation(session.client, options.operation, { ...(path && { path }), body })
    return resultOf(resourceOf(answer), options.columns)
  },
})

type UpdateOptions = About & {
  readonly operation: OperationName & NonNullable<Verb['fieldsOf']>['operation']
  readonly type: string
  readonly description: string
  readonly example: string
  readonly without?: readonly string[]
  readonly columns?: readonly string[]
}

/** `update`: changes attributes of a resource, and leaves the others. */
export const updateVerb = ({
  kind,
  operation,
  type,
  description,
  example,
  flags = [],
  without = [],
  columns,
}: UpdateOptions): Verb => ({
  name: 'update',
  description,
  arguments: [target(kind)],
  flags,
  fieldsOf: { operation, without },
  example,
  run: async (session) => {
    const attributes = await session.fields()
    if (Object.keys(attributes).length === 0) throw nothingToChange(`${kind} update`)
    const { path } = await located(session, kind)
    const answer = await callOperation(session.client, operation, { path, body: documentOf(type, attributes) })
    return resultOf(resourceOf(answer), columns)
  },
})

/** An update that says nothing is a mistake. */
export const nothingToChange = (command: string): CliFailure =>
  new CliFailure(`Nothing to change. Give a flag, or key=value; 'holdfast ${command} --help' lists them.`)

/** What the first word names, and the parameters of paths to it. */
export async function located(
  session: Session,
  kind: ResourceKind,
): Promise<{ resource: Resource; path: Record<string, string> }> {
  const { parameter, place } = resourceKind(kind)
  const resource = await findNamed(session, kind, session.word(0))
  const around = kind === 'variable' ? await place(session) : {}
  return { resource, path: { ...around, [parameter]: resource.id } }
}

type DeleteOptions = About & {
  readonly operation: OperationName | ((session: Session) => OperationName)
  readonly description: string
  readonly example: string
  /** What is lost with it. */
  readonly stakes?: (resource: Resource) => string
}

/** `delete`: removes a resource, after a question. */
export const deleteVerb = ({ kind, operation, description, example, flags = [], stakes }: DeleteOptions): Verb => ({
  name: 'delete',
  description,
  arguments: [target(kind)],
  flags,
  example,
  asks: true,
  run: async (session) => {
    const { resource, path } = await located(session, kind)
    const name = String(resource.attributes[resourceKind(kind).called])
    await confirm(
      session.io,
      session.flags.yes === true,
      async () => `This deletes the ${kind} '${name}'${stakes ? `, ${stakes(resource)}` : ''}.`,
    )
    await callOperation(session.client, typeof operation === 'string' ? operation : operation(session), { path })
    return { done: `Deleted: ${name}`, row: { id: resource.id, deleted: true } }
  },
})
