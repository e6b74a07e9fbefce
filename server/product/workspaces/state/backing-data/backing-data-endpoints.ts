import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import { answerOne, showQuery } from '../../../../kit/jsonapi/index.ts'
import { holderOf } from '../../workspaces/index.ts'
import type { BackingAction } from '../state-version.ts'
import { onStateVersion, stateVersionInPath } from '../state-version-access-actions.ts'
import { renderStateVersion } from '../state-version-document-endpoints.ts'
import { stateVersionDocument } from '../state-version-fields.ts'
import { changeBackingData } from './backing-data-actions.ts'

const summaries: Readonly<Record<BackingAction, string>> = {
  soft_delete: 'Soft-delete the content of a state version; it can be restored for a limited time.',
  restore: 'Restore the soft-deleted content of a state version.',
  permanently_delete: 'Permanently delete the content of a state version.',
}

/** Deleting and restoring the content of old versions. */
export const backingDataEndpoints: readonly Endpoint[] = defineEndpoints(
  'api/v2',
  (Object.keys(summaries) as BackingAction[]).map((action) =>
    endpoint({
      id: `state-versions.${action.replaceAll('_', '-')}`,
      route: `POST /state-versions/:stateVersionId/actions/${action}_backing_data`,
      summary: summaries[action],
      access: onStateVersion('can-update'),
      params: stateVersionInPath,
      query: showQuery(),
      returns: { 200: stateVersionDocument },
      fails: ['missing', 'invalid'],
      handle: async (call) => {
        const { deps, subject } = call
        const version = await changeBackingData(deps, authorOf(call), subject.resource.version.id, action)
        return answerOne(call, await renderStateVersion(call, holderOf(subject.actor), version))
      },
    }),
  ),
)
