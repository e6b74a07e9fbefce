import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { areEnvelopeMembers, declaresStatus } from '../../server/http/openapi-answers.ts'
import type { Call, Endpoint } from '../../server/kit/endpoint.ts'
import type { Feature } from '../../server/kit/feature.ts'
import type { Reply } from '../../server/kit/reply.ts'

/** Features whose answers are checked against the OpenAPI document: one that differs is answered with 500. */
export const withCheckedReplies = (feature: Feature): Feature => ({
  ...feature,
  endpoints: (feature.endpoints ?? []).map(checkEndpoint),
  mounts: (feature.mounts ?? []).map((kind) => ({ ...kind, endpoints: kind.endpoints.map(checkEndpoint) })),
})

const checkEndpoint = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  handle: (call) => {
    const reply = endpoint.handle(call)
    // A synchronous answer stays synchronous: later steps depend on it.
    return reply instanceof Promise
      ? reply.then((each) => checkReply(endpoint, call, each))
      : checkReply(endpoint, call, reply)
  },
})

function checkReply(endpoint: Endpoint, { query }: Pick<Call<unknown, unknown>, 'query'>, reply: Reply): Reply {
  const { fields } = (query ?? {}) as { fields?: ReadonlyMap<string, unknown> }
  const problem = problemOf(endpoint, reply, (fields?.size ?? 0) > 0)
  if (problem === undefined) return reply
  const text = `${endpoint.id} does not answer as it says: ${problem}`
  process.stderr.write(`${text}\n`)
  throw new Error(text)
}

function problemOf(endpoint: Endpoint, reply: Reply, isSparse: boolean): string | undefined {
  if (endpoint.api === 'v1' && reply.kind === 'bare' && !endpoint.bareAnswer) return 'there is no envelope'
  if (reply.kind === 'data' && endpoint.bareAnswer) return 'there is an envelope'
  const status = statusOf(endpoint, reply)
  if (!(status in (endpoint.returns ?? {})) && !declaresStatus(endpoint, status) && endpoint.id !== statusByCaller)
    return `status ${status} is not declared`
  const schema = endpoint.returns?.[status]
  const body = schema && bodyOf(reply, schema)
  if (!body) return undefined
  // As it is sent: undefined members are left out.
  const sent: unknown = JSON.parse(JSON.stringify(body))
  const validator = isSparse ? sparseValidatorOf(schema) : validatorOf(schema)
  // Only this check is compiled: collecting the errors takes many times as long.
  if (validator.Check(sent)) return undefined
  const [error] = validator.Errors(sent)
  return `${error?.instancePath} ${error?.message}`
}

/** Callers of this endpoint choose the status themselves. */
const statusByCaller = 'status.health'

/** The status that an answer is sent with. Reads of `/v1` that find nothing are answered with 404. */
function statusOf({ api, verb }: Endpoint, reply: Reply): number {
  if (reply.kind !== 'nothing') return reply.status ?? 200
  return reply.status ?? (api === 'v1' && (verb === 'GET' || verb === 'LIST') ? 404 : 204)
}

/** The part that the schema of an endpoint describes: for an envelope its data, or its auth. */
function bodyOf(reply: Reply, schema: TSchema): object | undefined {
  if (reply.kind === 'document') return reply.document
  if (reply.kind === 'bare') return reply.body
  if (reply.kind !== 'data') return undefined
  const names = Object.keys((schema as { properties?: object }).properties ?? {})
  if (!areEnvelopeMembers(names)) return reply.data ?? {}
  // Answers are wrapped after their endpoint has returned them.
  return names.includes('auth') ? { auth: reply.auth } : undefined
}

const validators = new WeakMap<TSchema, Validator>()
const sparseValidators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema) ?? Compile(schema)
  validators.set(schema, known)
  return known
}

/** A caller that asks for some fields gets no others, so that none of them is required; this is what the document says. */
function sparseValidatorOf(schema: TSchema): Validator {
  const known = sparseValidators.get(schema) ?? Compile(withoutRequiredFields(schema) as TSchema)
  sparseValidators.set(schema, known)
  return known
}

function withoutRequiredFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequiredFields)
  if (typeof schema !== 'object' || schema === null) return schema
  const members = Object.entries(schema).filter(([key]) => key !== 'required' || !('x-sparse' in schema))
  return Object.fromEntries(members.map(([key, value]) => [key, withoutRequiredFields(value)]))
}
