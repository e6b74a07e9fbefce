import { hidden } from '../../../../access/permissions/index.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, type RuleAccess } from '../../../../kit/endpoint.ts'
import {
  type AnswerContext,
  answerOne,
  attribute,
  documentSchema,
  type Identifier,
  invalidAttribute,
  type Relationship,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
  showQuery,
} from '../../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../../kit/reply.ts'
import { type RetentionPolicy, type RetentionTerms, retentionTypes } from './data-retention.ts'
import {
  type RetentionTarget,
  removeRetentionPolicy,
  retentionPolicyOf,
  setRetentionPolicy,
} from './data-retention-actions.ts'

/** Retention policies belong to the self-hosted edition; in the other one their addresses do not exist for anybody. */
const selfHosted = <S>(rule: RuleAccess<S>): RuleAccess<S> => ({
  ...rule,
  check: async (call) => {
    const subject = await rule.check(call)
    if (call.deps.settings.edition !== 'self-hosted') throw hidden()
    return subject
  },
})

/** The body that sets a policy; its type says which kind. */
const retentionBody = resourceBody([retentionTypes['delete-older'], retentionTypes['dont-delete']], {
  type: 'required',
  attributes: {
    deleteOlderThanNDays: attribute.whole('Days after which old state and configurations are deleted.', {
      minimum: 1,
      maximum: 36_500,
      example: 33,
    }),
  },
})

/** The terms of a body; a number of days is required unless the policy deletes nothing. */
function toTerms(body: {
  readonly type: string
  readonly attributes: { readonly deleteOlderThanNDays?: number }
}): RetentionTerms {
  if (body.type === retentionTypes['dont-delete']) return { kind: 'dont-delete' }
  const days = body.attributes.deleteOlderThanNDays
  if (days === undefined) throw invalidAttribute('delete-older-than-n-days', "Delete older than n days can't be blank")
  return { kind: 'delete-older', days }
}

/** A policy as answers show it. */
const retentionSchema = resourceSchema([retentionTypes['delete-older'], retentionTypes['dont-delete']], {
  name: 'RetentionPolicy',
  attributes: {
    'delete-older-than-n-days': shown.sometimes(
      shown.whole('Days after which old state and configurations are deleted.'),
    ),
  },
  relationships: { target: 'The workspace or organization it is set on.' },
})

/** A policy as a resource, with the target it is set on. */
const toRetentionResource = (policy: RetentionPolicy, target: Identifier): Resource => ({
  type: retentionTypes[policy.kind],
  id: policy.id,
  attributes: policy.kind === 'delete-older' ? { 'delete-older-than-n-days': policy.days } : {},
  relationships: { target: { data: target } },
})

/** The relationship to an explicit policy, or to none. */
export const toRetentionLink = (policy: RetentionPolicy | undefined): Relationship => ({
  data: policy ? { type: retentionTypes[policy.kind], id: policy.id } : null,
})

/** Something that may have a policy, and how documents name it. */
type PolicyHolder = { readonly targetId: string; readonly identifier: Identifier }

/** What policies are set on; `S` is what its access rules load. */
type RetentionSubject<S> = {
  /** The type of its documents, with which the ids of the endpoints begin. */
  readonly type: string
  readonly path: `/${string}`
  readonly params: NonNullable<Endpoint['params']>
  readonly mayRead: RuleAccess<S>
  readonly maySet: RuleAccess<S>
  readonly targetOf: (subject: S) => RetentionTarget
  /** Itself, then what it inherits from: the policy of the first that has one is in force. */
  readonly holdersOf: (subject: S) => readonly [PolicyHolder, ...PolicyHolder[]]
  readonly summaries: Readonly<Record<'read' | 'set' | 'remove', string>>
}

type RetentionCall<S, B = unknown> = Call<Record<string, string>, AnswerContext['query'], B, S>

async function read<S>(call: RetentionCall<S>, { holdersOf }: RetentionSubject<S>): Promise<Reply> {
  for (const { targetId, identifier } of holdersOf(call.subject)) {
    const policy = await retentionPolicyOf(call.deps, targetId)
    if (policy) return answerOne(call, toRetentionResource(policy, identifier))
  }
  throw hidden()
}

async function set<S>(
  call: RetentionCall<S, Parameters<typeof toTerms>[0]>,
  { targetOf, holdersOf }: RetentionSubject<S>,
): Promise<Reply> {
  const policy = await setRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject), toTerms(call.body))
  return answerOne(call, toRetentionResource(policy, holdersOf(call.subject)[0].identifier))
}

const example = {
  request: {
    data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 33 } },
  },
}

/** The endpoints that read, set and remove the retention policy of an organization or workspace. */
export function retentionEndpointsFor<S>(on: RetentionSubject<S>): readonly Endpoint[] {
  const path = `${on.path}/relationships/data-retention-policy` as const
  const reading = { params: on.params, query: showQuery(), returns: { 200: documentSchema(retentionSchema) } }
  const setting = {
    ...reading,
    access: selfHosted(on.maySet),
    body: retentionBody,
    fails: ['missing', 'invalid'],
    example,
    handle: (call: Parameters<typeof set<S>>[0]) => set(call, on),
  } as const
  return defineEndpoints('api/v2', [
    endpoint({
      ...reading,
      id: `${on.type}.retention-policy`,
      route: `GET ${path}`,
      summary: on.summaries.read,
      access: selfHosted(on.mayRead),
      fails: ['missing'],
      handle: (call) => read(call, on),
    }),
    endpoint({ ...setting, id: `${on.type}.set-retention-policy`, route: `POST ${path}`, summary: on.summaries.set }),
    endpoint({
      ...setting,
      id: `${on.type}.change-retention-policy`,
      route: `PATCH ${path}`,
      summary: 'Set the retention policy; same as POST.',
    }),
    endpoint({
      id: `${on.type}.remove-retention-policy`,
      route: `DELETE ${path}`,
      summary: on.summaries.remove,
      access: selfHosted(on.maySet),
      params: on.params,
      returns: { 204: null },
      fails: ['missing'],
      handle: async (call) => {
        await removeRetentionPolicy(call.deps, authorOf(call), on.targetOf(call.subject))
        return nothing()
      },
    }),
  ])
}
