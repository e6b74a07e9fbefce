import type { WorkspaceRight } from '../../../../access/permissions/workspace-rights.ts'
import { decideForce, decideLock, decideUnlock, type LockDecision, refusalText } from '../locking/lock.ts'
import { foldTagName, tagListFaults } from '../tagging/tag.ts'
import { bindingListFaults, type KeyValue, maxBindings, tooManyBindings } from '../tagging/tag-binding.ts'
import type { Workspace, WorkspaceLock } from '../workspace.ts'

/** What can be done to many workspaces at once. */
export const bulkActions = ['lock', 'unlock', 'force-unlock', 'add-tags', 'remove-tags', 'add-bindings'] as const

/** One of them. */
type BulkAction = (typeof bulkActions)[number]

/** The most results in one answer. */
export const maxResults = 10_000

/**
 * How long a call may take, in milliseconds, and after which time it stops to answer with what it did. A server that is
 * told to stop does not wait for it any longer than for others.
 */
export const callTimes = { deadline: 120_000, working: 100_000, workingWhileStopping: 1_000 } as const

/** True if a call that has worked for so many milliseconds has to be answered now. */
export const isTimeUp = (elapsed: number, isStopping: boolean): boolean =>
  elapsed > (isStopping ? callTimes.workingWhileStopping : callTimes.working)

/** An action with everything it needs. */
export type BulkRequest = {
  readonly action: BulkAction
  /** The lock to take. Its holder is the caller, even for actions that release a lock. */
  readonly lock: WorkspaceLock
  readonly tagNames: readonly string[]
  readonly bindings: readonly KeyValue[]
}

/** The facts about a workspace that bulk operations need. */
type BulkFacts = {
  readonly lock: WorkspaceLock | null
  readonly tagNames: readonly string[]
  readonly bindings: readonly KeyValue[]
}

/** The actual or expected result for one workspace. */
export type BulkResult = { readonly result: 'changed' | 'unchanged' | 'refused'; readonly detail: string }

/** A workspace with its actual or expected result. */
export type BulkOutcome = BulkResult & Pick<Workspace, 'id' | 'name'>

/** What one call did: in the order of names, and what is left if it ended before the selection did. */
export type BulkRun = {
  readonly outcomes: readonly BulkOutcome[]
  readonly rest: { readonly after: string; readonly count: number } | undefined
}

/** The right each action needs on each workspace. */
export const requiredRights: Readonly<Record<BulkAction, WorkspaceRight>> = {
  lock: 'can-lock',
  unlock: 'can-unlock',
  'force-unlock': 'can-force-unlock',
  'add-tags': 'can-manage-tags',
  'remove-tags': 'can-manage-tags',
  'add-bindings': 'can-manage-tags',
}

/** What is missing in a request: the name of the member, and what is wrong with it. */
export function bulkRequestProblem({
  action,
  tagNames,
  bindings,
}: BulkRequest): { name: string; detail: string } | undefined {
  if (action.endsWith('-tags') && tagNames.length === 0)
    return { name: 'tags', detail: 'Tags must contain at least one name' }
  if (action !== 'add-bindings') return undefined
  if (bindings.length === 0) return { name: 'bindings', detail: 'Bindings must contain at least one key' }
  const [fault] = bindingListFaults(bindings, '')
  return fault && { name: 'bindings', detail: fault.detail }
}

/** The result for a workspace that the caller may see, but on which this action is not allowed. */
export const notAllowedResult: BulkResult = {
  result: 'refused',
  detail: 'You are not allowed to do this with the workspace.',
}

/** The result for a workspace that changes or would change. */
export const changedResult: BulkResult = { result: 'changed', detail: '' }
const unchangedResult: BulkResult = { result: 'unchanged', detail: '' }

/** The expected result for a workspace. */
export function predictResult(request: BulkRequest, facts: BulkFacts): BulkResult {
  switch (request.action) {
    case 'lock':
      return resultOfDecision(decideLock(facts.lock, request.lock), facts.lock)
    case 'unlock':
      return resultOfDecision(decideUnlock(facts.lock, request.lock.holder), facts.lock)
    case 'force-unlock':
      return resultOfDecision(decideForce(facts.lock), facts.lock)
    case 'add-tags':
      return predictTagsResult(request, facts)
    case 'remove-tags':
      return foldedNames(request).some((name) => facts.tagNames.includes(name)) ? changedResult : unchangedResult
    case 'add-bindings':
      return predictBindingsResult(request, facts)
  }
}

const foldedNames = ({ tagNames }: BulkRequest): string[] => tagNames.map(foldTagName)

const resultOfDecision = (decision: LockDecision, current: WorkspaceLock | null): BulkResult =>
  decision.ok ? changedResult : { result: 'refused', detail: refusalText(decision.why, current) }

function predictTagsResult(request: BulkRequest, { tagNames: before }: BulkFacts): BulkResult {
  const after = [...new Set([...before, ...foldedNames(request)])]
  if (after.length === before.length) return unchangedResult
  const [fault] = tagListFaults(after, '')
  return fault ? { result: 'refused', detail: fault.detail } : changedResult
}

function predictBindingsResult(request: BulkRequest, facts: BulkFacts): BulkResult {
  const before = new Map(facts.bindings.map(({ key, value }) => [key, value]))
  if (request.bindings.every(({ key, value }) => before.get(key) === value)) return unchangedResult
  const after = new Set([...before.keys(), ...request.bindings.map(({ key }) => key)])
  return after.size > maxBindings ? { result: 'refused', detail: tooManyBindings('').detail } : changedResult
}
