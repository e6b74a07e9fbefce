import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { ApiFailure, call, isMissing, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { IconButton } from '../kit/Button.tsx'
import { Id } from '../kit/Copy.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { IconDotsVertical } from '../kit/icons.ts'
import { Menu } from '../kit/Menu.tsx'
import { size } from '../kit/numbers.ts'
import { Section } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { type Column, FootEnd, Table, TextButton } from '../kit/Table.tsx'
import { Time } from '../kit/Time.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { duration, exact, shortInstant } from '../kit/times.ts'
import { BrowseDialog } from './BrowseDialog.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import type { Schedule } from './schedule.ts'

type Attempt = Schemas['SnapshotAttempt']

/** A snapshot that lies at the destination, and the attempt that made it, if it is still known. */
export type Stored = {
  readonly file: string
  readonly time: string
  readonly size: number
  readonly kept: boolean
  readonly attempt: Attempt | undefined
}

const shownAtFirst = 10

/** What lies at the destination of a schedule now. */
export function StoredSnapshots({ schedule: { name } }: { schedule: Schedule }) {
  const inventory = useQuery({
    queryKey: ['snapshots.inventory', name],
    queryFn: () => loadInventory(name),
    staleTime: 60_000,
  })
  const history = useAnswer('snapshots.history', { params: { path: { name } } })
  const [most, setMost] = useState(shownAtFirst)
  const [opened, setOpened] = useState<{ readonly file: string; readonly to: 'browse' | 'restore' }>()
  const columns = useColumns(name, (file, to) => setOpened({ file, to }))
  return (
    <Section title="Stored snapshots" count={inventory.data?.length}>
      <Answer of={inventory} failed={`What is stored of ${name} could not be listed`}>
        {(items) => {
          const rows = joined(items, history.data?.data.attempts ?? [])
          return (
            <Table
              label={`Stored snapshots of ${name}`}
              columns={columns}
              rows={rows.slice(0, most)}
              keyOf={({ file }) => file}
              nothing="Nothing is stored yet."
              foot={
                rows.length > most && (
                  <FootEnd>
                    <TextButton onClick={() => setMost(rows.length)}>Show all {rows.length}</TextButton>
                  </FootEnd>
                )
              }
            />
          )
        }}
      </Answer>
      {opened?.to === 'browse' && (
        <BrowseDialog schedule={name} file={opened.file} close={() => setOpened(undefined)} />
      )}
      {opened?.to === 'restore' && (
        <RestoreDialog source={{ schedule: name, file: opened.file }} close={() => setOpened(undefined)} />
      )}
    </Section>
  )
}

type Item = Pick<Stored, 'file' | 'time' | 'size' | 'kept'>

async function loadInventory(name: string): Promise<readonly Item[]> {
  try {
    const { data } = await call('snapshots.inventory', { params: { path: { name }, query: { list: 'true' } } })
    return data.keys.flatMap((file) => {
      const info = data.key_info[file]
      return info ? [{ file, ...info }] : []
    })
  } catch (error) {
    if (isMissing(error) && error instanceof ApiFailure && error.complaints.length === 0) return []
    throw error
  }
}

const joined = (items: readonly Item[], attempts: readonly Attempt[]): readonly Stored[] => {
  const byFile = new Map(attempts.map((attempt) => [attempt.url.split('/').at(-1) ?? '', attempt]))
  return items.map((item) => ({ ...item, attempt: byFile.get(item.file) }))
}

/** The address of a stored snapshot, from which a browser downloads it. */
const addressOf = (schedule: string, file: string): string =>
  `/v1/sys/storage/raft/snapshot-auto/snapshots/${encodeURIComponent(schedule)}/${encodeURIComponent(file)}`

function useColumns(
  schedule: string,
  open: (file: string, to: 'browse' | 'restore') => void,
): readonly Column<Stored>[] {
  return [
    {
      title: 'Taken',
      phone: 'name',
      cell: ({ time }) => (
        <span className="number" data-tip={exact(time)}>
          {shortInstant(time)}
        </span>
      ),
    },
    { title: 'Age', right: true, phone: 'time', cell: ({ time }) => <Time at={time} /> },
    { title: 'Proof', phone: 'status', cell: ({ attempt }) => <ProofOf attempt={attempt} /> },
    { title: 'Size', right: true, phone: 'fact', cell: (stored) => size(stored.size) },
    {
      title: 'Took',
      right: true,
      cell: ({ attempt }) => (attempt ? duration(attempt.duration_ms / 1000) : ''),
    },
    { title: 'Node', cell: ({ attempt }) => attempt?.node },
    {
      title: 'Checksum',
      cell: ({ attempt }) => attempt?.sha256 && <Id id={attempt.sha256} short />,
    },
    {
      title: 'Actions',
      bare: true,
      right: true,
      phone: 'menu',
      cell: (stored) => <StoredMenu schedule={schedule} stored={stored} open={open} />,
    },
  ]
}

function ProofOf({ attempt }: { attempt: Attempt | undefined }) {
  if (!attempt) return <Status shape="unproved">Not known any more</Status>
  const { not_restorable: isBad, verify_error: error, verified_at: proved, end } = attempt
  if (isBad)
    return (
      <Status shape="disproved" term={error}>
        Does not restore
      </Status>
    )
  if (proved === '')
    return (
      <Status shape="unproved" {...(error && { term: error })}>
        {error ? 'Could not be checked' : 'Not proved'}
      </Status>
    )
  return (
    <Status shape="proved" note={duration((Date.parse(proved) - Date.parse(end)) / 1000)}>
      Proved
    </Status>
  )
}

type StoredMenuProps = {
  readonly schedule: string
  readonly stored: Stored
  readonly open: (file: string, to: 'browse' | 'restore') => void
}

function StoredMenu({ schedule, stored: { file, time, size: bytes }, open }: StoredMenuProps) {
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const remove = async () => {
    const { yes } = await confirm({
      title: 'Delete this stored snapshot?',
      text: `The snapshot of ${shortInstant(time)}, ${size(bytes)}, is removed from the destination. What it holds cannot be restored any more.`,
      action: 'Delete snapshot',
    })
    if (!yes) return
    try {
      await call('snapshots.remove', { params: { path: { name: schedule, file } } })
      say.done('The snapshot is deleted')
    } catch (error) {
      say.failed('The snapshot was not deleted', error)
    }
    await refresh(['snapshots'])
  }
  return (
    <Menu
      items={[
        { label: 'Browse…', act: () => open(file, 'browse') },
        { label: 'Download', note: size(bytes), act: () => location.assign(addressOf(schedule, file)) },
        { label: 'Restore…', act: () => open(file, 'restore') },
        { label: 'Delete…', danger: true, act: remove },
      ]}
      button={(attributes) => (
        <IconButton label={`Actions of the snapshot of ${shortInstant(time)}`} {...attributes}>
          <IconDotsVertical size={16} stroke={1.6} />
        </IconButton>
      )}
    />
  )
}
