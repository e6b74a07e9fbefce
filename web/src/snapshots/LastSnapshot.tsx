import { Link } from '@tanstack/react-router'
import { counted } from '../kit/numbers.ts'
import { Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { Time } from '../kit/Time.tsx'
import { useSchedules } from './queries.ts'
import { proofWord, verdictOf } from './schedule.ts'

/** Whether there is a snapshot to rely on, for the overview. */
export function LastSnapshot() {
  const { data } = useSchedules()
  if (!data || data.length === 0) return null
  const { shape, text, schedule } = verdictOf(data)
  const active = data.filter(({ standing }) => standing.state !== 'paused')
  const proved = active.filter((each) => proofWord(each).shape === 'proved').length
  return (
    <Section title={text}>
      {schedule && (
        <p>
          <Status shape={shape} note={<Time at={proofWord(schedule).since ?? schedule.standing.last_success_end} />}>
            <Link to="/server/snapshots" search={{ schedule: schedule.name }}>
              {schedule.name}
            </Link>
          </Status>
        </p>
      )}
      <p className="faint">
        {proved} of {counted(active.length, 'active schedule')} {proved === 1 ? 'is' : 'are'} proved.
      </p>
    </Section>
  )
}
