import type { ReactNode } from 'react'
import styles from './Items.module.css'

type ItemProps = {
  /** Shape and word. */
  readonly status: ReactNode
  readonly title: ReactNode
  readonly text?: ReactNode
  readonly time?: ReactNode
  readonly action?: ReactNode
}

/** Things to do, one below the other. */
export const Items = ({ children }: { children: ReactNode }) => <ul className={styles.items}>{children}</ul>

/** One of them: what is the matter, with what, since when, and the way there. */
export const Item = ({ status, title, text, time, action }: ItemProps) => (
  <li className={styles.item}>
    <div className={styles.status}>{status}</div>
    <div className={styles.what}>
      <div className="strong">{title}</div>
      {text && <div className={styles.text}>{text}</div>}
    </div>
    <div className={styles.time}>{time}</div>
    <div className={styles.action}>{action}</div>
  </li>
)
