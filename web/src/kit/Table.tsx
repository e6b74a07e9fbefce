import { type ReactNode, useRef } from 'react'
import { useLostReason } from '../api/connection.ts'
import { Button, IconButton } from './Button.tsx'
import { IconArrowDown, IconArrowUp, IconX } from './icons.ts'
import { count } from './numbers.ts'
import styles from './Table.module.css'
import { type LongRows, type RowAttributes, VirtualRows } from './VirtualRows.tsx'

/** A column of a table. */
export type Column<Row> = {
  readonly title: string
  /** The title is not shown, only said; for the column of the row menus. */
  readonly bare?: boolean
  /** A second line of the head: a count. */
  readonly note?: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers stand at the right. */
  readonly right?: boolean
  /** Takes the room that is left, and is cut where there is too little. */
  readonly grow?: boolean
  /** The key by which the API sorts, if it does. */
  readonly sort?: string
  /** Its width in a long table, where no row tells it; the one without takes what is left. */
  readonly width?: number
  /** Where it stands on a phone: what has no place there is left out. */
  readonly phone?: 'name' | 'time' | 'status' | 'fact' | 'menu'
}

type Selection = {
  readonly chosen: ReadonlySet<string>
  readonly change: (chosen: ReadonlySet<string>) => void
  /** What can be done with those. */
  readonly actions: ReactNode
}

type TableProps<Row> = {
  /** What the rows are, for those who cannot see. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** All of them; of a long list, those that are there. */
  readonly rows: readonly Row[]
  readonly long?: LongRows<Row>
  readonly keyOf: (row: Row) => string
  /** What the checkbox of a row is called, if the key tells people nothing. */
  readonly titleOf?: (row: Row) => string
  readonly sort?: { readonly by: string; readonly change: (by: string) => void }
  readonly selection?: Selection
  /** Marks one row as the one that is looked at. */
  readonly chosen?: string
  /** Cells are compared across columns, so that it stays a table on a phone, and scrolls there. */
  readonly matrix?: boolean
  /** What stands below the rows. */
  readonly foot?: ReactNode
  /** What is said if there is no row. */
  readonly nothing?: ReactNode
}

/** The one table. Its rows hold native parts only, so that thousands are no effort. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, long, matrix, keyOf, titleOf = keyOf, sort, selection, chosen, foot, nothing } = props
  // Where a range begins that ends with the next click while Shift is held.
  const anchor = useRef<string>(undefined)
  const select = (key: string, isWanted: boolean, hasShift: boolean) => {
    if (!selection) return
    const keys = rows.map(keyOf)
    const [from, to] = [keys.indexOf(hasShift ? (anchor.current ?? key) : key), keys.indexOf(key)].sort((a, b) => a - b)
    const range = from === undefined || from < 0 ? [key] : keys.slice(from, (to ?? from) + 1)
    const others = [...selection.chosen].filter((each) => !range.includes(each))
    selection.change(new Set(isWanted ? [...others, ...range] : others))
    anchor.current = key
  }
  const renderRow = (row: Row, attributes: Partial<RowAttributes> = {}) => {
    const key = keyOf(row)
    const isChosen = selection ? selection.chosen.has(key) : key === chosen
    return (
      <tr key={key} aria-selected={isChosen || undefined} {...attributes}>
        {selection && <Select row={key} title={titleOf(row)} isChosen={isChosen} select={select} />}
        {columns.map((column, index) => (
          <Cell key={column.title} column={column} isName={index === 0}>
            {column.cell(row)}
          </Cell>
        ))}
      </tr>
    )
  }
  return (
    <div
      className={[styles.table, long && styles.long, matrix ? styles.matrix : styles.cards].filter(Boolean).join(' ')}
    >
      <div className={styles.scroll}>
        <table aria-rowcount={long && long.count + 1}>
          <caption className="unseen">{label}</caption>
          {long && <Widths columns={columns} hasBoxes={selection !== undefined} />}
          <thead>
            <tr>
              {selection && <SelectAll keys={rows.map(keyOf)} selection={selection} />}
              {columns.map((column) => (
                <Head key={column.title} column={column} sort={sort} />
              ))}
            </tr>
          </thead>
          {long ? (
            <VirtualRows of={long} columns={columns.length + (selection ? 1 : 0)} render={renderRow} />
          ) : (
            <tbody>{rows.map((row) => renderRow(row))}</tbody>
          )}
        </table>
      </div>
      {(long ? long.count : rows.length) === 0 && <div className={styles.nothing}>{nothing ?? 'There are none.'}</div>}
      <div className={styles.below} data-foot>
        {selection && selection.chosen.size > 0 && <Bulk selection={selection} />}
        {foot && <div className={styles.foot}>{foot}</div>}
      </div>
    </div>
  )
}

type WidthsProps<Row> = { readonly columns: readonly Column<Row>[]; readonly hasBoxes: boolean }

/** The columns keep their widths, whatever rows come into sight. */
const Widths = <Row,>({ columns, hasBoxes }: WidthsProps<Row>) => (
  <colgroup>
    {hasBoxes && <col style={{ width: 42 }} />}
    {columns.map(({ title, width }) => (
      <col key={title} style={width === undefined ? undefined : { width }} />
    ))}
  </colgroup>
)

/** What stands at the end of the foot of a table. */
export const FootEnd = ({ children }: { children: ReactNode }) => <span className={styles.end}>{children}</span>

const classOf = ({ right, grow }: { right?: boolean; grow?: boolean }): string | undefined =>
  right ? styles.right : grow ? styles.grow : undefined

