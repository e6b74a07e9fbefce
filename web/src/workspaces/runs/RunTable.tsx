import { Link } from '@tanstack/react-router'
import { Status } from '../../kit/Status.tsx'
import { type Column, Table } from '../../kit/Table.tsx'
import { Time } from '../../kit/Time.tsx'
import { type Names, nameIn } from '../names.ts'
import { kindOf, type Run, statusOf } from './runs.ts'

type RunTableProps = {
  readonly organization: string
  readonly runs: readonly Run[]
  readonly names: Names
  /** The workspace they belong to, if that is one. */
  readonly workspace?: string
  readonly nothing: React.ReactNode
  readonly foot: React.ReactNode
}

/** Runs, newest first. */
export function RunTable({ organization, runs, names, workspace, nothing, foot }: RunTableProps) {
  const nameOf = ({ relationships }: Run) => workspace ?? nameIn(names, relationships?.workspace)
  const columns: readonly Column<Run>[] = [
    {
      title: 'Run',
      grow: true,
      phone: 'name',
      cell: (run) => (
        <Link
          to={'/$organization/workspaces/$name/runs/$run' as never}
          params={{ organization, name: nameOf(run), run: run.id } as never}
        >
          {run.attributes.message || run.id}
        </Link>
      ),
    },
    { title: 'Status', phone: 'status', cell: (run) => <RunStatus run={run} /> },
    ...(workspace === undefined ? [{ title: 'Workspace', phone: 'fact', cell: nameOf } as Column<Run>] : []),
    { title: 'Kind', cell: (run) => <span className="soft">{kindOf(run)}</span> },
    { title: 'By', cell: (run) => nameIn(names, run.relationships?.['created-by']) },
    { title: 'Begun', phone: 'time', right: true, cell: (run) => <Time at={run.attributes['created-at']} /> },
  ]
  return <Table label="Runs" columns={columns} rows={runs} keyOf={({ id }) => id} nothing={nothing} foot={foot} />
}

/** How a run stands, in shape and word. */
export function RunStatus({ run, pill = false }: { run: Run; pill?: boolean }) {
  const { shape, word } = statusOf(run)
  return (
    <Status shape={shape} pill={pill} term={run.attributes.status ?? ''}>
      {word}
    </Status>
  )
}
