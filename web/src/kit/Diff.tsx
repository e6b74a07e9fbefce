import { useState } from 'react'
import styles from './Diff.module.css'
import { IconEyeOff } from './icons.ts'

/** One thing that is created, changed, replaced or destroyed. */
export type DiffItem = {
  readonly action: 'create' | 'change' | 'replace' | 'destroy'
  readonly name: string
  readonly attributes: readonly DiffAttribute[]
  /** How many more attributes differ that are not listed. */
  readonly more?: number
}

/** One attribute before and after; undefined where there is none. */
export type DiffAttribute = {
  readonly name: string
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** True if its values are not shown. */
  readonly isSecret?: boolean
}

const signs = { create: '+', change: '~', replace: '±', destroy: '−' } as const
const words = { create: 'created', change: 'changed', replace: 'replaced', destroy: 'destroyed' } as const
const order = ['destroy', 'replace', 'change', 'create'] as const

type DiffProps = {
  readonly items: readonly DiffItem[]
  /** What stands above the two columns of values. */
  readonly titles?: readonly [before: string, after: string]
}

/** What differs between two states: what is destroyed first, and open. */
export const Diff = ({ items, titles }: DiffProps) => (
  <div className={styles.diff}>
    {titles && (
      <div className={styles.titles}>
        <span>Attribute</span>
        <span>{titles[0]}</span>
        <span>{titles[1]}</span>
      </div>
    )}
    {[...items]
      .sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action))
      .map((item) => (
        <details key={item.name} className={styles.item} open={item.action !== 'create' || items.length <= 4}>
          <summary>
            <span className={`${styles.tile} ${styles[item.action]}`} aria-hidden="true">
              {signs[item.action]}
            </span>
            <code>{item.name}</code>
            <span className={styles.word}>{wordOf(item)}</span>
          </summary>
          {item.attributes.length > 0 && (
            <div className={styles.rows}>
              {item.attributes.map((attribute) => (
                <Attribute key={attribute.name} of={attribute} />
              ))}
            </div>
          )}
          {item.more ? <p className={styles.more}>{item.more.toLocaleString('en')} more attributes</p> : null}
        </details>
      ))}
  </div>
)

/** How many things come, change and go: "+3 ~2 −1". */
export const DiffCounts = ({ items }: { items: readonly DiffItem[] }) => (
  <span className={styles.counts}>
    {(['create', 'change', 'replace', 'destroy'] as const).map((action) => {
      const count = items.filter((item) => item.action === action).length
      return (
        count > 0 && (
          <span key={action} className={styles[`${action}Text`]}>
            <span aria-hidden="true">
              {signs[action]}
              {count.toLocaleString('en')}
            </span>
            <span className="unseen">
              {count} {words[action]}
            </span>
          </span>
        )
      )
    })}
  </span>
)

function wordOf({ action, attributes, more = 0 }: DiffItem): string {
  const count = attributes.length + more
  const several = `${count.toLocaleString('en')} ${count === 1 ? 'attribute' : 'attributes'}`
  return count === 0 ? words[action] : `${words[action]}, ${several}`
}

const Attribute = ({ of: { name, before, after, isSecret = false } }: { of: DiffAttribute }) => (
  <>
    <code>{name}</code>
    <Value sign="−" text={before} isSecret={isSecret} />
    <Value sign="+" text={after} isSecret={isSecret} isChanged={before !== undefined} />
  </>
)

type ValueProps = { sign: string; text: string | undefined; isSecret: boolean; isChanged?: boolean }

const longest = 240

function Value({ sign, text, isSecret, isChanged = false }: ValueProps) {
  const [isWhole, setWhole] = useState(false)
  if (text === undefined) return <span className={styles.absent}>{sign === '−' ? 'absent' : 'removed'}</span>
  if (isSecret)
    return (
      <span className={styles.secret}>
        <IconEyeOff size={14} stroke={1.6} aria-hidden="true" /> {isChanged ? 'sensitive, changed' : 'sensitive'}
      </span>
    )
  const isCut = !isWhole && text.length > longest
  return (
    <code className={sign === '−' ? styles.before : styles.after}>
      <span aria-hidden="true">{sign} </span>
      <span className="unseen">{sign === '−' ? 'before: ' : 'after: '}</span>
      {isCut ? `${text.slice(0, longest)}… ` : text}
      {isCut && (
        <button type="button" className={styles.all} onClick={() => setWhole(true)}>
          show all
        </button>
      )}
    </code>
  )
}
