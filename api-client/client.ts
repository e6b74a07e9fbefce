import createClient, { type Client, defaultPathSerializer, type FetchOptions, type Middleware } from 'openapi-fetch'
import type { components, operations, paths } from './openapi.d.ts'
import { routes, slashedPaths } from './routes.ts'

/** The schemas of the API by their names: `Schemas['Workspace']`. */
export type Schemas = components['schemas']

/** The name of an operation, such as `workspaces.list`. */
export type OperationName = keyof typeof routes

type ResponsesOf<Name extends OperationName> = operations[Name]['responses']

type ContentOf<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? undefined
    : Content[keyof Content]
  : undefined

/** What a call of an operation returns when it succeeds; undefined if the answer has no body. */
export type AnswerOf<Name extends OperationName> = {
  [Status in Exclude<keyof ResponsesOf<Name>, 'default'>]: ContentOf<ResponsesOf<Name>[Status]>
}[Exclude<keyof ResponsesOf<Name>, 'default'>]

/** What a call of an operation takes: `params` with `path` and `query`, `body`, and the options of `fetch`. */
export type InputOf<Name extends OperationName> = FetchOptions<operations[Name]>

type InputArguments<Input> = object extends Input ? [input?: Input] : [input: Input]

/** How the server is reached, and as whom. */
export type ApiClientOptions = {
  /** The address of the server; in a browser nothing, for the server of the page. */
  readonly baseUrl?: string
  /** The token of the caller; without it, the session of the page. */
  readonly token?: string
  /** Sends the requests, instead of the `fetch` of the browser. */
  readonly fetch?: (request: Request) => Promise<Response>
}

/** The API for one caller. */
export type ApiClient = {
  /** Calls an operation by its name; a refusal is thrown as `ApiFailure`. */
  call<Name extends OperationName>(name: Name, ...input: InputArguments<InputOf<Name>>): Promise<AnswerOf<Name>>
  /** Calls by method and path, returns refusals, and takes middleware. */
  readonly byPath: Client<paths>
}

/** One thing that a refusal complains about; `pointer` names the member of the document. */
export type Complaint = { readonly text: string; readonly pointer?: string }

/** A refusal of the server. */
export class ApiFailure extends Error {
  readonly status: number
  readonly complaints: readonly Complaint[]
  readonly response: Response

  constructor(response: Response, body: unknown) {
    const complaints = complaintsOf(body)
    super(complaints.map(({ text }) => text).join('; ') || `The server answered with ${response.status}.`)
    this.name = 'ApiFailure'
    this.status = response.status
    this.complaints = complaints
    this.response = response
  }
}

/** Below `/v1` errors are texts, below `/api` objects. */
function complaintsOf(body: unknown): Complaint[] {
  const { errors } = Object(body) as { errors?: unknown }
  if (!Array.isArray(errors)) return []
  return errors.map((error: unknown) => {
    if (typeof error === 'string') return { text: error }
    const { title, detail, source } = Object(error) as {
      title?: string
      detail?: string
      source?: { pointer?: string }
    }
    const text = [title, detail].filter(Boolean).join(': ')
    return source?.pointer === undefined ? { text } : { text, pointer: source.pointer }
  })
}

const documentType = 'application/vnd.api+json'

/** The types and the token as each of the two APIs wants them. */
const conventions = (token: string | undefined): Middleware => ({
  onRequest: ({ request, schemaPath }) => {
    const { headers } = request
    const isDocument = schemaPath.startsWith('/api/v2/')
    if (isDocument && headers.get('content-type') === 'application/json') headers.set('content-type', documentType)
    if (isDocument && !headers.has('accept')) headers.set('accept', documentType)
    if (token !== undefined) headers.set(...tokenHeader(schemaPath, token))
  },
})

const tokenHeader = (path: string, token: string): [name: string, value: string] =>
  path.startsWith('/v1/') ? ['x-service-token', token] : ['authorization', `Bearer ${token}`]

/** Fills a path. Where names may have slashes, the server wants them as they are. */
function fillPath(address: string, params: Record<string, unknown>): string {
  const filled = defaultPathSerializer(address, params)
  const path = address.slice(address.indexOf('/v1/'))
  return slashedPaths.has(path) ? filled.replaceAll('%2F', '/') : filled
}

/** Creates a client. Nothing is sent yet. */
export function createApiClient({ baseUrl, token, fetch }: ApiClientOptions = {}): ApiClient {
  const byPath = createClient<paths>({
    ...(baseUrl !== undefined && { baseUrl }),
    ...(fetch && { fetch }),
    pathSerializer: fillPath,
  })
  byPath.use(conventions(token))
  // The types of the operation are checked by `call`; by method and path they are the same ones.
  const request = byPath.request as unknown as (
    method: string,
    path: string,
    input: object,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>
  // All inputs and answers in one type are more than the compiler can hold at once.
  const call = async (name: OperationName, input: object = {}): Promise<unknown> => {
    const [method = '', path = ''] = routes[name].split(' ')
    const { data, error, response } = await request(method, path, input)
    if (!response.ok) throw new ApiFailure(response, error)
    return data
  }
  return { byPath, call: call as ApiClient['call'] }
}
