import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import styles from './Page.module.css'
import { StatusShape } from './Status.tsx'

type PageProps = {
  readonly title: string
  /** Beside the title: its status as a pill, or a button that copies. */
  readonly beside?: ReactNode
  /** One line of facts. */
  readonly facts?: ReactNode
  /** What can be done, the primary button last. */
  readonly actions?: ReactNode
  readonly tabs?: readonly Tab[]
  readonly children: ReactNode
}

/** One of the faces of a thing. */
export type Tab = { readonly label: string; readonly link: LinkProps; readonly count?: number | undefined }

let shownTitle = ''
const titleListeners = new Set<() => void>()
const onTitle = (tell: () => void) => {
  titleListeners.add(tell)
  return () => titleListeners.delete(tell)
}

/** What the page that is shown is called. */
export const usePageTitle = (): string => useSyncExternalStore(onTitle, () => shownTitle)

/** A page: what it is about, what can be done, its faces, and what they show. */
export function Page({ title, beside, facts, actions, tabs, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Holdfast`
    shownTitle = title
    for (const tell of titleListeners) tell()
  }, [title])
  return (
    <div className={styles.page} data-page>
      <header className={styles.head}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {beside}
          {facts && <div className={styles.facts}>{facts}</div>}
        </div>
        {actions && (
          <div className={styles.actions} data-page-actions>
            {actions}
          </div>
        )}
      </header>
      {tabs && tabs.length > 0 && <Tabs tabs={tabs} />}
      {children}
    </div>
  )
}

function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null)
  const { href } = useLocation()
  // Where they do not all fit, the chosen one is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen when the address changes.
  useEffect(() => {
    const chosen = nav.current?.querySelector('[aria-current=page]')
    if (!nav.current || !chosen) return
    const [around, at] = [nav.current.getBoundingClientRect(), chosen.getBoundingClientRect()]
    nav.current.scrollLeft += at.left - around.left - (around.width - at.width) / 2
  }, [href])
  return (
    <nav ref={nav} className={styles.tabs} aria-label="Parts of this page">
      {tabs.map(({ label, link, count }) => (
        <Link
          key={label}
          {...link}
          className={styles.tab ?? ''}
          activeOptions={{ exact: true, includeSearch: link.search !== undefined }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {label}
          {count !== undefined && <span>{count.toLocaleString('en')}</span>}
        </Link>
      ))}
    </nav>
  )
}

type SectionProps = {
  readonly title: string
  readonly count?: number | undefined
  /** A few words beside the heading. */
  readonly note?: string | undefined
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a page under its own heading. */
export const Section = ({ title, count, note, lead, actions, children }: SectionProps) => (
  <section className={styles.section} aria-label={title}>
    <div className={styles.sectionHead}>
      <h2>{title}</h2>
      {count !== undefined && <span>{count.toLocaleString('en')}</span>}
      {note !== undefined && <span>{note}</span>}
      {actions && <div>{actions}</div>}
    </div>
    {lead && <p className={styles.lead}>{lead}</p>}
    {children}
  </section>
)

type ColumnsProps = { readonly aside: ReactNode; readonly wide?: boolean; readonly children: ReactNode }

/** The thing at the left, what explains it at the right. */
export const Columns = ({ aside, wide = false, children }: ColumnsProps) => (
  <div className={wide ? `${styles.columns} ${styles.wide}` : styles.columns}>
    <div>{children}</div>
    <aside className={styles.aside}>{aside}</aside>
  </div>
)

/** What is picked at the left, what it shows at the right; on a phone one below the other. */
export const Split = ({ side, children }: { side: ReactNode; children: ReactNode }) => (
  <div className={styles.split}>
    <div className={styles.splitSide}>{side}</div>
    <div className={styles.aside}>{children}</div>
  </div>
)

type FactsProps = {
  readonly of: readonly (readonly [name: string, value: ReactNode])[]
  /** Small, with the values at the right; for panels. */
  readonly tight?: boolean
}

/** Names and values; what has no value is left out. */
export const Facts = ({ of, tight = false }: FactsProps) => (
  <dl className={tight ? `${styles.list} ${styles.tight}` : styles.list}>
    {of.map(([name, value]) =>
      value === undefined || value === null || value === '' || value === false ? null : (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ),
    )}
  </dl>
)

type PanelProps = {
  readonly title: string
  /** One line of facts beside the title. */
  readonly facts?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A box with a head: what it shows, and what can be done with that. */
export const Panel = ({ title, facts, actions, children }: PanelProps) => (
  <section className={styles.panel} aria-label={title}>
    <div className={styles.panelHead}>
      <h2>{title}</h2>
      {facts && <span>{facts}</span>}
      {actions && <div>{actions}</div>}
    </div>
    <div className={styles.panelBody}>{children}</div>
  </section>
)

/** Buttons below what they are about. */
export const ActionRow = ({ children }: { children: ReactNode }) => <div className={styles.row}>{children}</div>

/** A box with a line around it. */
export const Box = ({ children }: { children: ReactNode }) => <div className={styles.box}>{children}</div>

/** Cards in one box, one below the other. */
export const Cards = ({ children }: { children: ReactNode }) => <div className={styles.cards}>{children}</div>

/** One thing among others that people compare. */
export const Card = ({ children }: { children: ReactNode }) => <section className={styles.card}>{children}</section>

type CardHeadProps = { readonly end?: ReactNode; readonly tone?: 'ok' | 'warn' | 'bad'; readonly children: ReactNode }

/** What a card is about, and one fact at its end. */
export const CardHead = ({ end, tone = 'ok', children }: CardHeadProps) => (
  <div className={styles.cardHead}>
    {children}
    <span className={`${styles.cardEnd} ${styles[`end-${tone}`]}`}>{end}</span>
  </div>
)

const noteShapes = { warn: 'risk', bad: 'failed', ok: 'done', calm: 'nothing' } as const

/** Something to know before one goes on. */
export const Note = ({
  tone,
  action,
  children,
}: {
  tone: keyof typeof noteShapes
  action?: ReactNode
  children: ReactNode
}) => (
  <div className={`${styles.note} ${styles[tone]}`} role={tone === 'bad' ? 'alert' : undefined}>
    <StatusShape shape={noteShapes[tone]} />
    <div>{children}</div>
    {action && <div className={styles.noteAction}>{action}</div>}
  </div>
)
