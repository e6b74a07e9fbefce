import { hidden } from '../../../access/permissions/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { type AnswerContext, answerOne, documentSchema, showQuery } from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import { authorOf } from '../../change-log/index.ts'
import {
  type RetentionTarget,
  removeRetentionPolicy,
  retentionBody,
  retentionPolicyOf,
  retentionSchema,
  selfHosted,
  setRetentionPolicy,
  toRetentionResource,
  toTerms,
} from '../../organizations/index.ts'
import { holdWorkspace } from '../records/workspace-store.ts'
import { type OnWorkspace, onWorkspace, workspaceInPath } from '../workspace-access.ts'

const path = '/workspaces/:workspaceId/relationships/data-retention-policy'
const common = {
  params: workspaceInPath,
  returns: { 200: documentSchema(retentionSchema) },
} as const

const targetOf = ({ resource: { organizationId, id, name } }: OnWorkspace): RetentionTarget => ({
  organizationId,
  workspaceId: id,
  name,
  hold: async (tx) => {
    if (!(await holdWorkspace(tx, id))) throw hidden()
  },
})

type SetCall = Call<Record<string, string>, AnswerContext['query'], Parameters<typeof toTerms>[0], OnWorkspace>

async function set(call: SetCall): Promise<Reply> {
  const policy = await setRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject), toTerms(call.body))
  return answerOne(call, toRetentionResource(policy, { type: 'workspaces', id: call.subject.resource.id }))
}

const setBase = {
  ...common,
  access: selfHosted(onWorkspace('can-update')),
  query: showQuery(),
  body: retentionBody,
  fails: ['missing', 'invalid'],
  handle: set,
} as const

/** How long old state of one workspace is kept. */
export const workspaceRetentionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...common,
    id: 'workspaces.retention-policy',
    route: `GET ${path}`,
    summary: 'Read the effective retention policy: that of the workspace, or the default of its organization.',
    access: selfHosted(onWorkspace('can-read-run')),
    query: showQuery(),
    fails: ['missing'],
    handle: async (call) => {
      const { resource, grants } = call.subject
      const own = await retentionPolicyOf(call.deps, resource.id)
      if (own) return answerOne(call, toRetentionResource(own, { type: 'workspaces', id: resource.id }))
      const inherited = await retentionPolicyOf(call.deps, resource.organizationId)
      if (!inherited) throw hidden()
      return answerOne(call, toRetentionResource(inherited, { type: 'organizations', id: grants.organizationName }))
    },
  }),
  endpoint({
    ...setBase,
    id: 'workspaces.set-retention-policy',
    route: `POST ${path}`,
    summary: 'Set the retention policy of a workspace.',
    example: {
      request: {
        data: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': 33 } },
      },
    },
  }),
  endpoint({
    ...setBase,
    id: 'workspaces.change-retention-policy',
    route: `PATCH ${path}`,
    summary: 'Set the retention policy; same as POST.',
  }),
  endpoint({
    ...common,
    id: 'workspaces.remove-retention-policy',
    route: `DELETE ${path}`,
    summary: 'Remove the retention policy of a workspace; succeeds even if there is none.',
    access: selfHosted(onWorkspace('can-update')),
    returns: { 204: null },
    fails: ['missing'],
    handle: async (call) => {
      await removeRetentionPolicy(call.deps, authorOf(call), targetOf(call.subject))
      return nothing()
    },
  }),
])
