import type { Readable } from 'node:stream'
import type { Static, TObject, TSchema } from 'typebox'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { FailureKind } from '../kernel/failure.ts'
import type { Principal } from '../kernel/principal.ts'
import type { Settings } from './app-settings.ts'
import type { Deps } from './deps.ts'
import { type FieldAliases, type FieldNotes, notesOn } from './field-notes.ts'
import type { Reply } from './reply.ts'
import type { Api, RequestFacts, Verb } from './request.ts'

export { Type } from 'typebox'
export { model } from './model.ts'

export type { Api, ClientCertificate, ForwardedForm, RequestFacts, Verb } from './request.ts'

/** What a handler receives. */
export type Call<P = Record<string, string>, Q = Record<string, unknown>, B = unknown, S = unknown> = {
  readonly deps: Deps
  readonly caller: Principal
  readonly request: RequestFacts
  readonly params: P
  readonly query: Q
  readonly body: B
  /** Ends when the client went away or the request's time is over. */
  readonly signal: AbortSignal
  /** Adds a sentence to the `warnings` of a `/v1` answer. */
  readonly warn: (text: string) => void
  /** The body as a stream, for endpoints that declare `stream` bodies. */
  readonly stream: Readable
  /** The same body for those who only read it piece by piece, which costs less. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** What the access rule loaded, so that the handler need not load it again. */
  readonly subject: S
}

/** What an access rule is given: it runs before query and body are read. */
export type RuleCall = Omit<Call, 'body' | 'query'>

/** Who may call an endpoint. Every endpoint says so; nothing is open by omission. `S` is what a rule loads. */
export type Access<S = unknown> =
  /** No token needed. The reason is part of the definition. */
  | { readonly kind: 'open'; readonly why: string }
  /** A `/v1` token whose policies allow the path; with `sudo`, that capability too. A setting may open it to everybody. */
  | { readonly kind: 'acl'; readonly sudo: boolean; readonly openIf?: OpenIf | undefined }
  /** A `/v1` token if one is presented; the handler decides what it shows without. */
  | { readonly kind: 'optional'; readonly why: string }
  /** Any valid token of the API, whoever it belongs to. */
  | { readonly kind: 'authenticated' }
  /** A named rule over the caller and the addressed resource; throws to refuse, returns what it loaded. */
  | {
      readonly kind: 'rule'
      readonly name: string
      readonly check: (call: RuleCall) => Awaitable<S>
    }

type OpenIf = (settings: Settings) => boolean

/** Access by a named rule. */
export type RuleAccess<S> = Extract<Access<S>, { readonly kind: 'rule' }>

/** No token needed, for the reason given. */
export const open = (why: string): Access => ({ kind: 'open', why })

/** The caller's policies must allow the operation on this path. */
export const acl = ({ sudo = false, openIf }: { sudo?: boolean; openIf?: OpenIf } = {}): Access => ({
  kind: 'acl',
  sudo,
  openIf,
})

/** True if no token is needed, and one that is sent does not count. */
export const isOpen = (access: Access | undefined, settings: Settings): boolean =>
  access?.kind === 'open' || (access?.kind === 'acl' && access.openIf?.(settings) === true)

/** Works with and without a token, for the reason given. An invalid token is still refused. */
export const optional = (why: string): Access => ({ kind: 'optional', why })

/** Any valid token. */
export const authenticated = (): Access => ({ kind: 'authenticated' })

/** What may be noted while a body is read. */
export type ParseNotes = {
  readonly warn: (text: string) => void
  /** What the path of the request says; some clients say it again in the body. */
  readonly params: Readonly<Record<string, string>>
}

/** A limit of an endpoint's own: fixed, or what the settings of the server say. */
export type ByteLimit = number | ((settings: Settings) => number)

