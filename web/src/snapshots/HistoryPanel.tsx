import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { Chart } from '../kit/Chart.tsx'
import { count, size } from '../kit/numbers.ts'
import { Note, Panel } from '../kit/Page.tsx'
import { Segments } from '../kit/Segments.tsx'
import { duration } from '../kit/times.ts'
import { useScheduleActions } from './actions.tsx'
import { type Day, daysOf, inGroups, pointOf, summaryOf } from './history.ts'
import type { Schedule, Standing } from './schedule.ts'

const spans = { days: 45, year: 365 } as const

type HistoryProps = {
  readonly schedule: Schedule
  readonly span: keyof typeof spans
  readonly check: () => void
}

/** How the snapshots of a schedule went: size, time and proof by day. */
export function HistoryPanel({ schedule, span, check }: HistoryProps) {
  const { name, retain, standing } = schedule
  const asked = useAnswer(
    'snapshots.days',
    { params: { path: { name }, query: { days: spans[span] } } },
    { keep: true },
  )
  useFollow(standing)
  const { runNow, resume } = useScheduleActions()
  const navigate = useNavigate()
  const isPaused = standing.state === 'paused'
  const kept = standing.stored_snapshots ?? retain
  return (
    <Panel
      title={name}
      facts={asked.data && `${summaryOf(asked.data.data.days)}. ${count(kept)} ${kept === 1 ? 'is' : 'are'} kept.`}
      actions={
        <>
          <Segments
            label="How far back"
            choices={[
              ['days', '45 days'],
              ['year', '1 year'],
            ]}
            value={span}
            change={(next) =>
              navigate({
                to: '/server/snapshots',
                search: { schedule: name, ...(next === 'year' && { span: next }) },
                replace: true,
              })
            }
          />
          <Button small onClick={check}>
            Check destination
          </Button>
          {isPaused ? (
            <Button small onClick={() => resume(name)}>
              Resume
            </Button>
          ) : (
            <Button
              small
              reason={standing.state === 'running' ? 'A snapshot is being taken.' : undefined}
              onClick={() => runNow(name)}
            >
              Run now
            </Button>
          )}
        </>
      }
    >
      <Troubles schedule={schedule} />
      <Answer of={asked} failed="The history could not be read">
        {({ data }) => <HistoryChart name={name} days={data.days} span={spans[span]} />}
      </Answer>
    </Panel>
  )
}

/** Asks again for the history and the store when another snapshot was taken or proved. */
function useFollow({ last_snapshot_end: end, last_verified_at: proved, last_verify_error: error }: Standing): void {
  const refresh = useRefresh()
  const known = useRef<string>(undefined)
  useEffect(() => {
    const now = [end, proved, error].join()
    if (known.current !== undefined && known.current !== now) refresh(['snapshots'])
    known.current = now
  }, [end, proved, error, refresh])
}

/** What is wrong with the newest snapshot, in the words of the server. */
const Troubles = ({ schedule: { standing } }: { schedule: Schedule }) => (
  <>
    {standing.last_snapshot_error && standing.state !== 'running' && (
      <Note tone="bad">
        <span className="strong">The last attempt failed.</span> {standing.last_snapshot_error}
      </Note>
    )}
    {standing.last_verify_error && (
      <Note tone={standing.not_restorable ? 'bad' : 'warn'}>
        <span className="strong">
          {standing.not_restorable ? 'The last snapshot does not restore.' : 'The last snapshot could not be checked.'}
        </span>{' '}
        {standing.last_verify_error}
      </Note>
    )}
    {standing.last_prune_error && (
      <Note tone="warn">
        <span className="strong">Old snapshots could not be removed.</span> {standing.last_prune_error}
      </Note>
    )}
  </>
)

function HistoryChart({ name, days, span }: { name: string; days: readonly Day[]; span: number }) {
  const [now] = useState(() => Date.now())
  const all = daysOf(days, span, now)
  const proves = days.some((day) => day.proved > 0)
  return (
    <Chart
      label={`Snapshots of ${name} in the last ${span} days: ${summaryOf(days)}`}
      points={(most) => inGroups(all, most).map((group) => pointOf(group, proves))}
      barText={size}
      lineText={duration}
      legend={[
        { label: 'Size', shape: 'bar' },
        { label: 'Time to take and prove', shape: 'line' },
        { label: 'Proved by a restore', shape: 'proved' },
        { label: 'Not proved', shape: 'unproved' },
        { label: 'Does not restore', shape: 'disproved' },
        { label: 'Attempt failed', shape: 'failed' },
      ]}
    />
  )
}
