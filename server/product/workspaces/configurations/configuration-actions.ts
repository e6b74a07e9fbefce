import { hidden } from '../../../access/permissions/index.ts'
import type { Author } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { invalidDocument } from '../../../kit/jsonapi/index.ts'
import type { Queryable } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { organizationOf } from '../../people/organizations/index.ts'
import { changeInTransaction, type LockHolder, type Workspace } from '../workspaces/index.ts'
import {
  type ConfigurationSettings,
  type ConfigurationVersion,
  isCurrentAtOnce,
  type UsableConfiguration,
} from './configuration.ts'
import { insertConfiguration, lastOrdinal, loadConfiguration, newestUsable } from './configuration-store.ts'

/** What making a configuration version needs. */
type ConfigurationDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'ids'>

/** Refuses what only runs need while an organization lets the server execute none. */
export async function requireRemoteExecution(
  deps: Pick<Deps, 'db' | 'store'>,
  { organizationId }: Pick<Workspace, 'organizationId'>,
): Promise<void> {
  const { remoteExecutionEnabled } = await organizationOf(deps, organizationId)
  if (remoteExecutionEnabled) return
  const detail =
    'Remote execution is off for this organization; an owner can set its attribute remote-execution-enabled.'
  throw invalidDocument([{ detail, pointer: '/data', code: 'runs.remote-execution-off' }])
}

/** What a new configuration version is made of. */
export type NewConfiguration = {
  readonly workspace: Workspace
  readonly settings: ConfigurationSettings
  readonly source: string
  readonly by: LockHolder
}

/** Makes a configuration version, whose content is still to come. */
export async function createConfiguration(
  deps: ConfigurationDeps,
  author: Author,
  { workspace, settings, source, by }: NewConfiguration,
): Promise<ConfigurationVersion> {
  await requireRemoteExecution(deps, workspace)
  const at = deps.clock.now()
  const id = deps.ids.newId('cv')
  return await inTransaction(deps.db, async (tx) => {
    let made: ConfigurationVersion | undefined
    await changeInTransaction(deps, tx, author, { id: workspace.id }, async ({ id: workspaceId, organizationId }) => {
      made = {
        ...settings,
        id,
        workspaceId,
        organizationId,
        ordinal: (await lastOrdinal(tx, workspaceId)) + 1,
        status: 'pending',
        source,
        error: null,
        errorMessage: null,
        size: null,
        sha256: null,
        fileCount: null,
        blobId: null,
        createdBy: by,
        createdAt: at,
        times: { 'queued-at': at },
      }
      await insertConfiguration(tx, made)
      return isCurrentAtOnce(settings) ? { members: { currentConfigurationVersionId: id } } : undefined
    })
    if (!made) throw hidden()
    return made
  })
}

/** The configuration that a run names, or the newest one of its workspace that it can use. */
export const usableConfiguration = (
  db: Queryable,
  of: { readonly workspaceId: string; readonly configurationId: string | null },
): Promise<UsableConfiguration | undefined> =>
  of.configurationId === null ? newestUsable(db, of.workspaceId) : loadConfiguration(db, of.configurationId)
