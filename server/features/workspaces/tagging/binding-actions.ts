import { hidden } from '../../../access/permissions/index.ts'
import type { Awaitable } from '../../../kernel/awaitable.ts'
import type { Deps } from '../../../kit/deps.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { type Author, recordUpdate } from '../../change-log/index.ts'
import { holdWorkspace } from '../records/workspace-store.ts'
import { workspaceSubject } from '../workspace-changes.ts'
import type { Workspace, WorkspaceId } from '../workspace-rules.ts'
import {
  bindingListFaults,
  bindingPairs,
  type KeyValue,
  maxBindings,
  type TagBinding,
  tooManyBindings,
} from './binding-rules.ts'
import { loadBindings, mergeBindings, replaceBindings } from './binding-store.ts'

type BindingDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store'>

type ChangeBindings = (
  deps: BindingDeps,
  author: Author,
  id: WorkspaceId,
  bindings: readonly KeyValue[],
) => Promise<TagBinding[]>

/**
 * The row of the workspace is written first, so that of two concurrent callers the second counts what the first has
 * stored.
 */
const bindingsChanger =
  (store: typeof mergeBindings): ChangeBindings =>
  async (deps, author, id, bindings) => {
    requireNoFaults(bindingListFaults(bindings, '/data'))
    return await inTransaction(deps.db, async (tx) => {
      const at = deps.clock.now()
      const workspace = await holdWorkspace(tx, id, at)
      if (!workspace) throw hidden()
      const before = await loadBindings(tx, 'workspace_id', [id])
      await store(tx, deps.ids, { organizationId: workspace.organizationId, workspaceId: id }, { bindings, at })
      const after = await loadBindings(tx, 'workspace_id', [id])
      if (after.length > maxBindings) requireNoFaults([tooManyBindings('/data')])
      await record(deps, tx, author, { workspace, before, after })
      return after
    })
  }

/** Adds bindings to a workspace or changes their values; none is removed. Returns all it has then. */
export const mergeWorkspaceBindings: ChangeBindings = bindingsChanger(mergeBindings)

/** Makes these the only bindings of a workspace. */
export const replaceWorkspaceBindings: ChangeBindings = bindingsChanger(replaceBindings)

type BindingsChange = { workspace: Workspace; before: readonly TagBinding[]; after: readonly TagBinding[] }

const record = (
  deps: BindingDeps,
  tx: Tx,
  author: Author,
  { workspace, before, after }: BindingsChange,
): Awaitable<void> =>
  recordUpdate(deps, tx, author, {
    ...workspaceSubject(workspace),
    before: { 'tag-bindings': bindingPairs(before) },
    after: { 'tag-bindings': bindingPairs(after) },
  })
