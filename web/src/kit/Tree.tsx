import type { ReactNode } from 'react'
import type { Shape } from './Status.tsx'
import { StatusShape } from './Status.tsx'
import styles from './Tree.module.css'

/** A step of a way down. */
export type Step = {
  readonly key: string
  readonly shape: Shape
  /** What the shape says, for those who do not see it. */
  readonly word: string
  readonly name: ReactNode
  readonly note?: ReactNode
  readonly end?: ReactNode
}

/** A way from the top down, each step below the one before. */
export const Tree = ({ label, steps }: { label: string; steps: readonly Step[] }) => (
  <ol className={styles.tree} aria-label={label}>
    {steps.map(({ key, shape, word, name, note, end }, depth) => (
      <li key={key} className={styles.step}>
        {steps.slice(0, depth).map((above, at) => (
          <span key={above.key} className={at === depth - 1 ? styles.branch : styles.room} aria-hidden="true" />
        ))}
        <StatusShape shape={shape} />
        <span className="unseen">{word}</span>
        <span className={styles.name}>
          <span className="strong">{name}</span>
          {note && <span className={styles.note}>{note}</span>}
        </span>
        {end && <span className={styles.end}>{end}</span>}
      </li>
    ))}
  </ol>
)
