import type { ReactNode } from 'react'
import styles from './Status.module.css'

const mark = { fill: 'none', stroke: 'var(--bg)', strokeWidth: 1.6, strokeLinecap: 'round' } as const
const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const

const ring = <circle cx="7" cy="7" r="5.75" {...line} />
const shield = 'M7 .8 12.4 2.7V6.6C12.4 9.9 10.1 12.2 7 13.3 3.9 12.2 1.6 9.9 1.6 6.6V2.7Z'

/** The shapes, each distinct in black and white, with the colour that supports it. */
const shapes = {
  done: {
    tone: 'ok',
    shape: [
      <circle key="a" cx="7" cy="7" r="6.5" fill="currentColor" />,
      <path key="b" d="M4.2 7.2 6.2 9.2 9.9 5.2" {...mark} />,
    ],
  },
  nothing: { tone: 'calm', shape: [ring, <path key="b" d="M4.6 7H9.4" {...line} />] },
  working: {
    tone: 'accent',
    shape: [
      <circle key="a" cx="7" cy="7" r="5.75" {...line} opacity={0.3} />,
      <path key="b" className={styles.turning} d="M7 1.25A5.75 5.75 0 0 1 12.75 7" {...line} strokeWidth={2} />,
    ],
  },
  waiting: { tone: 'calm', shape: [<circle key="a" cx="7" cy="7" r="5.75" {...line} strokeDasharray="1.6 2.9" />] },
  paused: { tone: 'calm', shape: [ring, <path key="b" d="M5.6 5V9M8.4 5V9" {...line} />] },
  needed: {
    tone: 'warn',
    shape: [
      <path key="a" d="M7 .4 13.6 7 7 13.6 .4 7Z" fill="currentColor" />,
      <path key="b" d="M5.8 5.2V8.8M8.2 5.2V8.8" {...mark} />,
    ],
  },
  risk: {
    tone: 'warn',
    shape: [
      <path key="a" d="M7 .9 13.6 12.6H.4Z" fill="currentColor" strokeLinejoin="round" />,
      <path key="b" d="M7 5.2V8.2M7 10.4V10.5" {...mark} />,
    ],
  },
  differs: { tone: 'warn', shape: [ring, <path key="b" d="M4.2 7.6C5.1 6 6.1 6 7 7S8.9 8 9.8 6.4" {...line} />] },
  failed: {
    tone: 'bad',
    shape: [
      <path key="a" d="M4.2.5H9.8L13.5 4.2V9.8L9.8 13.5H4.2L.5 9.8V4.2Z" fill="currentColor" />,
      <path key="b" d="M4.9 4.9 9.1 9.1M9.1 4.9 4.9 9.1" {...mark} />,
    ],
  },
  ended: { tone: 'calm', shape: [ring, <path key="b" d="M3.2 10.8 10.8 3.2" {...line} />] },
  locked: {
    tone: 'held',
    shape: [
      <path key="a" d="M2.4 6.2H11.6V12.6H2.4Z" fill="currentColor" />,
      <path key="b" d="M4.4 6V4.2A2.6 2.6 0 0 1 9.6 4.2V6" {...line} strokeWidth={1.7} />,
    ],
  },
  proved: {
    tone: 'ok',
    shape: [<path key="a" d={shield} fill="currentColor" />, <path key="b" d="M4.5 7 6.3 8.8 9.6 5.2" {...mark} />],
  },
  unproved: { tone: 'warn', shape: [<path key="a" d={shield} {...line} strokeDasharray="1.8 2.2" />] },
  disproved: {
    tone: 'bad',
    shape: [
      <path key="a" d={shield} fill="currentColor" />,
      <path key="b" d="M5.1 5.1 8.9 8.9M8.9 5.1 5.1 8.9" {...mark} />,
    ],
  },
} as const satisfies Record<string, { tone: string; shape: ReactNode[] }>

/** What a status says without its word. */
export type Shape = keyof typeof shapes

/** The shape alone, for those who say the word beside it themselves. */
export const StatusShape = ({ shape }: { shape: Shape }) => (
  <svg width={14} height={14} viewBox="0 0 14 14" aria-hidden="true" className={styles[shapes[shape].tone]}>
    {shapes[shape].shape}
  </svg>
)

type PlacedShape = { readonly shape: Shape; readonly x: number; readonly y: number; readonly size: number }

/** The same inside of another drawing. */
export const StatusShapeAt = ({ shape, x, y, size }: PlacedShape) => (
  <svg
    x={x}
    y={y}
    width={size}
    height={size}
    viewBox="0 0 14 14"
    aria-hidden="true"
    className={styles[shapes[shape].tone]}
  >
    {shapes[shape].shape}
  </svg>
)

type StatusProps = {
  readonly shape: Shape
  /** The word, the same on every page. */
  readonly children: ReactNode
  /** How long it has been so, or what it is about. */
  readonly note?: ReactNode
  /** The word of the API, for those who look it up. */
  readonly term?: string
  readonly pill?: boolean
}

/** Shape, word, colour, in this order. */
export const Status = ({ shape, children, note, term, pill = false }: StatusProps) => (
  <span
    className={pill ? `${styles.status} ${styles.pill} ${styles[`${shapes[shape].tone}Ground`]}` : styles.status}
    data-tip={term}
  >
    <StatusShape shape={shape} />
    <span>{children}</span>
    {note !== undefined && <span className={styles.age}>{note}</span>}
  </span>
)
