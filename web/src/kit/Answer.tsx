import { type ReactNode, useEffect, useState } from 'react'
import { ApiFailure, sentenceOf } from '../api/client.ts'
import styles from './Answer.module.css'
import { Button } from './Button.tsx'
import { CodeBlock } from './Code.tsx'
import { StatusShape } from './Status.tsx'
import { exact } from './times.ts'

type Asked<Data> = {
  readonly data: Data | undefined
  readonly error: unknown
  readonly dataUpdatedAt?: number
  refetch(): unknown
}

type AnswerProps<Data> = {
  readonly of: Asked<Data>
  /** What failed, in our words: "The workspaces could not be read". */
  readonly failed: string
  readonly children: (data: Data) => ReactNode
}

/** What an answer shows, and what is shown while it is not there or did not come. Only this part is replaced. */
export function Answer<Data>({ of, failed, children }: AnswerProps<Data>) {
  if (of.data !== undefined) return children(of.data)
  if (of.error) return <Failure title={failed} error={of.error} again={() => of.refetch()} />
  return <Bars />
}

/** The place of what is being loaded; what comes at once does not flicker. */
export function Bars() {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.bars} aria-busy="true">
      <span className="unseen">Loading</span>
      {isLate && [0, 1, 2].map((bar) => <div key={bar} className={styles.bar} />)}
    </div>
  )
}

type FailureProps = { readonly title: string; readonly error: unknown; readonly again?: () => unknown }

/** What failed, what the server says, and what can be done. */
export function Failure({ title, error, again }: FailureProps) {
  const [at] = useState(() => new Date())
  const response = error instanceof ApiFailure ? error.response : undefined
  const facts = [
    response ? `status ${response.status}` : undefined,
    response?.headers.get('x-request-id') && `request ${response.headers.get('x-request-id')}`,
    exact(at),
  ].filter(Boolean)
  const text = `${title}: ${sentenceOf(error)} (${facts.join(', ')})`
  return (
    <div className={styles.failure} role="alert">
      <h2>
        <StatusShape shape="failed" />
        {title}
      </h2>
      {sentenceOf(error) !== title && <blockquote>“{sentenceOf(error)}”</blockquote>}
      <div className={styles.row}>
        {again && (
          <Button small onClick={() => again()}>
            Try again
          </Button>
        )}
        <Button small local onClick={() => navigator.clipboard.writeText(text)}>
          Copy for support
        </Button>
      </div>
      <p className={styles.small}>{facts.join(' · ')}</p>
    </div>
  )
}

type EmptyProps = {
  readonly title: string
  /** What such things are for. */
  readonly children: ReactNode
  readonly action?: ReactNode
  /** The command that does the same. */
  readonly command?: string
}

/** Where there is nothing yet. */
export const Empty = ({ title, children, action, command }: EmptyProps) => (
  <div className={styles.empty} data-empty>
    <h2>{title}</h2>
    <p>{children}</p>
    {action && <div className={styles.row}>{action}</div>}
    {command && (
      <div className={styles.command}>
        <small>The same by command</small>
        <CodeBlock text={command} label="Copy command" />
      </div>
    )}
  </div>
)
