import type { ReactNode } from 'react'
import { roundUp } from './Chart.tsx'
import styles from './Spark.module.css'

/** Small charts beside each other. */
export const Sparks = ({ children }: { children: ReactNode }) => <div className={styles.sparks}>{children}</div>

type SparkProps = {
  readonly title: string
  /** The oldest first; null where nothing is known. */
  readonly values: readonly (number | null)[]
  readonly text: (value: number) => string
}

const width = 240
const height = 56

/** A figure over the last minutes: what it is now, and how it came there. */
export function Spark({ title, values, text }: SparkProps) {
  const known = values.filter((value) => value !== null)
  const last = known.at(-1)
  const most = roundUp(Math.max(0, ...known))
  const x = (at: number) => (values.length < 2 ? width : (at / (values.length - 1)) * width)
  const y = (value: number) => 2 + (1 - value / most) * (height - 4)
  const places = values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`]))
  return (
    <figure className={styles.spark}>
      <figcaption>
        <span>{title}</span>
        <strong className="number">{last === undefined ? '–' : text(last)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={last === undefined ? `${title}: not known yet` : `${title}: ${text(last)}, at most ${text(most)}`}
      >
        <line className={styles.base} x1={0} x2={width} y1={height - 1} y2={height - 1} />
        <polyline className={styles.line} points={places.join(' ')} />
      </svg>
      <small>
        <span>{values.length < 2 ? 'the next in 5 s' : `last ${values.length} samples`}</span>
        {last !== undefined && <span className="number">up to {text(Math.max(...known))}</span>}
      </small>
    </figure>
  )
}
