import type { PermittedResource } from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { allSchema, answerAll, showQuery } from '../../../kit/jsonapi/index.ts'
import { nothing, type Reply } from '../../../kit/reply.ts'
import {
  anyBindingsBody,
  bindingSchema,
  bindingsBody,
  effectiveBindingSchema,
  loadBindings,
  sentBindings,
  type TagBinding,
  toBindingResource,
} from '../../workspaces/workspaces/index.ts'
import type { CountedProject } from '../organizations/index.ts'
import { mergeProjectBindings, onProject, projectInPath, replaceProjectBindings } from './project-actions.ts'
import { toEffectiveBinding } from './project-endpoints.ts'

type BindingCall = Call<
  Record<string, string>,
  Parameters<typeof answerAll>[0]['query'],
  unknown,
  PermittedResource<CountedProject>
>

const answer = (call: BindingCall, bindings: readonly TagBinding[]): Reply =>
  answerAll(call, bindings.map(toBindingResource), {
    links: { target: `/api/v2/projects/${call.subject.resource.id}` },
  })

const list = async (call: BindingCall): Promise<Reply> =>
  answer(call, await loadBindings(call.deps.db, 'project_id', [call.subject.resource.id]))

const readBase = {
  access: onProject('can-read'),
  params: projectInPath,
  query: showQuery(),
  fails: ['missing'],
} as const
const writeBase = {
  access: onProject('can-manage-tags'),
  params: projectInPath,
  query: showQuery(),
  fails: ['missing', 'invalid'],
} as const

/** Tag bindings of projects, which their workspaces inherit. */
export const projectBindingEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    ...readBase,
    id: 'projects.list-tag-bindings',
    route: 'GET /projects/:projectId/tag-bindings',
    summary: 'List the tag bindings of a project.',
    returns: { 200: allSchema(bindingSchema) },
    handle: list,
  }),
  endpoint({
    ...readBase,
    id: 'projects.list-tag-bindings-relationship',
    route: 'GET /projects/:projectId/relationships/tag-bindings',
    summary: 'List the tag bindings of a project (relationship endpoint).',
    returns: { 200: allSchema(bindingSchema) },
    handle: list,
  }),
  endpoint({
    ...readBase,
    id: 'projects.list-effective-tag-bindings',
    route: 'GET /projects/:projectId/effective-tag-bindings',
    summary: 'List the effective tag bindings of a project.',
    returns: { 200: allSchema(effectiveBindingSchema) },
    handle: async (call) =>
      answerAll(
        call,
        (await loadBindings(call.deps.db, 'project_id', [call.subject.resource.id])).map(toEffectiveBinding),
      ),
  }),
  endpoint({
    ...writeBase,
    id: 'projects.merge-tag-bindings',
    route: 'PATCH /projects/:projectId/tag-bindings',
    summary: 'Add tag bindings to a project or change their values.',
    body: bindingsBody,
    returns: { 200: allSchema(bindingSchema) },
    handle: async (call) =>
      answer(
        call,
        await mergeProjectBindings(call.deps, authorOf(call), call.subject.resource, sentBindings(call.body)),
      ),
  }),
  endpoint({
    ...writeBase,
    id: 'projects.add-tag-bindings',
    route: 'POST /projects/:projectId/relationships/tag-bindings',
    summary: 'Add tag bindings to a project or change their values (relationship endpoint).',
    body: bindingsBody,
    returns: { 204: null },
    handle: async (call) => {
      await mergeProjectBindings(call.deps, authorOf(call), call.subject.resource, sentBindings(call.body))
      return nothing()
    },
  }),
  endpoint({
    ...writeBase,
    id: 'projects.replace-tag-bindings',
    route: 'PATCH /projects/:projectId/relationships/tag-bindings',
    summary: 'Replace all tag bindings of a project.',
    body: anyBindingsBody,
    returns: { 204: null },
    handle: async (call) => {
      await replaceProjectBindings(call.deps, authorOf(call), call.subject.resource, sentBindings(call.body))
      return nothing()
    },
  }),
])
