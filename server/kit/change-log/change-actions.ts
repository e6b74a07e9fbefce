import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Tx } from '../../storage/open.ts'
import { type Deps, perApp } from '../deps.ts'
import { type Author, type Change, differences, type Members } from './change-rules.ts'
import { insertChange } from './change-store.ts'

/** Positions are microseconds with a counter in their last digits, so that one process never repeats one. */
const lastPositions = perApp(() => ({ value: 0 }))

type RecordDeps = Pick<Deps, 'clock' | 'ids' | 'store'>

/** Records a change, in the transaction that makes it. */
export function recordChange(deps: RecordDeps, tx: Tx, author: Author, change: Change): Awaitable<void> {
  const last = lastPositions(deps)
  const at = deps.clock.now()
  last.value = Math.max(at * 1000, last.value + 1)
  return insertChange(tx, { ...change, id: deps.ids.newIdAt('chg', at), position: last.value, author, at })
}

/** Records what an update changed; does nothing if nothing differs. */
export function recordUpdate(
  deps: RecordDeps,
  tx: Tx,
  author: Author,
  change: Omit<Change, 'before' | 'after' | 'action'> & { before: Members; after: Members },
): Awaitable<void> {
  const changed = differences(change.before, change.after)
  if (changed) return recordChange(deps, tx, author, { ...change, ...changed, action: 'update' })
}
