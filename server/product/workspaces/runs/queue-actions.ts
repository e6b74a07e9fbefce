import type { RunQueue } from '../workspaces/index.ts'
import { moveOn, openDesk, setCurrent, settle } from './run-actions.ts'
import { destroySource } from './run-fields.ts'
import { loadHead, loadInStatus, loadRun } from './run-store.ts'

/** What runs do when a workspace is unlocked, is no longer executed on the server, or is to be destroyed another time. */
export const runQueue: RunQueue = {
  endHolder: async (deps, tx, workspace, author) => {
    const run = await loadRun(tx, workspace.lock?.holder.id ?? '')
    if (!run) return {}
    const { kind, id, name } = author
    const desk = openDesk(deps, tx, workspace, { author })
    const by = kind === 'system' ? {} : { by: { kind, id, name } }
    await moveOn(desk, run, 'force-unlock', { ...by, keepsLock: true })
    return desk.members
  },
  afterRelease: async (deps, tx, before, released) => {
    const desk = openDesk(deps, tx, released, { stateBefore: before.currentStateVersionId })
    await settle(desk)
    return { members: desk.members, entries: desk.entries }
  },
  afterRescheduling: async (deps, tx, workspace) => {
    const desk = openDesk(deps, tx, workspace)
    for (const run of await loadInStatus(tx, workspace.id, ['pending']))
      if (run.source === destroySource) await moveOn(desk, run, 'cancel')
    const { autoDestroyStatus: _, ...members } = desk.members
    return members
  },
  afterLocalizing: async (deps, tx, workspace) => {
    const desk = openDesk(deps, tx, workspace)
    for (const run of await loadInStatus(tx, workspace.id, ['pending', 'planned_and_saved']))
      await moveOn(desk, run, 'localize')
    const head = await loadHead(tx, workspace.id)
    if (head && desk.workspace.currentRunId !== head.id) setCurrent(desk, head)
    return desk.members
  },
}
