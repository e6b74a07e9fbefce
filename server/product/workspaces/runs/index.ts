import { actorOf, grantsInOrganization } from '../../../access/permissions/index.ts'
import { defineFeature, type Feature } from '../../../kit/feature.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { deleteBlobs, deleteSomeBlobs } from '../../../storage/blob-store.ts'
import type { Workspace, WorkspacePart } from '../workspaces/index.ts'
import { actionEndpoints } from './action-endpoints.ts'
import { queueUploaded } from './auto-queue-actions.ts'
import { includeWithRuns } from './including-endpoints.ts'
import { artifactScope } from './jobs/job-store.ts'
import { outputEndpoints } from './output-endpoints.ts'
import { pauseEndpoints } from './pause-endpoints.ts'
import { logEndpoints, phaseEndpoints } from './phase-endpoints.ts'
import { recordEndpoints } from './record-endpoints.ts'
import { retryEndpoints } from './retry-endpoints.ts'
import type { Run } from './run.ts'
import { runQueue } from './run-actions.ts'
import { renderRuns } from './run-document-endpoints.ts'
import { runEndpoints } from './run-endpoints.ts'
import { loadRuns } from './run-store.ts'
import { sweepJob, watchRuns } from './sweep-actions.ts'

type PartCall = Parameters<NonNullable<WorkspacePart['include']>>[0]

/** Runs of workspaces, with what is included along with them: everybody who sees a workspace may read its runs. */
const includeRuns =
  (idOf: (workspace: Workspace) => string | null, path?: 'plan' | 'apply' | 'configuration_version') =>
  async (call: PartCall, workspaces: readonly Workspace[]): Promise<readonly Resource[]> => {
    const runs = await loadRuns(
      call.deps.db,
      workspaces.flatMap((workspace) => idOf(workspace) ?? []),
    )
    const [first] = runs
    if (!first) return []
    const reader = { grants: await grantsInOrganization(call, first.organizationId), actor: actorOf(call.caller) }
    const along = path ? await includeWithRuns(call, new Set([path]), reader, runs) : []
    return [...(await renderRuns(call, reader, runs)), ...along]
  }

const current = ({ currentRunId }: Workspace): string | null => currentRunId
const holder = ({ lock }: Workspace): string | null => (lock?.holder.kind === 'run' ? lock.holder.id : null)

export { loadConcurrency, loadPause } from './fleet-store.ts'
export { openArtifact, storeArtifact } from './jobs/artifact-actions.ts'
export {
  type ArtifactName,
  artifactLimit,
  artifactNames,
  type Job,
  lastCalls,
  logLimits,
  type Report,
  remaining,
} from './jobs/job.ts'
export {
  type Claimer,
  claimJob,
  finishJob,
  type GivenJob,
  giveAgain,
  hashOfToken,
  jobGone,
  plannedFiles,
  staleFence,
} from './jobs/job-actions.ts'
export { appendLog } from './jobs/job-log-actions.ts'
export { deleteOrphans, listJobsOf, listOpenJobs, loadJob, loadJobByToken, saveProgress } from './jobs/job-store.ts'
export { runLimits } from './run.ts'
export { moveRun, renewLease } from './run-actions.ts'
export { loadRun } from './run-store.ts'
export { jobVariables } from './variable-actions.ts'
export type { Run }

/** Runs: plans and applies of workspaces, one after another. */
export const runsFeature: Feature = defineFeature({
  name: 'runs',
  endpoints: [
    ...runEndpoints,
    ...actionEndpoints,
    ...retryEndpoints,
    ...phaseEndpoints,
    ...outputEndpoints,
    ...recordEndpoints,
    ...pauseEndpoints,
    ...logEndpoints,
  ],
  jobs: [sweepJob],
  parts: {
    runQueue,
    uploadedStep: queueUploaded,
    removalStep: (tx, { id }) => deleteBlobs(tx, artifactScope(id)),
    workspaceContent: (tx, ids, limit) => deleteSomeBlobs(tx, ids.map(artifactScope), limit),
    workspaceParts: {
      current_run: { include: includeRuns(current) },
      'current_run.plan': { include: includeRuns(current, 'plan') },
      'current_run.apply': { include: includeRuns(current, 'apply') },
      'current_run.configuration_version': { include: includeRuns(current, 'configuration_version') },
      locked_by: { include: includeRuns(holder) },
    },
  },
  start: async (deps) => watchRuns(deps),
})
