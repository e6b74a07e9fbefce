import { actorOf } from '../../../access/permissions/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { deleteBlobs } from '../../../storage/blob-store.ts'
import { provideDepartureStep } from '../../people/users/index.ts'
import {
  filterAllowed,
  holderOf,
  provideRemovalStep,
  provideUnlockStep,
  provideWorkspacePart,
  type Workspace,
} from '../workspaces/index.ts'
import { openOutput } from './outputs/output-actions.ts'
import { loadIncludedOutputs, loadOutputIds } from './outputs/output-store.ts'
import { toWorkspaceOutputResource } from './outputs/output-wire.ts'
import { discardPendingOf, loadStateVersions } from './records/state-version-store.ts'
import { releaseStep } from './release-actions.ts'
import { renderStateVersions } from './state-version-answers.ts'

const currentIds = (workspaces: readonly Workspace[]): string[] =>
  workspaces.flatMap(({ currentStateVersionId }) => currentStateVersionId ?? [])

/**
 * Registers what state adds to workspaces: outputs, the current version, and what happens when one is unlocked or
 * removed, or its holder is removed.
 */
export async function provideStateParts(deps: Deps): Promise<void> {
  provideUnlockStep(deps, releaseStep(deps))
  provideDepartureStep(deps, (tx, _author, departed) => discardPendingOf(tx, departed))
  provideRemovalStep(deps, (tx, workspace) => deleteBlobs(tx, workspace.id))
  provideWorkspacePart(deps, 'outputs', {
    links: async (db, workspaces) => {
      const ids = await loadOutputIds(db, currentIds(workspaces))
      return new Map(
        workspaces.map(({ id, currentStateVersionId }) => [id, ids.get(currentStateVersionId ?? '') ?? []]),
      )
    },
    include: async (call, workspaces) => {
      const allowed = await filterAllowed(call, 'can-read-state-outputs', workspaces)
      const outputs = await loadIncludedOutputs(call.deps.db, currentIds(allowed))
      return outputs.map((output) => toWorkspaceOutputResource(openOutput(call.deps, output, 'harmless')))
    },
  })
  provideWorkspacePart(deps, 'current_state_version', {
    include: async (call, workspaces) => {
      const allowed = await filterAllowed(call, 'can-read-state-versions', workspaces)
      const versions = await loadStateVersions(call.deps.db, currentIds(allowed))
      return await renderStateVersions(call, holderOf(actorOf(call.caller)), versions)
    },
  })
}
