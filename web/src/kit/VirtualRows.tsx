import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './Table.module.css'

/** Rows of a list that is too long to be there as a whole. */
export type LongRows<Row> = {
  /** How many there are. */
  readonly count: number
  /** One of them; undefined until it was fetched. */
  readonly rowAt: (index: number) => Row | undefined
  /** Is told which ones are in sight, the first being 0. */
  readonly sight: (first: number, last: number) => void
}

type VirtualRowsProps<Row> = {
  readonly of: LongRows<Row>
  /** How many columns a row spans that is not there yet. */
  readonly columns: number
  readonly render: (row: Row, attributes: RowAttributes) => ReactNode
}

/** What a row needs so that its place is known. */
export type RowAttributes = {
  readonly 'aria-rowindex': number
  readonly 'data-index': number
  readonly ref: ((element: Element | null) => void) | undefined
}

const rowHeight = 36

/** The rows in sight and a few around them, with room for all others: thousands are no effort. */
export function VirtualRows<Row>({ of: { count, rowAt, sight }, columns, render }: VirtualRowsProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const scrollMargin = useDistanceToTop(body)
  const { getVirtualItems, getTotalSize, measureElement, range, scrollOffset, scrollRect } = useVirtualizer({
    count,
    getScrollElement: () => document.getElementById('content'),
    estimateSize: () => rowHeight,
    overscan: 8,
    useFlushSync: false,
    scrollMargin,
  })
  // Rows of a table are all of one height; only cards have to be measured.
  const areCards = matchMedia('(max-width: 700px)').matches
  const items = getVirtualItems()
  const first = range?.startIndex ?? 0
  // The foot stands over the rows at the end of the window; on a phone it stands below them.
  const foot = areCards ? 0 : (document.querySelector('main [data-foot]')?.clientHeight ?? 0)
  const end = (scrollOffset ?? 0) + (scrollRect?.height ?? 0) - foot
  const last = items.findLast(({ start, size }) => start + size / 2 < end)?.index ?? first
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is told may change with each answer.
  useEffect(() => sight(first, last), [first, last])
  const before = (items[0]?.start ?? scrollMargin) - scrollMargin
  const after = getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
  return (
    <tbody ref={body}>
      <Room height={before} columns={columns} />
      {items.map(({ index, key }) => {
        const row = rowAt(index)
        const attributes = {
          'aria-rowindex': index + 2,
          'data-index': index,
          ref: areCards ? measureElement : undefined,
        }
        if (row !== undefined) return render(row, attributes)
        return (
          <tr key={key} {...attributes} aria-busy="true">
            <td colSpan={columns} data-phone="name">
              <span className={styles.coming} />
            </td>
          </tr>
        )
      })}
      <Room height={after} columns={columns} />
    </tbody>
  )
}

const Room = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 ? (
    <tr className={styles.room} style={{ height }}>
      <td colSpan={columns} />
    </tr>
  ) : null

/** How far below the top of the page the rows begin. */
function useDistanceToTop(body: RefObject<HTMLElement | null>): number {
  const [distance, setDistance] = useState(0)
  useLayoutEffect(() => {
    const main = document.getElementById('content')
    if (!main || !body.current) return
    const inWindow = body.current.getBoundingClientRect().top - main.getBoundingClientRect().top
    setDistance(Math.round(inWindow + main.scrollTop))
  })
  return distance
}
