import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { deleteBlobs, deleteSomeBlobs } from '../../../storage/blob-store.ts'
import type { WorkspacePart } from '../workspaces/index.ts'
import { archiveEndpoints } from './archive-endpoints.ts'
import { configurationEndpoints, toConfigurationResource } from './configuration-endpoints.ts'
import { archiveScope, loadConfigurations } from './configuration-store.ts'

export { expireConfiguration, openArchive, receiveArchive } from './archive-actions.ts'
export { downloadReply } from './archive-endpoints.ts'
export type { ConfigurationVersion, StatusTimes, UsableConfiguration } from './configuration.ts'
export { isUsable } from './configuration.ts'
export { createConfiguration, requireRemoteExecution, usableConfiguration } from './configuration-actions.ts'
export { configurationSchema, toConfigurationResource } from './configuration-endpoints.ts'
export { keepContent, loadConfiguration, loadConfigurations, newestCurrent } from './configuration-store.ts'

/** The current configuration in the document of a workspace: everybody who sees a workspace may read its runs. */
const currentPart: WorkspacePart = {
  include: async ({ deps }, workspaces) => {
    const ids = workspaces.flatMap(({ currentConfigurationVersionId: id }) => id ?? [])
    return (await loadConfigurations(deps.db, ids)).map(toConfigurationResource)
  },
}

/** Configurations: what the runs of a workspace plan and apply, one version after another. */
export const configurationsFeature: Feature = defineFeature({
  name: 'configurations',
  endpoints: [...configurationEndpoints, ...archiveEndpoints],
  parts: {
    removalStep: (tx, { id }) => deleteBlobs(tx, archiveScope(id)),
    workspaceContent: (tx, ids, limit) => deleteSomeBlobs(tx, ids.map(archiveScope), limit),
    workspaceParts: { current_configuration_version: currentPart },
  },
})
