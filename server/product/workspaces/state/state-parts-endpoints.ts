import { actorOf } from '../../../access/permissions/index.ts'
import type { FeatureParts } from '../../../kit/parts.ts'
import { deleteBlobs, deleteSomeBlobs } from '../../../storage/blob-store.ts'
import { filterAllowed, holderOf, type Workspace, type WorkspacePart } from '../workspaces/index.ts'
import { releaseStep } from './current-actions.ts'
import { openOutput } from './outputs/output-actions.ts'
import { toWorkspaceOutputResource } from './outputs/output-endpoints.ts'
import { loadIncludedOutputs, loadOutputIds } from './outputs/output-store.ts'
import { discardPendingOf, loadStateVersions } from './records/state-version-store.ts'
import { renderStateVersions } from './state-version-document-endpoints.ts'

const currentIds = (workspaces: readonly Workspace[]): string[] =>
  workspaces.flatMap(({ currentStateVersionId }) => currentStateVersionId ?? [])

const outputsPart: WorkspacePart = {
  links: async (db, workspaces) => {
    const ids = await loadOutputIds(db, currentIds(workspaces))
    return new Map(workspaces.map(({ id, currentStateVersionId }) => [id, ids.get(currentStateVersionId ?? '') ?? []]))
  },
  include: async (call, workspaces) => {
    const allowed = await filterAllowed(call, 'can-read-state-outputs', workspaces)
    const outputs = await loadIncludedOutputs(call.deps.db, currentIds(allowed))
    return outputs.map((output) => toWorkspaceOutputResource(openOutput(call.deps, output, 'harmless')))
  },
}

const currentVersionPart: WorkspacePart = {
  include: async (call, workspaces) => {
    const allowed = await filterAllowed(call, 'can-read-state-versions', workspaces)
    const versions = await loadStateVersions(call.deps.db, currentIds(allowed))
    return await renderStateVersions(call, holderOf(actorOf(call.caller)), versions)
  },
}

/** What state adds to workspaces, and what happens to it when one is unlocked or removed, or its holder is removed. */
export const stateParts: Partial<FeatureParts> = {
  unlockStep: releaseStep,
  departureStep: (_deps, tx, _author, departed) => discardPendingOf(tx, departed),
  removalStep: (tx, workspace) => deleteBlobs(tx, workspace.id),
  workspaceContent: deleteSomeBlobs,
  workspaceParts: { outputs: outputsPart, current_state_version: currentVersionPart },
}
