import {
  canSeeWorkspace,
  hidden,
  type OrganizationGrants,
  visibleWorkspaces,
} from '../../../../access/permissions/index.ts'
import type { Fault } from '../../../../kernel/failure.ts'
import { type Author, type Members, type RecordedChange, recordUpdate } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { entriesOn, type PageRequest, requireNoFaults } from '../../../../kit/jsonapi/index.ts'
import { isReferenceChanged } from '../../../../storage/database-errors.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { listOthers } from '../listing/list-actions.ts'
import { type Workspace, workspaceSubject } from '../workspace.ts'
import { loadWorkspaces, lockWorkspaceForUpdate } from '../workspace-store.ts'
import { deleteConsumers, insertConsumers, loadConsumers } from './consumer-store.ts'

const member = 'remote-state-consumers'

/** Consumers as the change log shows them. */
const describeConsumers = (consumers: readonly { readonly id: string }[]): Members => ({
  [member]: consumers.map(({ id }) => id),
})

const consumersIn = (members: Members | undefined): readonly string[] => {
  const ids = members?.[member]
  return Array.isArray(ids) ? ids : []
}

/** Changes as a caller may read them: of the consumers they name, only those that this caller can see. */
export async function withVisibleConsumers(
  { db }: Pick<Deps, 'db'>,
  grants: OrganizationGrants,
  changes: readonly RecordedChange[],
): Promise<readonly RecordedChange[]> {
  if (visibleWorkspaces(grants).kind === 'all') return changes
  const named = new Set(changes.flatMap(({ before, after }) => [...consumersIn(before), ...consumersIn(after)]))
  if (named.size === 0) return changes
  const visible = (await loadWorkspaces(db, [...named])).filter((each) => canSeeWorkspace(grants, each))
  const ids = new Set<string>(visible.map(({ id }) => id))
  const shown = (members: Members): Members =>
    member in members ? { ...members, [member]: consumersIn(members).filter((id) => ids.has(id)) } : members
  return changes.map((change) => ({
    ...change,
    ...(change.before ? { before: shown(change.before) } : {}),
    ...(change.after ? { after: shown(change.after) } : {}),
  }))
}

type ConsumerDeps = Pick<Deps, 'db' | 'reads' | 'clock' | 'ids' | 'store'>

/**
 * One page of consumers that the caller can read, and how many there are. If a state is shared as a whole, all other
 * workspaces are consumers, or those of its project.
 */
export async function listConsumers(
  deps: ConsumerDeps,
  grants: OrganizationGrants,
  workspace: Workspace,
  page: PageRequest,
): Promise<{ workspaces: Workspace[]; total: number }> {
  const { globalRemoteState, projectRemoteState, projectId } = workspace
  if (globalRemoteState) return await listOthers(deps, grants, { workspace, page })
  if (projectRemoteState) return await listOthers(deps, grants, { workspace, projectId, page })
  const readable = (await loadConsumers(deps.reads, workspace.id)).filter((each) => canSeeWorkspace(grants, each))
  const ids = entriesOn(page, readable).map(({ id }) => id)
  const byId = await loadById(deps, ids)
  return { workspaces: ids.flatMap((id) => byId.get(id) ?? []), total: readable.length }
}

const loadById = async ({ db }: ConsumerDeps, ids: readonly string[]): Promise<ReadonlyMap<string, Workspace>> =>
  new Map((await loadWorkspaces(db, ids)).map((workspace) => [workspace.id, workspace]))

/** How a list of consumers is changed. */
export type ConsumerChange = 'add' | 'replace' | 'remove'

/** Whose consumers are changed, and what the caller may do. */
type Producer = { readonly grants: OrganizationGrants; readonly workspace: Workspace }

/** Which consumers to add, to remove, or to set as the only ones. */
type WantedConsumers = { readonly change: ConsumerChange; readonly ids: readonly string[] }

/** Changes the consumers of a workspace; if one entry is bad, nothing changes. */
export async function changeConsumers(
  deps: ConsumerDeps,
  author: Author,
  producer: Producer,
  wanted: WantedConsumers,
): Promise<void> {
  requireNoFaults(await consumerFaults(deps, producer, wanted))
  try {
    await inTransaction(deps.db, (tx) => storeConsumers(deps, tx, author, producer.workspace, wanted))
  } catch (thrown) {
    // A workspace that was deleted meanwhile is as unknown as any other.
    if (isReferenceChanged(thrown)) requireNoFaults(await consumerFaults(deps, producer, wanted))
    throw thrown
  }
}

async function storeConsumers(
  deps: ConsumerDeps,
  tx: Tx,
  author: Author,
  workspace: Workspace,
  { change, ids }: WantedConsumers,
): Promise<void> {
  if (!(await lockWorkspaceForUpdate(tx, workspace.id))) throw hidden()
  const before = await loadConsumers(tx, workspace.id)
  if (change !== 'add') await deleteConsumers(tx, workspace.id, change === 'replace' ? 'all' : ids)
  if (change !== 'remove') await insertConsumers(tx, workspace.id, ids, deps.clock.now())
  const after = await loadConsumers(tx, workspace.id)
  await recordUpdate(deps, tx, author, {
    ...workspaceSubject(workspace),
    before: describeConsumers(before),
    after: describeConsumers(after),
  })
}

async function consumerFaults(
  deps: ConsumerDeps,
  { grants, workspace }: Producer,
  { change, ids }: WantedConsumers,
): Promise<Fault[]> {
  if (workspace.globalRemoteState) {
    return [{ detail: 'Remote state consumers can be set only while global-remote-state is false', pointer: '/data' }]
  }
  const byId = await loadById(deps, [...new Set(ids)])
  return ids.flatMap((id, index) => {
    const pointer = `/data/${index}/id`
    if (id === workspace.id && change !== 'remove')
      return [{ detail: 'A workspace cannot consume its own state', pointer }]
    const found = byId.get(id)
    const readable = found?.organizationId === workspace.organizationId && canSeeWorkspace(grants, found)
    return readable ? [] : [{ detail: `Workspace ${id} was not found`, pointer }]
  })
}
