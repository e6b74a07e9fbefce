import styles from './Level.module.css'

const heights = [3, 6, 9, 12]

type LevelProps = {
  /** How much it is, from 1 to 4; 0 for something that has no place in the row. */
  readonly bars: 0 | 1 | 2 | 3 | 4
  readonly word: string
  /** True if it comes from elsewhere, and cannot be changed here. */
  readonly inherited?: boolean
}

/** How much somebody may do: bars and a word. */
export const Level = ({ bars, word, inherited = false }: LevelProps) => (
  <span className={inherited ? `${styles.level} ${styles.inherited}` : styles.level}>
    <svg width={15} height={12} viewBox="0 0 15 12" aria-hidden="true">
      {heights.map((height, at) => (
        <rect
          key={height}
          x={at * 4}
          y={12 - height}
          width={3}
          height={height}
          rx={0.5}
          className={bars === 0 ? styles.own : at < bars ? styles.full : styles.none}
        />
      ))}
    </svg>
    {word}
  </span>
)

/** Nothing, where others have a level. */
export const NoLevel = ({ label }: { label: string }) => (
  <span className="faint">
    <span aria-hidden="true">·</span>
    <span className="unseen">{label}</span>
  </span>
)
