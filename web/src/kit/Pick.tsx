import type { ReactNode } from 'react'
import styles from './Pick.module.css'

type SegmentsProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly choices: readonly (readonly [value: Value, label: string])[]
  readonly change: (value: Value) => void
}

/** One of two or three faces of the same thing. */
export const Segments = <Value extends string>({ label, value, choices, change }: SegmentsProps<Value>) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset would come with a look and a legend of its own.
  <div className={styles.segments} role="group" aria-label={label}>
    {choices.map(([each, text]) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => change(each)}>
        {text}
      </button>
    ))}
  </div>
)

/** What can be picked: its name and time, and a fact below. */
export type Pickable = {
  readonly key: string
  readonly name: string
  readonly time: ReactNode
  readonly fact: ReactNode
}

type PickListProps = {
  readonly label: string
  readonly items: readonly Pickable[]
  readonly picked: string | undefined
  readonly pick: (key: string) => void
  readonly nothing: ReactNode
}

/** A short list from which one is picked. */
export const PickList = ({ label, items, picked, pick, nothing }: PickListProps) => (
  <ul className={styles.list} aria-label={label}>
    {items.length === 0 && <li className={styles.nothing}>{nothing}</li>}
    {items.map(({ key, name, time, fact }) => (
      <li key={key}>
        <button type="button" aria-pressed={key === picked} onClick={() => pick(key)}>
          <span className={styles.name}>{name}</span>
          <span className={styles.time}>{time}</span>
          <span className={styles.fact}>{fact}</span>
        </button>
      </li>
    ))}
  </ul>
)