/** How a body of JSON is read into fields or a document. */
export type JsonShape<B> = {
  readonly kind: 'json'
  readonly schema: TSchema
  readonly parse: (raw: Record<string, unknown>, notes: ParseNotes) => B
  /** The place of a fault by the names that this body has; otherwise faults name members as they are declared. */
  readonly sentPointer?: (raw: unknown, pointer: string) => string
  readonly maxBytes?: ByteLimit
  /** The body may be left out, or be `null`. */
  readonly optional?: boolean
  /** Numbers keep the digits they were sent with, for a body that is only stored and handed back. */
  readonly verbatim?: boolean
  /** Other names it takes for its fields, such as old ones. What policies say about one name holds for all of them. */
  readonly aliases?: FieldAliases
}

/** How a body is read, or that it is left as a stream. */
export type BodyShape<B> =
  | JsonShape<B>
  | {
      readonly kind: 'stream'
      readonly schema: TSchema
      readonly contentType: string
      readonly maxBytes: number
      /** True if most of it lies in memory while the request lasts, so that it counts for what bodies may take together. */
      readonly inMemory?: boolean
    }

/** How a query is read when its parameters are more than single fields, as filters and pages of `/api/v2` are. */
export type QueryShape<T> = { readonly schema: TObject; readonly parse: (query: URLSearchParams) => T }

type QueryValue<Q> = Q extends QueryShape<infer T> ? T : Q extends TObject ? Static<Q> : never

/** An endpoint, as data: from it come the route, the checks, the OpenAPI document and the tests over all endpoints. */
export type EndpointDefinition<Q extends TObject | QueryShape<unknown>, B, S = unknown> = {
  /** `feature.verb`, unique. */
  readonly id: string
  /** `POST /certs/:name`; `:x` is one segment, `*x` several. Relative to the mount under `/v1`. */
  readonly route: `${Verb} /${string}`
  readonly summary: string
  readonly description?: string
  readonly access: Access<S>
  /** Descriptions of the path parameters; `pattern` narrows what a segment may be. */
  readonly params?: Readonly<Record<string, { description: string; pattern?: RegExp; example?: string }>>
  readonly query?: Q
  readonly body?: BodyShape<B>
  /** Request headers that change what it does, each with what it says. */
  readonly headers?: Readonly<Record<string, string>>
  /** The schema of the answer by status, for the OpenAPI document and the tests. */
  readonly returns?: Readonly<Record<number, TSchema | null>>
  /** The media type of the answer, where it is not the JSON of its API. */
  readonly mediaType?: string
  readonly example?: { readonly request?: unknown; readonly response?: unknown }
  readonly fails?: readonly FailureKind[]
  /** True where the answer is the object alone, without the envelope of `/v1`. */
  readonly bareAnswer?: boolean
  /** True where the `data` keys are also at the top level, which older clients read. */
  readonly doubleRendered?: boolean
  /** Answers while the store is sealed, too. */
  readonly whileSealed?: boolean
  /** Leaves no audit record, as questions for the status do. */
  readonly unaudited?: boolean
  /** Asked again and again by monitoring: while all is well, only `debug` writes its requests to the log. */
  readonly probed?: boolean
  /** A page of the site, or a path of the system mount, that is not held up while the database is away. */
  readonly withoutStore?: boolean
  /** Milliseconds; 0 for none. */
  readonly deadline?: number
  /** Its handler may wait long for what other callers do; when the server stops, its signal is aborted at once. */
  readonly waits?: boolean
  /** Refuses unknown parameters and members of the document, since a misspelt one would change more than was meant. */
  readonly exactNames?: boolean
  /** Why nobody can ask beforehand what a write would do: what it does besides changing the database. */
  readonly notRehearsed?: string
  /** Whether the addressed item exists. A write to one that does not asks policies for `create` in place of `update`. */
  readonly exists?: (call: Pick<Call, 'deps' | 'request' | 'params' | 'caller'>) => Promise<boolean>
  /** Whether runs may call it: the tool of one with its token, or only the runner of an apply, for what it writes. */
  readonly forRuns?: 'tool' | 'runner'
  /** Its path holds something secret (a signed address), so only the route is logged. */
  readonly secretPath?: boolean
  readonly handle: (call: Call<Record<string, string>, QueryValue<Q>, B, S>) => Awaitable<Reply>
}

