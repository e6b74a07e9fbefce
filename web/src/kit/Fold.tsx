import type { ReactNode } from 'react'
import styles from './Fold.module.css'
import { IconChevronRight } from './icons.ts'

/** Rows in one box, each of which may fold. */
export const Folds = ({ children }: { children: ReactNode }) => <div className={styles.folds}>{children}</div>

type FoldProps = {
  /** What is seen while it is folded. */
  readonly title: ReactNode
  readonly note?: ReactNode
  readonly open?: boolean
  readonly children: ReactNode
}

/** A row that opens. */
export const Fold = ({ title, note, open = false, children }: FoldProps) => (
  <details className={styles.fold} open={open}>
    <summary>
      <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
      <span className={styles.title}>{title}</span>
      {note && <span className={styles.note}>{note}</span>}
    </summary>
    {children}
  </details>
)

type CheckProps = {
  /** How it went: shape and word. */
  readonly status: ReactNode
  readonly name: string
  readonly failed?: boolean
  readonly children: ReactNode
}

/** One check: how it went, what was checked, and what was found. */
export const Check = ({ status, name, failed = false, children }: CheckProps) => (
  <div className={styles.check} data-failed={failed || undefined}>
    <div>{status}</div>
    <code>{name}</code>
    <div className={styles.found}>{children}</div>
  </div>
)
