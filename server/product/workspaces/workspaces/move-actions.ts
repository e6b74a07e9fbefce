import { hidden, type OrganizationGrants } from '../../../access/permissions/index.ts'
import type { Fault } from '../../../kernel/failure.ts'
import type { Author } from '../../../kit/change-log/index.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { untilWritten } from '../../../kit/until-written.ts'
import { claimLost, isClaimLost } from '../../../storage/errors.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { listNames } from '../../people/organizations/index.ts'
import { loadWorkspaces } from './records/workspace-store.ts'
import type { WorkspaceDraft } from './settings/asked-rules.ts'
import { contended, type SettledChange, settleChange, type WorkspaceDeps, writeChange } from './workspace-actions.ts'
import type { Workspace } from './workspace-rules.ts'

/** Workspaces, and the project they are moved to. */
type Move = {
  readonly grants: OrganizationGrants
  readonly workspaces: readonly Workspace[]
  readonly projectId: string
}

/** Moves workspaces to a project, by the rules of a change that changes only the project: all of them, or none. */
export async function moveWorkspaces(
  deps: WorkspaceDeps,
  author: Author,
  { grants, workspaces, projectId }: Move,
): Promise<void> {
  const ids = workspaces.map(({ id }) => id)
  let current = workspaces
  await untilWritten(async () => {
    const changes: SettledChange[] = []
    const faulty: FaultyMove[] = []
    for (const workspace of sortById(current)) {
      const collect = (faults: readonly Fault[]) => faulty.push(...faults.map(({ detail }) => ({ detail, workspace })))
      const draft: WorkspaceDraft = { asked: {}, projectId, bindings: undefined, requireNoFaults: collect }
      changes.push(await settleChange(deps, { grants, draft }, workspace))
    }
    requireNoFaults(moveFaults(faulty))
    if (await tryToWrite(deps, author, changes)) return true
    current = await loadWorkspaces(deps.db, ids)
    if (current.length < ids.length) throw hidden()
    return false
  }, contended)
}

type FaultyMove = { readonly detail: string; readonly workspace: Workspace }

/** One fault of the list for each thing that is wrong, with the names of the workspaces. */
const moveFaults = (faulty: readonly FaultyMove[]): Fault[] =>
  [...Map.groupBy(faulty, ({ detail }) => detail)].map(([detail, moves]) => {
    const names = moves.map(({ workspace }) => workspace.name).sort()
    return { detail: `${detail}: ${listNames({ names: names.slice(0, 3), total: names.length })}`, pointer: '/data' }
  })

/** All moves take workspaces in the same order, so that they cannot deadlock. */
const sortById = (workspaces: readonly Workspace[]): readonly Workspace[] =>
  workspaces.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** False, with nothing written, when another write to one of them came first. */
async function tryToWrite(deps: WorkspaceDeps, author: Author, changes: readonly SettledChange[]): Promise<boolean> {
  try {
    await inTransaction(deps.db, async (tx) => {
      for (const change of changes) {
        if (!(await writeChange(deps, tx, author, change))) throw claimLost()
      }
    })
    return true
  } catch (error) {
    if (isClaimLost(error)) return false
    throw error
  }
}
