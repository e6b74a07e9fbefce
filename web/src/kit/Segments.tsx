import styles from './Segments.module.css'

type SegmentsProps<Value extends string> = {
  /** What is chosen here, for those who cannot see. */
  readonly label: string
  readonly choices: readonly (readonly [value: Value, label: string])[]
  readonly value: Value
  readonly change: (value: Value) => void
}

/** One of two or three ways to look at the same thing. */
export const Segments = <Value extends string>({ label, choices, value, change }: SegmentsProps<Value>) => (
  <fieldset className={styles.segments}>
    <legend className="unseen">{label}</legend>
    {choices.map(([each, text]) => (
      <button key={each} type="button" aria-pressed={each === value} onClick={() => change(each)}>
        {text}
      </button>
    ))}
  </fieldset>
)
