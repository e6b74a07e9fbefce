import { toIso } from '../../kernel/clock.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import { allSchema, answerAll, type Resource, resourceSchema, shown, showQuery } from '../../kit/jsonapi/index.ts'
import { authorOf } from '../change-log/index.ts'
import { loadBindings, type TagBinding } from '../workspaces/index.ts'
import { byId, onProject } from './project-access.ts'
import { mergeProjectBindings } from './project-actions.ts'
import { toEffectiveBinding } from './project-answers.ts'
import { bindingsBody } from './project-wire.ts'

const toBinding = ({ id, key, value, createdAt }: TagBinding): Resource => ({
  type: 'tag-bindings',
  id,
  attributes: { key, value, 'created-at': toIso(createdAt) },
})

const bindingSchema = (type: string) =>
  resourceSchema(type, {
    attributes: {
      key: shown.text('Key.'),
      value: shown.text('Value.'),
      'created-at': shown.sometimes(shown.time('When it was made.')),
    },
  })

/** Tag bindings of projects, which their workspaces inherit. */
export const projectBindingEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'projects.list-tag-bindings',
    route: 'GET /projects/:projectId/tag-bindings',
    summary: 'List the tag bindings of a project.',
    access: onProject('can-read'),
    params: byId,
    query: showQuery(),
    returns: { 200: allSchema(bindingSchema('tag-bindings')) },
    fails: ['missing'],
    handle: async (call) => {
      const { id } = call.subject.resource
      return answerAll(call, (await loadBindings(call.deps.db, 'project_id', [id])).map(toBinding), {
        links: { target: `/api/v2/projects/${id}` },
      })
    },
  }),
  endpoint({
    id: 'projects.list-effective-tag-bindings',
    route: 'GET /projects/:projectId/effective-tag-bindings',
    summary: 'List the tag bindings in force on a project.',
    access: onProject('can-read'),
    params: byId,
    query: showQuery(),
    returns: { 200: allSchema(bindingSchema('effective-tag-bindings')) },
    fails: ['missing'],
    handle: async (call) =>
      answerAll(
        call,
        (await loadBindings(call.deps.db, 'project_id', [call.subject.resource.id])).map(toEffectiveBinding),
      ),
  }),
  endpoint({
    id: 'projects.merge-tag-bindings',
    route: 'PATCH /projects/:projectId/tag-bindings',
    summary: 'Add tag bindings to a project or change their values.',
    access: onProject('can-manage-tags'),
    params: byId,
    query: showQuery(),
    body: bindingsBody,
    returns: { 200: allSchema(bindingSchema('tag-bindings')) },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const pairs = call.body.map(({ attributes: { key, value } }) => ({ key, value: value ?? '' }))
      const after = await mergeProjectBindings(call.deps, authorOf(call), call.subject.resource, pairs)
      return answerAll(call, after.map(toBinding), {
        links: { target: `/api/v2/projects/${call.subject.resource.id}` },
      })
    },
  }),
])
