import { type ReactNode, useEffect, useState } from 'react'
import styles from './Filters.module.css'
import { IconSearch, IconX } from './icons.ts'

/** The row above a list: the search and the filters in words. */
export const FilterBar = ({ end, children }: { end?: ReactNode; children: ReactNode }) => (
  <div className={styles.bar}>
    {children}
    {end && <div className={styles.end}>{end}</div>}
  </div>
)

type SearchProps = { readonly label: string; readonly value: string; readonly change: (value: string) => void }

/** Looks for a text while it is typed; `/` leads here. */
export function Search({ label, value, change }: SearchProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => change(typed), 200)
    return () => clearTimeout(timer)
  }, [typed, value, change])
  return (
    <div className={styles.search}>
      <IconSearch size={15} stroke={1.6} aria-hidden="true" />
      <input
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </div>
  )
}

type ChipProps = { readonly name: string; readonly value: string; readonly remove: () => void }

/** A filter in force, in words. */
export const Chip = ({ name, value, remove }: ChipProps) => (
  <span className={styles.chip}>
    <span>
      {name} <strong>{value}</strong>
    </span>
    <button type="button" aria-label={`Remove filter ${name} ${value}`} onClick={remove}>
      <IconX size={14} stroke={1.6} />
    </button>
  </span>
)

/** A tag, with its value if it has one. */
export const Tag = ({ name, value }: { name: string; value?: string | null | undefined }) => (
  <span className={styles.tag}>
    {name}
    {value ? (
      <>
        =<strong>{value}</strong>
      </>
    ) : null}
  </span>
)

/** Some of a thing's tags, and how many more there are. */
export function Tags({
  of,
  most = 2,
}: {
  of: readonly { key: string; value?: string | null | undefined }[]
  most?: number
}) {
  const rest = of.slice(most)
  return (
    <span className={styles.tags}>
      {of.slice(0, most).map(({ key, value }) => (
        <Tag key={key} name={key} value={value} />
      ))}
      {rest.length > 0 && (
        <span className="faint" data-tip={rest.map(({ key, value }) => (value ? `${key}=${value}` : key)).join('\n')}>
          +{rest.length}
        </span>
      )}
    </span>
  )
}

type SelectProps = {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly change: (value: string) => void
}

/** One of a few, chosen in a bar or a head. */
export const Select = ({ label, value, choices, change }: SelectProps) => (
  <select className={styles.select} aria-label={label} value={value} onChange={({ target }) => change(target.value)}>
    {choices.map(([each, text]) => (
      <option key={each} value={each}>
        {text}
      </option>
    ))}
  </select>
)
