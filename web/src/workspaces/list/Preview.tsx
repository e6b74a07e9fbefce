import { count } from '../../kit/numbers.ts'
import { Status } from '../../kit/Status.tsx'
import { Table } from '../../kit/Table.tsx'
import type { BulkOutcome } from './bulk.ts'
import styles from './List.module.css'

/** So many rows are shown; the refused ones come first. */
const shownRows = 12

const order = ['refused', 'changed', 'unchanged']

/** What each workspace will get, and which refuse. */
export function Preview({ outcome, gets }: { outcome: BulkOutcome; gets: string }) {
  const rows = [...outcome.rows].sort(
    (a, b) => order.indexOf(String(a.attributes.result)) - order.indexOf(String(b.attributes.result)),
  )
  const { changed, unchanged, refused } = outcome
  return (
    <div>
      <p className="soft" role="status">
        {count(changed)} will be {gets}, {count(unchanged)} as they are, {count(refused)} refused.
      </p>
      <Table
        label="What each will get"
        rows={rows.slice(0, shownRows)}
        keyOf={({ id }) => id}
        foot={rows.length > shownRows ? `and ${count(rows.length - shownRows)} more` : undefined}
        columns={[
          { title: 'Workspace', cell: ({ attributes }) => attributes.name, phone: 'name' },
          {
            title: 'Will be',
            phone: 'status',
            grow: true,
            cell: ({ attributes }) =>
              attributes.result === 'refused' ? (
                <>
                  <Status shape="failed">refused</Status>
                  <div className={styles.detail}>{attributes.detail}</div>
                </>
              ) : attributes.result === 'changed' ? (
                <Status shape="done">{gets}</Status>
              ) : (
                <Status shape="nothing">as it is</Status>
              ),
          },
        ]}
      />
    </div>
  )
}
