import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../api/session.tsx'
import { NeedsServiceToken } from '../frame/NeedsServiceToken.tsx'
import { Answer, Empty } from '../kit/Answer.tsx'
import { Button, buttonClass, IconButton } from '../kit/Button.tsx'
import { Tag } from '../kit/Filters.tsx'
import { IconDotsVertical, IconPlus } from '../kit/icons.ts'
import { Menu, type MenuItem } from '../kit/Menu.tsx'
import { count, size } from '../kit/numbers.ts'
import { Page } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, Table } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { duration, span } from '../kit/times.ts'
import { CheckDialog, useScheduleActions } from './actions.tsx'
import { HistoryPanel } from './HistoryPanel.tsx'
import { useSchedules } from './queries.ts'
import { RestoreFileDialog } from './RestoreFileDialog.tsx'
import { StoredSnapshots } from './StoredSnapshots.tsx'
import { proofSeconds, proofWord, type Schedule, serviceNames, snapshotWord, verdictOf, type Word } from './schedule.ts'

const route = getRouteApi('/server/snapshots/')

/** The schedules of snapshots, how they went, and what is stored. */
export function SnapshotsPage() {
  const { service_token: isSignedIn } = useSession()
  if (isSignedIn) return <WithSchedules />
  return (
    <Page title="Snapshots">
      <NeedsServiceToken what="Snapshots are taken and restored" />
    </Page>
  )
}

function WithSchedules() {
  const [isRestoring, setRestoring] = useState(false)
  const asked = useSchedules()
  const all = asked.data
  return (
    <Page
      title="Snapshots"
      facts={all && all.length > 0 && <VerdictLine schedules={all} />}
      actions={
        <>
          <Button onClick={() => setRestoring(true)}>Restore a file…</Button>
          <Link to="/server/snapshots/new" className={buttonClass('primary')}>
            <IconPlus size={15} stroke={1.8} /> New schedule
          </Link>
        </>
      }
    >
      <Answer of={asked} failed="The schedules could not be read">
        {(schedules) => (schedules.length === 0 ? <NoSchedules /> : <Schedules schedules={schedules} />)}
      </Answer>
      {isRestoring && <RestoreFileDialog close={() => setRestoring(false)} />}
    </Page>
  )
}

const NoSchedules = () => (
  <Empty
    title="No schedule yet"
    action={
      <Link to="/server/snapshots/new" className={buttonClass('primary')}>
        New schedule
      </Link>
    }
    command={
      'holdfast write sys/storage/raft/snapshot-auto/config/nightly interval=24h retain=7 \\\n  storage_type=local path_prefix=/var/backups/holdfast local_max_space=1073741824'
    }
  >
    A schedule takes a snapshot of everything this server keeps, stores it, and proves that it can be restored.
  </Empty>
)

function VerdictLine({ schedules }: { schedules: readonly Schedule[] }) {
  const { shape, text, schedule } = verdictOf(schedules)
  const at = schedule && (proofWord(schedule).since ?? schedule.standing.last_success_end)
  return (
    <Status
      shape={shape}
      note={
        schedule && (
          <>
            {schedule.name}, {shape === 'proved' ? 'proved' : 'stored'} <Time at={at} />
          </>
        )
      }
    >
      <span className="strong">{text}</span>
    </Status>
  )
}

function Schedules({ schedules }: { schedules: readonly Schedule[] }) {
  const search = route.useSearch()
  const [checked, setChecked] = useState<string>()
  const chosen = schedules.find(({ name }) => name === search.schedule) ?? verdictOf(schedules).schedule ?? schedules[0]
  return (
    <>
      <Table
        label="Schedules"
        columns={useColumns(setChecked)}
        rows={schedules}
        keyOf={({ name }) => name}
        {...(chosen && { chosen: chosen.name })}
      />
      {chosen && (
        <>
          <HistoryPanel
            key={chosen.name}
            schedule={chosen}
            span={search.span === 'year' ? 'year' : 'days'}
            check={() => setChecked(chosen.name)}
          />
          <StoredSnapshots key={`${chosen.name}-stored`} schedule={chosen} />
        </>
      )}
      {checked !== undefined && <CheckDialog name={checked} close={() => setChecked(undefined)} />}
    </>
  )
}

const InWords = ({ of: { shape, word, since, tip }, more }: { of: Word; more?: string | undefined }) => (
  <Status
    shape={shape}
    note={
      since && (
        <>
          <Time at={since} />
          {more}
        </>
      )
    }
    {...(tip !== undefined && { term: tip })}
  >
    {word}
  </Status>
)

function useColumns(check: (name: string) => void): readonly Column<Schedule>[] {
  const search = route.useSearch()
  return [
    {
      title: 'Schedule',
      phone: 'name',
      cell: ({ name }) => (
        <Link to="/server/snapshots" search={{ ...search, schedule: name }} replace>
          {name}
        </Link>
      ),
    },
    {
      title: 'Goes to',
      grow: true,
      cell: ({ destination: { service, place } }) => (
        <>
          <Tag name={serviceNames[service]} /> <code data-tip={place}>{place}</code>
        </>
      ),
    },
    { title: 'Every', right: true, cell: ({ interval }) => span(interval) },
    { title: 'Keeps', right: true, cell: ({ retain }) => count(retain) },
    { title: 'Last snapshot', phone: 'status', cell: (schedule) => <InWords of={snapshotWord(schedule)} /> },
    {
      title: 'Size',
      right: true,
      cell: ({ standing }) => (standing.last_snapshot_size > 0 ? size(standing.last_snapshot_size) : ''),
    },
    { title: 'Proof', phone: 'fact', cell: (schedule) => <Proof schedule={schedule} /> },
    { title: 'Next', right: true, phone: 'time', cell: ({ standing }) => <Next standing={standing} /> },
    {
      title: 'Actions',
      bare: true,
      right: true,
      phone: 'menu',
      cell: (schedule) => <RowMenu schedule={schedule} check={check} />,
    },
  ]
}

function Proof({ schedule }: { schedule: Schedule }) {
  const seconds = proofSeconds(schedule.standing)
  return <InWords of={proofWord(schedule)} more={seconds === undefined ? undefined : `, ${duration(seconds)}`} />
}

const Next = ({ standing: { state, next_snapshot_start: next } }: Pick<Schedule, 'standing'>) =>
  next === '' ? <span className="faint">{state === 'paused' ? 'paused' : 'not set'}</span> : <Time at={next} />

function RowMenu({ schedule, check }: { schedule: Schedule; check: (name: string) => void }) {
  const { runNow, pause, resume, remove } = useScheduleActions()
  const navigate = useNavigate()
  const { name, standing } = schedule
  const isPaused = standing.state === 'paused'
  const items: readonly MenuItem[] = [
    {
      label: 'Run now',
      reason: isPaused ? 'It is paused. Resume it first.' : undefined,
      act: () => runNow(name),
    },
    { label: 'Check destination…', act: () => check(name) },
    { label: 'Edit', act: () => navigate({ to: '/server/snapshots/edit/$name', params: { name } }) },
    isPaused ? { label: 'Resume', act: () => resume(name) } : { label: 'Pause', act: () => pause(name) },
    { label: 'Delete…', danger: true, act: () => remove(schedule) },
  ]
  return (
    <Menu
      items={items}
      button={(attributes) => (
        <IconButton label={`Actions of ${name}`} {...attributes}>
          <IconDotsVertical size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  )
}
