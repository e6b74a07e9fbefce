import { Status } from '../../kit/Status.tsx'
import { type Column, Table, Under } from '../../kit/Table.tsx'

/** What may be done at a path, or what a rule about it says. */
export type Verdict = { readonly path: string; readonly words: readonly string[] }

/** Paths, and below each what may be done there. */
export const Verdicts = ({ label, of }: { label: string; of: readonly Verdict[] }) => (
  // Two rules may be about the same path.
  <Table
    label={label}
    columns={columns}
    rows={of.map((each, at) => ({ ...each, at }))}
    keyOf={({ at }) => String(at)}
  />
)

const columns: readonly Column<Verdict>[] = [
  {
    title: 'Path, and what it allows',
    phone: 'name',
    grow: true,
    cell: ({ path, words }) => (
      <>
        <code data-tip={path}>{path}</code>
        <Under>
          <Capabilities of={words} />
        </Under>
      </>
    ),
  },
]

/** What may be done somewhere, in the words of policies. */
export function Capabilities({ of }: { of: readonly string[] }) {
  if (of.length === 0) return <Status shape="nothing">Nothing</Status>
  if (of.includes('root')) return <Status shape="done">Everything</Status>
  return of.includes('deny') ? <Status shape="failed">Refused</Status> : <Status shape="done">{of.join(', ')}</Status>
}
