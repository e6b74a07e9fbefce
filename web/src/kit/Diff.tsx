import styles from './Diff.module.css'

/** One thing that was created, changed or destroyed. */
export type DiffItem = {
  readonly action: 'create' | 'change' | 'destroy'
  readonly name: string
  readonly attributes: readonly DiffAttribute[]
}

/** One attribute before and after; undefined where there is none. */
export type DiffAttribute = {
  readonly name: string
  readonly before?: string | undefined
  readonly after?: string | undefined
}

const signs = { create: '+', change: '~', destroy: '−' } as const
const words = { create: 'created', change: 'changed', destroy: 'destroyed' } as const

/** What differs between two states: what is destroyed first, and open. */
export const Diff = ({ items }: { items: readonly DiffItem[] }) => (
  <div className={styles.diff}>
    {[...items]
      .sort((a, b) => Number(b.action === 'destroy') - Number(a.action === 'destroy'))
      .map((item) => (
        <details key={item.name} className={styles.item} open={item.action === 'destroy' || items.length <= 8}>
          <summary>
            <span className={`${styles.tile} ${styles[item.action]}`} aria-hidden="true">
              {signs[item.action]}
            </span>
            <code>{item.name}</code>
            <span className={styles.word}>{words[item.action]}</span>
          </summary>
          {item.attributes.length > 0 && (
            <div className={styles.rows}>
              {item.attributes.map(({ name, before, after }) => [
                <code key={`${name}-name`}>{name}</code>,
                <Value key={`${name}-before`} sign="−" text={before} />,
                <Value key={`${name}-after`} sign="+" text={after} />,
              ])}
            </div>
          )}
        </details>
      ))}
  </div>
)

const Value = ({ sign, text }: { sign: string; text: string | undefined }) =>
  text === undefined ? (
    <span className="soft">absent</span>
  ) : (
    <code>
      <span className="faint">{sign} </span>
      {text}
    </code>
  )
