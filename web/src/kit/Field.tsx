import { useId } from 'react'
import styles from './Form.module.css'

type FieldProps = {
  readonly label: string
  readonly hint?: string
  /** Several lines of code instead of one of text. */
  readonly rows?: number
  /** Shows what is in it only while one writes there. */
  readonly masked?: boolean
  readonly value: string
  readonly change: (value: string) => void
}

/** A field outside of a form: what is typed is asked, and not stored. */
export function Field({ label, hint, rows, masked = false, value, change }: FieldProps) {
  const id = useId()
  const attributes = {
    id,
    className: [styles.plain, rows !== undefined && 'mono', masked && styles.masked].filter(Boolean).join(' '),
    value,
    autoComplete: 'off',
    spellCheck: false,
    'aria-describedby': hint ? `${id}-hint` : undefined,
  }
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {rows === undefined ? (
        <input {...attributes} onChange={({ target }) => change(target.value)} />
      ) : (
        <textarea {...attributes} rows={rows} onChange={({ target }) => change(target.value)} />
      )}
    </div>
  )
}
