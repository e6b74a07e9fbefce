import { gzipSync } from 'node:zlib'
import { readGrants } from '../../../access/permissions/index.ts'
import { maybeIso } from '../../../kernel/clock.ts'
import { Failure } from '../../../kernel/failure.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { createConfiguration, receiveArchive, usableConfiguration } from '../configurations/index.ts'
import { isDestructionDue, type LockHolder, type Workspace, type WorkspaceChange } from '../workspaces/index.ts'
import { beginRun, createRun } from './creation-actions.ts'
import { destroySource } from './run-fields.ts'

/** An archive without files: two empty blocks end it. */
const emptyArchive = gzipSync(Buffer.alloc(1_024))

/** Queues the run that destroys a workspace whose time has come; returns why it cannot. */
export async function queueDestruction(deps: Deps, workspace: Workspace): Promise<string | undefined> {
  const { id: workspaceId, organizationId } = workspace
  const grants = (await readGrants(deps.db, { kind: 'organization', id: organizationId })).byId.get(organizationId)
  if (!grants) return 'no-organization'
  const by: LockHolder = { kind: 'organization', id: organizationId, name: grants.organizationName }
  try {
    const found = await usableConfiguration(deps.db, { workspaceId, configurationId: null })
    const run = await createRun(deps, serverAuthor, {
      by,
      grants,
      workspace,
      configurationId: found?.id ?? (await emptyConfiguration(deps, workspace, by)),
      requested: { isDestroy: true, autoApply: true },
      source: destroySource,
      reason: 'auto_destroy',
      message: 'Scheduled destroy',
      idempotencyKey: null,
      requireNoFaults,
      claim: (current) => claimed(deps, current),
    })
    await beginRun(deps, run)
    return undefined
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message
  }
}

/** What a workspace becomes whose destruction is queued; undefined if it is not due any more. */
function claimed({ clock }: Pick<Deps, 'clock'>, workspace: Workspace): WorkspaceChange | undefined {
  if (!isDestructionDue(workspace, clock.now())) return undefined
  const entry = {
    action: 'queue-auto-destroy',
    before: {
      'auto-destroy-at': maybeIso(workspace.autoDestroyAt),
      'auto-destroy-status': workspace.autoDestroyStatus,
    },
    after: { 'auto-destroy-at': null, 'auto-destroy-status': 'queued' },
  }
  const members = { autoDestroyAt: null, autoDestroyStatus: 'queued', updatedAt: clock.now() }
  return { members, entries: [entry] }
}

/** Without a configuration, everything in the state is to go all the same. */
async function emptyConfiguration(deps: Deps, workspace: Workspace, by: LockHolder): Promise<string> {
  const settings = { autoQueueRuns: false, speculative: false, provisional: true }
  const { id } = await createConfiguration(deps, serverAuthor, { workspace, settings, source: destroySource, by })
  await receiveArchive(deps, id, toPieces(emptyArchive))
  return id
}

async function* toPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
