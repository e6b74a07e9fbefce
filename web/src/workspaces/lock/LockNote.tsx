import { useAnswer } from '../../api/answers.ts'
import { counted } from '../../kit/numbers.ts'
import { Note } from '../../kit/Page.tsx'
import { Time } from '../../kit/Time.tsx'
import { useWorkspace } from '../workspace.tsx'
import type { ShownLock } from './lock.ts'

/** Who holds the lock, why, since when and until when, who waits, and what unlocking does. */
export function LockNote({ lock }: { lock: ShownLock }) {
  const { id, reasonNot } = useWorkspace()
  const asked = useAnswer('workspaces.show-lock', { params: { path: { workspaceId: id } } }, { every: 10_000 })
  const waiting = asked.data?.data?.attributes.waiting ?? 0
  return (
    <Note tone="calm">
      <p>
        <span className="strong">{lock.isMine ? 'You hold the lock' : `${lock.holder} holds the lock`}</span>, since{' '}
        <Time at={lock.since} />
        {lock.until ? (
          <>
            , until <Time at={lock.until} />
          </>
        ) : (
          ', with no end'
        )}
        . {lock.reason ? `Reason: ${lock.reason}` : 'No reason was given.'}
      </p>
      {waiting > 0 && <p>{counted(waiting, 'call waits', 'calls wait')} for it.</p>}
      {reasonNot('can-read-state-versions') === undefined && <AtUnlock />}
    </Note>
  )
}

/** A state that was written under the lock becomes the current one when that is released. */
function AtUnlock() {
  const { organization, name, relationships } = useWorkspace()
  const query = { 'filter[organization][name]': organization, 'filter[workspace][name]': name, 'page[size]': 1 }
  const asked = useAnswer('state-versions.list', { params: { query } })
  const newest = asked.data?.data[0]
  const current = (relationships['current-state-version'] as { data?: { id: string } } | undefined)?.data
  if (!newest || newest.id === current?.id || newest.attributes.status !== 'finalized') return null
  return <p>When it is unlocked, serial {newest.attributes.serial} becomes the current state.</p>
}