/** An endpoint whose types of query and body have been forgotten. */
export type Endpoint = UntypedDefinition & {
  readonly api: Api
  /** The type of the mounts it belongs to; undefined outside `/v1`. */
  readonly mountType: string | undefined
  /** Which variant of the type has it, if there are several. */
  readonly variant?: string | undefined
  /** Where a mount of the type usually is, without slashes around; there the OpenAPI document shows it. */
  readonly usualMount?: string | undefined
  readonly verb: Verb
  readonly path: string
  /** What policies have to know of its fields; put together once, so that requests need not. */
  readonly fieldNotes?: FieldNotes | undefined
}

type UntypedDefinition = EndpointDefinition<TObject | QueryShape<unknown>, unknown>

/** Declares one endpoint, keeping the types of its query, its body and what its access rule loads for the handler. */
export function endpoint<Q extends TObject | QueryShape<unknown> = TObject, B = unknown, S = unknown>(
  definition: EndpointDefinition<Q, B, S>,
): UntypedDefinition {
  return definition as unknown as UntypedDefinition
}

/** The schema of an endpoint's query, whichever way it is declared. */
export const querySchema = ({ query }: Pick<Endpoint, 'query'>): TObject | undefined =>
  query && 'parse' in query ? (query as QueryShape<unknown>).schema : (query as TObject | undefined)

/** An endpoint of an auth method or a secrets engine; its route is relative to the mount. */
export type MountEndpoint = UntypedDefinition

/** The mounts of `/v1` that endpoints belong to. */
export type MountedAt = { readonly mountType: string; readonly usualMount: string; readonly variant?: string }

/** Says of such an endpoint where it belongs. */
export const completeMountEndpoint = (at: MountedAt, definition: MountEndpoint): Endpoint =>
  completeEndpoint('v1', at, definition)

/** Declares endpoints below `sys/`, where many features have some. Auth methods and engines list theirs in their kind. */
export const defineSystemEndpoints = (definitions: readonly MountEndpoint[]): readonly Endpoint[] =>
  definitions.map((definition) => completeMountEndpoint({ mountType: 'system', usualMount: 'sys' }, definition))

/** Declares endpoints below `/api/v2` or `/api/runner/v1`, or of the site itself. */
export const defineEndpoints = (
  api: 'api/v2' | 'api/runner/v1' | 'site',
  definitions: readonly UntypedDefinition[],
): readonly Endpoint[] => definitions.map((definition) => completeEndpoint(api, { mountType: undefined }, definition))

/** What a name in a path of `/v1` may be; anything else is an unknown path. */
const nameInPath = /^\w(?:[\w.-]*\w)?$/

function completeEndpoint(
  api: Api,
  at: MountedAt | { readonly mountType: undefined },
  definition: UntypedDefinition,
): Endpoint {
  const [verb, path] = definition.route.split(' ') as [Verb, string]
  const params = api === 'v1' ? withNamePatterns(path, definition.params ?? {}) : definition.params
  const fieldNotes = api === 'v1' ? notesOf(definition) : undefined
  return { ...definition, ...at, params, api, verb, path, fieldNotes }
}

/** The fields of a write are in its body, those of anything else in the query. */
const notesOf = ({ body, query }: UntypedDefinition): FieldNotes | undefined =>
  body ? notesOn(body.schema, body.kind === 'json' ? body.aliases : undefined) : notesOn(querySchema({ query }))

function withNamePatterns(
  path: string,
  declared: NonNullable<UntypedDefinition['params']>,
): NonNullable<UntypedDefinition['params']> {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const completed = names.map((name) => {
    const param = declared[name] ?? { description: `The ${name}.` }
    return [name, { ...param, pattern: param.pattern ?? nameInPath }] as const
  })
  return { ...declared, ...Object.fromEntries(completed) }
}
