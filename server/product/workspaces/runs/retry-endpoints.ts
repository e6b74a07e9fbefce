import { hidden } from '../../../access/permissions/index.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import { answerCreated, attribute, documentSchema, looseBody, showQuery } from '../../../kit/jsonapi/index.ts'
import { holderOf, mayOnWorkspace } from '../workspaces/index.ts'
import { beginRun } from './creation-actions.ts'
import { longestComment } from './record.ts'
import { retryRun } from './retry-actions.ts'
import { onRun, runInPath } from './run-access-actions.ts'
import { renderRun, runSchema } from './run-document-endpoints.ts'

const said = {
  comment: attribute.text('What is said about it.', { nullable: true, maxLength: longestComment }),
}

/** Doing again what has ended. */
export const retryEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'runs.retry',
    route: 'POST /runs/:runId/actions/retry',
    summary: 'Create a run like one that has ended.',
    description:
      'It has the configuration, the options and the given variables of the old one, and the variables of the workspace ' +
      'as they are now.',
    access: onRun('can-comment'),
    params: runInPath,
    query: showQuery(),
    body: looseBody(said),
    returns: { 201: documentSchema(runSchema) },
    fails: ['missing', 'conflict', 'invalid'],
    handle: async (call) => {
      const { grants, actor, resource } = call.subject
      const { run: old, workspace } = resource
      if (old.isDestroy && !old.planOnly && !mayOnWorkspace(grants, 'can-queue-destroy', workspace)) throw hidden()
      const { comment } = call.body.attributes
      const retry = { by: holderOf(actor), grants, workspace, comment: comment ?? undefined }
      const run = await retryRun(call.deps, authorOf(call), old, retry)
      const resourceShown = await renderRun(call, call.subject, run)
      await beginRun(call.deps, run)
      return answerCreated(call, resourceShown)
    },
  }),
])
