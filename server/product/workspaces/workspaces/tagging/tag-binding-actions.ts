import { hidden } from '../../../../access/permissions/index.ts'
import type { Instant } from '../../../../kernel/clock.ts'
import { type Author, type Change, type Members, recordUpdate } from '../../../../kit/change-log/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { requireNoFaults } from '../../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { type WorkspaceId, workspaceSubject } from '../workspace.ts'
import { touchWorkspace } from '../workspace-store.ts'
import {
  bindingListFaults,
  describeBindings,
  type KeyValue,
  maxBindings,
  type TagBinding,
  tooManyBindings,
} from './tag-binding.ts'
import { type BindingTarget, loadBindingsOf, mergeBindings, replaceBindings } from './tag-binding-store.ts'

type BindingDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

/** Bindings that are sent, and whether they join those of their target or replace them. */
type SentBindings = { readonly bindings: readonly KeyValue[]; readonly store: typeof mergeBindings }

/** The bindings of a workspace or project after a change, and both sides for the change log. */
type StoredBindings = { readonly bindings: TagBinding[]; readonly before: Members; readonly after: Members }

/** Stores bindings of a workspace or project. The caller checks how many there may be. */
export async function storeBindings(
  { ids }: Pick<Deps, 'ids'>,
  tx: Tx,
  target: BindingTarget,
  { bindings, store, at }: SentBindings & { readonly at: Instant },
): Promise<StoredBindings> {
  const before = await loadBindingsOf(tx, target)
  await store(tx, ids, target, { bindings, at })
  const after = await loadBindingsOf(tx, target)
  return { bindings: after, before: describeBindings(before), after: describeBindings(after) }
}

/** A workspace or project that nobody else can change before the transaction ends, and how the change log names it. */
type TargetForUpdate = { readonly target: BindingTarget; readonly named: Pick<Change, 'organizationId' | 'subject'> }

/**
 * Changes the bindings of a workspace or project; returns all it has then. `lockForUpdate` writes its row first, so that of two
 * concurrent callers the second counts what the first has stored.
 */
export async function changeBindings(
  deps: BindingDeps,
  author: Author,
  sent: SentBindings,
  lockForUpdate: (tx: Tx, at: Instant) => Promise<TargetForUpdate>,
): Promise<TagBinding[]> {
  requireNoFaults(bindingListFaults(sent.bindings, '/data'))
  return await inTransaction(deps.db, async (tx) => {
    const at = deps.clock.now()
    const { target, named } = await lockForUpdate(tx, at)
    const { bindings, before, after } = await storeBindings(deps, tx, target, { ...sent, at })
    if (bindings.length > maxBindings) requireNoFaults([tooManyBindings('/data')])
    await recordUpdate(deps, tx, author, { ...named, before, after })
    return bindings
  })
}

type ChangeBindings = (
  deps: BindingDeps,
  author: Author,
  id: WorkspaceId,
  bindings: readonly KeyValue[],
) => Promise<TagBinding[]>

const changeWith =
  (store: typeof mergeBindings): ChangeBindings =>
  (deps, author, id, bindings) =>
    changeBindings(deps, author, { bindings, store }, async (tx, at) => {
      const workspace = await touchWorkspace(tx, id, at)
      if (!workspace) throw hidden()
      const { organizationId } = workspace
      return { target: { organizationId, workspaceId: id }, named: workspaceSubject(workspace) }
    })

/** Adds bindings to a workspace or changes their values; none is removed. Returns all it has then. */
export const mergeWorkspaceBindings: ChangeBindings = changeWith(mergeBindings)

/** Makes these the only bindings of a workspace. */
export const replaceWorkspaceBindings: ChangeBindings = changeWith(replaceBindings)
