import type { OperationName } from '../../api-client/client.ts'
import { routes } from '../../api-client/routes.ts'
import { type Answer, type Call, type Client, isEmptyAnswer } from './client.ts'

/** What goes into a call of an operation. */
export type OperationInput = {
  readonly path?: Readonly<Record<string, string>>
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
  /** Where a method of `/v1/auth` is mounted, if not at its usual place. */
  readonly mount?: string
}

/**
 * The request for an operation. The client that browsers use is not used here: what it is built on takes Node as long to
 * load as a whole command may take.
 */
export function requestOf(name: OperationName, { path = {}, query = {}, body, mount }: OperationInput = {}): Call {
  const [method = '', route = ''] = routes[name].split(' ')
  const filled = route.replace(/\{([^}]+)\}/g, (_all, parameter: string) => encodeURIComponent(path[parameter] ?? ''))
  const target = mount === undefined ? filled : filled.replace(/^\/v1\/auth\/[^/]+/, `/v1/auth/${mount}`)
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(sent.map(([key, value]) => [key, String(value)])).toString()
  return { method, path: search ? `${target}?${search}` : target, ...(body !== undefined && { body }) }
}

/** Calls an operation by its name, and refuses answers of 400 and above with what the server said. */
export const callOperation = (client: Client, name: OperationName, input?: OperationInput): Promise<Answer> =>
  client.call(requestOf(name, input))

/** The same, with undefined for what is not there. */
export async function findByOperation(
  client: Client,
  name: OperationName,
  input?: OperationInput,
): Promise<unknown | undefined> {
  const call = requestOf(name, input)
  const answer = await client.ask(call)
  return isAbsence(answer) ? undefined : client.requireSuccess(call, answer).body
}

/** A revocation list that is not there is a bad request in this API. */
function isAbsence({ status, body }: Answer): boolean {
  const { errors } = Object(body) as { errors?: readonly unknown[] }
  return status === 404 || (status === 400 && String(errors?.[0]).startsWith('no such'))
}

/** A resource of `/api/v2`. */
export type Resource = {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown }>>
}

/** The resource that an answer is about. */
export const resourceOf = ({ body }: Pick<Answer, 'body'>): Resource => (body as { data: Resource }).data

/** One page of a list, and what is beyond it. */
export type Page = {
  readonly resources: readonly Resource[]
  /** Related resources, if they were asked for. */
  readonly included: readonly Resource[]
  readonly nextPage?: number
  readonly totalCount?: number
}

/** The resources of an answer with a list. */
export function pageOf({ body }: Pick<Answer, 'body'>): Page {
  const { data, included, meta } = body as {
    data: readonly Resource[]
    included?: readonly Resource[]
    meta?: { pagination?: Readonly<Record<string, unknown>> }
  }
  const { 'next-page': nextPage, 'total-count': totalCount } = meta?.pagination ?? {}
  return {
    resources: data,
    included: included ?? [],
    ...(typeof nextPage === 'number' && { nextPage }),
    ...(typeof totalCount === 'number' && { totalCount }),
  }
}

/** The pages of a list, as large as the server sends them, one after another. */
export async function* pagesOf(client: Client, name: OperationName, input: OperationInput): AsyncGenerator<Page> {
  for (let number: number | undefined = 1; number !== undefined; ) {
    const query = { ...input.query, 'page[size]': 100, 'page[number]': number }
    const page: Page = pageOf(await callOperation(client, name, { ...input, query }))
    yield page
    number = page.nextPage
  }
}

/** The first resource of a list that is wanted; no more pages are read than that takes. */
export async function findResource(
  pages: AsyncIterable<Page>,
  isWanted: (resource: Resource) => boolean,
): Promise<Resource | undefined> {
  for await (const { resources } of pages) {
    const found = resources.find(isWanted)
    if (found) return found
  }
  return undefined
}

/** An entry of a list of `/v1`: its key, and what the list tells about it. */
export type Entry = Readonly<Record<string, unknown>> & { readonly name: string }

/** The entries of a list of `/v1`; an empty one is answered without data. */
export async function listEntries(client: Client, name: OperationName, input: OperationInput = {}): Promise<Entry[]> {
  const call = requestOf(name, { ...input, query: { list: true, ...input.query } })
  const answer = await client.ask(call)
  if (isEmptyAnswer(answer)) return []
  const { data } = client.requireSuccess(call, answer).body as {
    data: { keys: readonly string[]; key_info?: Readonly<Record<string, object>> }
  }
  return data.keys.map((key) => ({ ...data.key_info?.[key], name: key }))
}
