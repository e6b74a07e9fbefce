import { shortDate } from './times.ts'
import styles from './Validity.module.css'

type ValidityProps = {
  readonly from: string
  readonly to: string
  readonly tone: 'ok' | 'warn' | 'bad'
  /** The span that is drawn; the same for all that people compare. */
  readonly span: readonly [from: number, to: number]
  readonly now: number
  /** The bar alone, for rows of a table; the dates are said when one points at it. */
  readonly bare?: boolean
}

const width = 1000

/** When something is valid, and where the present is. */
export function Validity({ from, to, tone, span: [first, last], now, bare = false }: ValidityProps) {
  const at = (time: number): number => Math.min(width, Math.max(0, ((time - first) / (last - first || 1)) * width))
  const [begin, end] = [at(Date.parse(from)), at(Date.parse(to))]
  return (
    <div className={styles.validity} data-tip={bare ? `${shortDate(from)} to ${shortDate(to)}` : undefined}>
      <svg viewBox={`0 0 ${width} 12`} preserveAspectRatio="none" aria-hidden="true">
        <rect className={styles.ground} x={0} y={3} width={width} height={6} />
        <rect className={styles[tone]} x={begin} y={3} width={Math.max(6, end - begin)} height={6} />
        <rect className={styles.gap} x={at(now) - 6} y={0} width={12} height={12} />
        <rect className={styles.now} x={at(now) - 3} y={0} width={6} height={12} />
      </svg>
      <span className={bare ? 'unseen' : undefined}>{shortDate(from)}</span>
      <span className={bare ? 'unseen' : undefined}>{shortDate(to)}</span>
    </div>
  )
}
