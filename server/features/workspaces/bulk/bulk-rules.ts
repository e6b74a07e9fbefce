import type { WorkspaceRight } from '../../../access/permissions/index.ts'
import { decideLock, decideUnlock, type LockDecision, refusalText } from '../locking/lock-rules.ts'
import { bindingListFaults, type KeyValue, mostBindings, tooManyBindings } from '../tagging/binding-rules.ts'
import { foldTagName } from '../tagging/tag-rules.ts'
import type { Workspace, WorkspaceLock } from '../workspace-rules.ts'

/** What can be done to many workspaces at once. */
export const bulkActions = ['lock', 'unlock', 'force-unlock', 'add-tags', 'remove-tags', 'add-bindings'] as const

/** One of them. */
export type BulkAction = (typeof bulkActions)[number]

/** The most workspaces that one call changes. */
export const mostWorkspaces = 1_000

/** An action with everything it needs. */
export type BulkWish = {
  readonly action: BulkAction
  /** The lock to take. Its holder is the caller, even for actions that release a lock. */
  readonly lock: WorkspaceLock
  readonly tagNames: readonly string[]
  readonly bindings: readonly KeyValue[]
}

/** The facts about a workspace that bulk operations need. */
export type BulkFacts = {
  readonly lock: WorkspaceLock | null
  readonly tagNames: readonly string[]
  readonly bindings: readonly KeyValue[]
}

/** The actual or expected result for one workspace. */
export type BulkResult = { readonly result: 'changed' | 'unchanged' | 'refused'; readonly detail: string }

/** A workspace with its actual or expected result. */
export type BulkOutcome = BulkResult & { readonly workspace: Workspace }

/** The right each action needs on each workspace. */
export const rightOf: Readonly<Record<BulkAction, WorkspaceRight>> = {
  lock: 'can-lock',
  unlock: 'can-unlock',
  'force-unlock': 'can-force-unlock',
  'add-tags': 'can-manage-tags',
  'remove-tags': 'can-manage-tags',
  'add-bindings': 'can-manage-tags',
}

/** What is missing in a wish: the name of the member, and what is wrong with it. */
export function wishProblem({ action, tagNames, bindings }: BulkWish): { name: string; detail: string } | undefined {
  if (action.endsWith('-tags') && tagNames.length === 0)
    return { name: 'tags', detail: 'Tags must hold at least one name' }
  if (action !== 'add-bindings') return undefined
  if (bindings.length === 0) return { name: 'bindings', detail: 'Bindings must hold at least one key' }
  const [fault] = bindingListFaults(bindings, '')
  return fault && { name: 'bindings', detail: fault.detail }
}

/** The result for a workspace that the caller may see, but on which this action is not allowed. */
export const notAllowed: BulkResult = {
  result: 'refused',
  detail: 'You are not allowed to do this with the workspace.',
}

/** The result for a workspace that changes or would change. */
export const changed: BulkResult = { result: 'changed', detail: '' }
const unchanged: BulkResult = { result: 'unchanged', detail: '' }

/** The expected result for a workspace. */
export function foresee(wish: BulkWish, facts: BulkFacts): BulkResult {
  switch (wish.action) {
    case 'lock':
      return ofDecision(decideLock(facts.lock, wish.lock), facts.lock)
    case 'unlock':
    case 'force-unlock':
      return ofDecision(decideUnlock(facts.lock, wish.lock.holder, wish.action === 'force-unlock'), facts.lock)
    case 'add-tags':
      return foldedNames(wish).every((name) => facts.tagNames.includes(name)) ? unchanged : changed
    case 'remove-tags':
      return foldedNames(wish).some((name) => facts.tagNames.includes(name)) ? changed : unchanged
    case 'add-bindings':
      return foreseeBindings(wish, facts)
  }
}

const foldedNames = ({ tagNames }: BulkWish): string[] => tagNames.map(foldTagName)

const ofDecision = (decision: LockDecision, current: WorkspaceLock | null): BulkResult =>
  decision.ok ? changed : { result: 'refused', detail: refusalText(decision.why, current) }

function foreseeBindings(wish: BulkWish, facts: BulkFacts): BulkResult {
  const before = new Map(facts.bindings.map(({ key, value }) => [key, value]))
  if (wish.bindings.every(({ key, value }) => before.get(key) === value)) return unchanged
  const after = new Set([...before.keys(), ...wish.bindings.map(({ key }) => key)])
  return after.size > mostBindings ? { result: 'refused', detail: tooManyBindings('').detail } : changed
}
