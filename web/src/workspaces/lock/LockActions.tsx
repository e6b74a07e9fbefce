import { useState } from 'react'
import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.tsx'
import { Button } from '../../kit/Button.tsx'
import { useConfirm } from '../../kit/Dialog.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { LockDialog } from './LockDialog.tsx'
import { lockOf, type ShownLock } from './lock.ts'

/** Lock, unlock, or break the lock of somebody else. */
export function LockActions() {
  const workspace = useWorkspace()
  const lock = lockOf(workspace, useSession().user_id)
  const [isOpen, setOpen] = useState(false)
  if (lock?.isMine) return <Unlock lock={lock} />
  if (lock) return <Force lock={lock} />
  return (
    <>
      <Button reason={workspace.reasonNot('can-lock')} onClick={() => setOpen(true)}>
        Lock…
      </Button>
      {isOpen && <LockDialog close={() => setOpen(false)} />}
    </>
  )
}

/** What is asked for again after the lock has changed: unlocking makes the newest state the current one. */
const touched = ['workspaces', 'state-versions', 'workspace-changes', 'workspace-resources']

function useTry() {
  const say = useToasts()
  const refresh = useRefresh()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (failed: string, work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      say.failed(failed, error)
    } finally {
      await refresh(touched)
      setBusy(false)
    }
  }
  return { say, isBusy, attempt }
}

function Unlock({ lock }: { lock: ShownLock }) {
  const { id, name, reasonNot } = useWorkspace()
  const { say, isBusy, attempt } = useTry()
  const path = { workspaceId: id }
  const lockAgain = () =>
    attempt(`${name} was not locked again`, () =>
      call('workspaces.lock', { params: { path }, body: { reason: lock.reason } }),
    )
  const unlock = () =>
    attempt(`${name} was not unlocked`, async () => {
      await call('workspaces.unlock', { params: { path } })
      say.done(`${name} is unlocked`, { undo: lockAgain })
    })
  return (
    <Button reason={reasonNot('can-unlock')} busy={isBusy} onClick={unlock}>
      Unlock
    </Button>
  )
}

function Force({ lock }: { lock: ShownLock }) {
  const { id, name, reasonNot } = useWorkspace()
  const { say, isBusy, attempt } = useTry()
  const confirm = useConfirm()
  const force = async () => {
    const { yes, note } = await confirm({
      title: `Break the lock of ${lock.holder}?`,
      text: `Whoever works on ${name} under this lock can no longer write its state: what they are changing now may be lost to the state. Ask ${lock.holder} first, if you can.`,
      action: 'Break the lock',
      note: { label: 'Why', hint: 'Kept in the history, where the holder can read it.' },
    })
    if (!yes) return
    await attempt(`The lock of ${name} was not broken`, async () => {
      await call('workspaces.force-unlock', {
        params: { path: { workspaceId: id } },
        body: { reason: note.trim(), 'locked-at': lock.since },
      })
      say.done(`${name} is unlocked by force`)
    })
  }
  return (
    <Button kind="danger" reason={reasonNot('can-force-unlock')} busy={isBusy} onClick={force}>
      Break the lock…
    </Button>
  )
}
