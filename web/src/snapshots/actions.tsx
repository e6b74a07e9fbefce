import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Bars, Failure } from '../kit/Answer.tsx'
import { Dialog, useConfirm } from '../kit/Dialog.tsx'
import { counted } from '../kit/numbers.ts'
import { Note } from '../kit/Page.tsx'
import { Status } from '../kit/Status.tsx'
import { Table } from '../kit/Table.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import type { Schedule } from './schedule.ts'

type Actions = {
  runNow(name: string): Promise<void>
  pause(name: string): Promise<void>
  resume(name: string): Promise<void>
  /** Returns whether it was deleted. */
  remove(schedule: Schedule): Promise<boolean>
}

/** What can be done with a schedule at once. */
export function useScheduleActions(): Actions {
  const say = useToasts()
  const refresh = useRefresh()
  const confirm = useConfirm()
  const attempt = async (failed: string, act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act()
    } catch (error) {
      say.failed(failed, error)
      return false
    }
    await refresh(['snapshots'])
    return true
  }
  const path = (name: string) => ({ params: { path: { name } } })
  const resume = async (name: string): Promise<void> => {
    if (await attempt(`${name} was not resumed`, () => call('snapshots.resume', path(name))))
      say.done(`${name} is resumed`)
  }
  return {
    runNow: async (name) => {
      if (await attempt(`No snapshot of ${name}`, () => call('snapshots.run', { ...path(name), body: {} })))
        say.done(`${name} takes a snapshot now`)
    },
    pause: async (name) => {
      if (await attempt(`${name} was not paused`, () => call('snapshots.pause', path(name))))
        say.done(`${name} is paused`, { undo: () => resume(name) })
    },
    resume,
    remove: async ({ name, standing }) => {
      const kept = standing.stored_snapshots
      const stored = kept === undefined ? 'Stored snapshots stay' : `${counted(kept, 'stored snapshot')} stay`
      const { yes } = await confirm({
        title: `Delete the schedule ${name}?`,
        text: `No more snapshots are taken by it, and its history is forgotten. ${stored} where they are.`,
        action: `Delete ${name}`,
        typed: name,
      })
      if (!yes) return false
      const isGone = await attempt(`${name} was not deleted`, () => call('snapshots.delete-config', path(name)))
      if (isGone) say.done(`${name} is deleted`)
      return isGone
    },
  }
}

type Report = Schemas['StorageCheck']

/** Tries what a credential may do at its destination, and shows it. */
export function CheckDialog({ name, close }: { name: string; close: () => void }) {
  const [begun] = useState(() => Date.now())
  const asked = useQuery({
    queryKey: ['check', name, begun],
    queryFn: async () => (await call('snapshots.check', { params: { path: { name } } })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={`Destination of ${name}`} close={close} width={620}>
      {asked.data ? (
        <CheckReport report={asked.data} />
      ) : asked.error ? (
        <Failure title="The destination could not be checked" error={asked.error} again={() => asked.refetch()} />
      ) : (
        <Bars />
      )}
    </Dialog>
  )
}

const rightWords = { write: 'Write', list: 'List', read: 'Read', delete: 'Delete' } as const

/** What a credential may do at a destination. */
export function CheckReport({ report }: { report: Report }) {
  const rows = (Object.keys(rightWords) as (keyof typeof rightWords)[]).map((to) => ({ to, ...report.rights[to] }))
  return (
    <>
      <Note tone={report.ok ? 'ok' : 'bad'}>
        {report.ok
          ? 'One byte was written, listed, read and deleted: snapshots can be kept here.'
          : 'Snapshots cannot be kept here as it is.'}
      </Note>
      <Table
        label="What the credential may do"
        rows={rows}
        keyOf={({ to }) => to}
        columns={[
          { title: 'To', cell: ({ to }) => rightWords[to], phone: 'name' },
          {
            title: 'Allowed',
            phone: 'status',
            cell: ({ allowed }) => (
              <Status shape={allowed ? 'done' : 'failed'}>{allowed ? 'Allowed' : 'Refused'}</Status>
            ),
          },
          { title: 'Right', cell: ({ right }) => <code>{right}</code>, phone: 'fact' },
        ]}
      />
      {[...new Set(rows.map(({ error }) => error).filter(Boolean))].map((error) => (
        <p key={error} className="soft">
          “{error}”
        </p>
      ))}
    </>
  )
}