function Head<Row>({ column, sort }: { column: Column<Row>; sort: TableProps<Row>['sort'] }) {
  const { title, sort: key, bare } = column
  if (!sort || key === undefined)
    return (
      <th scope="col" className={classOf({ right: column.right ?? false })}>
        {bare ? <span className="unseen">{title}</span> : title}
        {column.note !== undefined && <small className={styles.note}>{column.note}</small>}
      </th>
    )
  const isUp = sort.by === key
  const isDown = sort.by === `-${key}`
  const Arrow = isDown ? IconArrowDown : IconArrowUp
  return (
    <th
      scope="col"
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
      className={classOf({ right: column.right ?? false })}
    >
      <button type="button" className={styles.sort} onClick={() => sort.change(isUp ? `-${key}` : key)}>
        {title}
        {(isUp || isDown) && <Arrow size={14} stroke={1.8} />}
      </button>
    </th>
  )
}

type CellProps<Row> = { column: Column<Row>; isName: boolean; children: ReactNode }

function Cell<Row>({ column, isName, children }: CellProps<Row>) {
  const isNumber = column.phone === 'fact' && column.right
  const rest = {
    className: classOf(column),
    'data-phone': column.phone,
    // A number alone says nothing on a card.
    'data-title': isNumber ? column.title : undefined,
  }
  return isName ? (
    <th scope="row" {...rest}>
      {children}
    </th>
  ) : (
    <td {...rest}>{children}</td>
  )
}

function SelectAll({ keys, selection: { chosen, change } }: { keys: readonly string[]; selection: Selection }) {
  const here = keys.filter((key) => chosen.has(key)).length
  const others = [...chosen].filter((key) => !keys.includes(key))
  return (
    <th scope="col" className={styles.check}>
      <input
        type="checkbox"
        aria-label="Select all rows shown"
        checked={here > 0 && here === keys.length}
        ref={(box) => {
          if (box) box.indeterminate = here > 0 && here < keys.length
        }}
        onChange={() => change(new Set(here === keys.length ? others : [...others, ...keys]))}
      />
    </th>
  )
}

type SelectProps = {
  readonly row: string
  readonly title: string
  readonly isChosen: boolean
  readonly select: (row: string, isWanted: boolean, hasShift: boolean) => void
}

const Select = ({ row, title, isChosen, select }: SelectProps) => (
  <td className={styles.check}>
    <input
      type="checkbox"
      aria-label={`Select ${title}`}
      checked={isChosen}
      onChange={({ target, nativeEvent }) => select(row, target.checked, (nativeEvent as MouseEvent).shiftKey)}
    />
  </td>
)

const Bulk = ({ selection: { chosen, change, actions } }: { selection: Selection }) => (
  <section className={styles.bulk} aria-label="Selected rows">
    <span className="strong">{count(chosen.size)} selected</span>
    {actions}
    <span className={styles.end}>
      <IconButton label="Clear the selection" onClick={() => change(new Set())}>
        <IconX size={16} stroke={1.6} />
      </IconButton>
    </span>
  </section>
)

type TickProps = {
  readonly label: string
  readonly checked: boolean
  readonly change: (isWanted: boolean) => unknown
  /** Why it cannot be ticked now, and who can help. */
  readonly reason: string | undefined
}

/** A box in a cell whose tick is sent at once. */
export function Tick({ label, checked, change, reason }: TickProps) {
  const lost = useLostReason()
  const whyNot = reason ?? lost
  return (
    <input
      type="checkbox"
      aria-label={label}
      aria-disabled={whyNot !== undefined || undefined}
      data-tip={whyNot}
      checked={checked}
      onChange={({ target }) => whyNot === undefined && change(target.checked)}
    />
  )
}

/** A second line in a cell, about its name. */
export const Under = ({ children }: { children: ReactNode }) => <small className={styles.under}>{children}</small>

/** A link that looks like text in a foot or a sentence. */
export const TextButton = ({ children, onClick }: { children: ReactNode; onClick: () => void }) => (
  <button type="button" className={styles.plain} onClick={onClick}>
    {children}
  </button>
)

type PagerProps = {
  readonly page: number
  readonly pageSize: number
  readonly shown: number
  readonly total: number
  readonly change: (page: number) => void
}

type InSightProps = {
  readonly first: number
  readonly last: number
  readonly total: number
  readonly all?: number | undefined
}

/** "1,284 of 100,000 match, showing 1 to 14": rows count from 0. */
export const InSight = ({ first, last, total, all }: InSightProps) => (
  <span className="number">
    {count(total)}
    {all !== undefined && all !== total && ` of ${count(all)}`} {total === 1 ? 'matches' : 'match'}
    {total > 0 && `, showing ${count(first + 1)} to ${count(Math.min(last + 1, total))}`}
  </span>
)

/** "1,284 match, showing 1 to 50", and the ways to the pages beside this one. */
export const Pager = ({ page, pageSize, shown, total, change }: PagerProps) => {
  const first = (page - 1) * pageSize + 1
  const last = Math.ceil(total / pageSize)
  return (
    <>
      <span className="number">
        {count(total)} {total === 1 ? 'matches' : 'match'}
        {shown > 0 && `, showing ${count(first)} to ${count(first + shown - 1)}`}
      </span>
      {last > 1 && (
        <span className={styles.end}>
          <Button small reason={page > 1 ? undefined : 'This is the first page.'} onClick={() => change(page - 1)}>
            Previous
          </Button>{' '}
          <Button small reason={page < last ? undefined : 'This is the last page.'} onClick={() => change(page + 1)}>
            Next
          </Button>
        </span>
      )}
    </>
  )
}
