import { readGrants } from '../../../access/permissions/index.ts'
import { Failure } from '../../../kernel/failure.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import type { ConfigurationVersion } from '../configurations/index.ts'
import { loadWorkspace } from '../workspaces/index.ts'
import { beginRun, createRun } from './creation-actions.ts'
import { configurationSource } from './run-fields.ts'

/**
 * Queues a run of a configuration whose content has arrived, if it was made to; a repeated upload queues no second one.
 * The upload stands, whatever keeps the run from being created.
 */
export async function queueUploaded(deps: Deps, version: ConfigurationVersion): Promise<void> {
  if (!version.autoQueueRuns || version.createdBy.kind === 'run') return
  const { kind, id } = version.createdBy
  const workspace = await loadWorkspace(deps.db, version.workspaceId)
  const grants = (await readGrants(deps.db, { kind, id })).byId.get(version.organizationId)
  if (!workspace || !grants) return
  try {
    const run = await createRun(deps, serverAuthor, {
      by: version.createdBy,
      grants,
      workspace,
      configurationId: version.id,
      requested: {},
      source: configurationSource,
      message: 'Queued by the upload of a configuration',
      idempotencyKey: `configuration:${version.id}`,
      requireNoFaults,
    })
    await beginRun(deps, run)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    deps.log.info({ configuration: version.id, reason: error.message }, 'an uploaded configuration queued no run')
  }
}
