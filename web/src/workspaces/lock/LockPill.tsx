import { useSession } from '../../api/session.tsx'
import { Status } from '../../kit/Status.tsx'
import { useWorkspace } from '../workspace.tsx'
import { lockOf } from './lock.ts'

/** Beside the name of a workspace: who holds it. */
export function LockPill() {
  const lock = lockOf(useWorkspace(), useSession().user_id)
  if (!lock) return null
  return (
    <Status shape="locked" pill>
      {lock.isMine ? 'Locked by you' : `Locked by ${lock.holder}`}
    </Status>
  )
}
