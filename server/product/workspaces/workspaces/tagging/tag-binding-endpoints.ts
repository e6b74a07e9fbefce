import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { allSchema, answerAll, showQuery } from '../../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../../kit/reply.ts'
import { namedWorkspaceInPath, type OnWorkspace, onWorkspace, workspaceInPath } from '../workspace-access-actions.ts'
import { redirectIfRenamed } from '../workspace-endpoints.ts'
import { effectiveBindings, type TagBinding } from './tag-binding.ts'
import { mergeWorkspaceBindings, replaceWorkspaceBindings } from './tag-binding-actions.ts'
import { loadBindings } from './tag-binding-store.ts'
import {
  anyBindingsBody,
  bindingSchema,
  bindingsBody,
  effectiveBindingSchema,
  sentBindings,
  toBindingResource,
  toEffectiveBindingResource,
} from './tag-fields.ts'

type BindingCall<B = unknown> = Call<Record<string, string>, Parameters<typeof answerAll>[0]['query'], B, OnWorkspace>

const answer = (call: BindingCall, bindings: readonly TagBinding[]): Reply =>
  answerAll(call, bindings.map(toBindingResource), {
    links: { target: `/api/v2/workspaces/${call.subject.resource.id}` },
  })

const list = async (call: BindingCall): Promise<Reply> =>
  answer(call, await loadBindings(call.deps.db, 'workspace_id', [call.subject.resource.id]))

const readBase = {
  access: onWorkspace('can-read-run'),
  query: showQuery(),
  returns: { 200: allSchema(bindingSchema) },
  fails: ['missing'],
} as const
const writeBase = {
  access: onWorkspace('can-manage-tags'),
  params: workspaceInPath,
  query: showQuery(),
  fails: ['missing', 'invalid'],
} as const
const example = {
  request: { data: [{ type: 'tag-bindings', attributes: { key: 'environment', value: 'production' } }] },
}

/** Keys and values on workspaces, and those they inherit from their project. */
export const bindingEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...readBase,
    id: 'tag-bindings.list',
    route: 'GET /workspaces/:workspaceId/tag-bindings',
    summary: 'List the tag bindings of a workspace, excluding inherited ones.',
    params: workspaceInPath,
    handle: list,
  }),
  endpoint({
    ...readBase,
    id: 'tag-bindings.list-by-name',
    route: 'GET /organizations/:organization/workspaces/:name/tag-bindings',
    summary: 'List the tag bindings of a workspace, found by name.',
    params: namedWorkspaceInPath,
    returns: { ...readBase.returns, 307: null },
    handle: async (call) => redirectIfRenamed(call, '/tag-bindings') ?? (await list(call)),
  }),
  endpoint({
    ...readBase,
    id: 'tag-bindings.list-relationship',
    route: 'GET /workspaces/:workspaceId/relationships/tag-bindings',
    summary: 'List the tag bindings of a workspace (relationship endpoint).',
    params: workspaceInPath,
    handle: list,
  }),
  endpoint({
    id: 'tag-bindings.list-effective',
    route: 'GET /workspaces/:workspaceId/effective-tag-bindings',
    summary: 'List the effective tag bindings of a workspace, inherited ones last.',
    access: onWorkspace('can-read-run'),
    params: workspaceInPath,
    query: showQuery(),
    returns: { 200: allSchema(effectiveBindingSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { id, projectId } = call.subject.resource
      const direct = await loadBindings(call.deps.db, 'workspace_id', [id])
      const ofProject = await loadBindings(call.deps.db, 'project_id', [projectId])
      return answerAll(
        call,
        effectiveBindings(direct, ofProject, projectId).map((each) => toEffectiveBindingResource(id, each)),
      )
    },
  }),
  endpoint({
    ...writeBase,
    id: 'tag-bindings.merge',
    route: 'PATCH /workspaces/:workspaceId/tag-bindings',
    summary: 'Add tag bindings to a workspace or change their values; none are removed.',
    body: bindingsBody,
    returns: { 200: allSchema(bindingSchema) },
    example,
    handle: async (call) =>
      answer(
        call,
        await mergeWorkspaceBindings(call.deps, authorOf(call), call.subject.resource.id, sentBindings(call.body)),
      ),
  }),
  endpoint({
    ...writeBase,
    id: 'tag-bindings.add',
    route: 'POST /workspaces/:workspaceId/relationships/tag-bindings',
    summary: 'Add tag bindings to a workspace or change their values.',
    body: bindingsBody,
    returns: { 204: null },
    example,
    handle: async (call) => {
      await mergeWorkspaceBindings(call.deps, authorOf(call), call.subject.resource.id, sentBindings(call.body))
      return nothing()
    },
  }),
  endpoint({
    ...writeBase,
    id: 'tag-bindings.replace',
    route: 'PATCH /workspaces/:workspaceId/relationships/tag-bindings',
    summary: 'Replace all tag bindings of a workspace.',
    body: anyBindingsBody,
    returns: { 204: null },
    example,
    handle: async (call) => {
      await replaceWorkspaceBindings(call.deps, authorOf(call), call.subject.resource.id, sentBindings(call.body))
      return nothing()
    },
  }),
])
