import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { IconDownload } from '../../kit/icons.ts'
import { type Block, blocksOf, piecesOf, readable } from './log.ts'
import styles from './Runs.module.css'
import { useLog } from './useLog.ts'

/** So many lines are shown; older ones are in the file. */
const mostLines = 50_000

type RunLogProps = {
  /** Where the log is read. */
  readonly url: string
  /** The part of the run that it is of. */
  readonly phase: 'plan' | 'apply'
  /** True while more is to come. */
  readonly isLive: boolean
}

/** The log of a phase as it grows. */
export function RunLog({ url, phase, isLive }: RunLogProps) {
  const { text, problem } = useLog(url, isLive)
  const { lines, first } = useMemo(() => {
    const all = text.split('\n').map(readable)
    if (all.at(-1) === '') all.pop()
    const from = Math.max(0, all.length - mostLines)
    return { lines: all.slice(from), first: from + 1 }
  }, [text])
  const blocks = useMemo(() => blocksOf(lines, first), [lines, first])
  const { isFollowing, follow } = useFollowing(isLive, lines.length)
  return (
    <>
      <div className={styles.logHead}>
        <span className="soft">
          {isLive
            ? `Live, line ${first + lines.length - 1}`
            : `${(first + lines.length - 1).toLocaleString('en')} lines`}
        </span>
        {isLive && (
          <Button small local onClick={follow} aria-pressed={isFollowing}>
            {isFollowing ? 'Following' : 'Follow'}
          </Button>
        )}
        <a href={`${new URL(url).pathname}?limit=1048576`} download={`${phase}.log`} className={styles.download}>
          <IconDownload size={16} stroke={1.6} aria-hidden="true" />
          <span className="unseen">Download the log of the {phase}</span>
        </a>
      </div>
      {problem !== undefined && <p className="soft">{problem}</p>}
      {first > 1 && <p className="soft">The first {(first - 1).toLocaleString('en')} lines are in the file.</p>}
      <section className={styles.log} aria-label={`Lines of the ${phase}`}>
        {blocks.map((block) => (
          <Lines key={block.first} of={block} phase={phase} />
        ))}
        {lines.length === 0 && (
          <p className={styles.empty}>{isLive ? 'Nothing was printed yet.' : 'The log is empty.'}</p>
        )}
      </section>
    </>
  )
}

/** Lines that stand together; those that only say that something goes on are folded. */
function Lines({ of: { first, lines, about }, phase }: { of: Block; phase: string }) {
  const all = (
    <ol className={styles.block}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are counted, and never change.
        <Line key={first + at} number={first + at} text={line} phase={phase} />
      ))}
    </ol>
  )
  if (about === undefined) return all
  return (
    <details className={styles.like}>
      <summary>
        {lines.length.toLocaleString('en')} lines “{about}”
      </summary>
      {all}
    </details>
  )
}

function Line({ number, text, phase }: { number: number; text: string; phase: string }) {
  const id = `${phase}-${number}`
  return (
    <li id={id} className={styles.line}>
      <a href={`#${id}`} className={styles.number} tabIndex={-1}>
        {number}
      </a>
      <code>
        {piecesOf(text).map((piece, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never change.
            key={at}
            className={[piece.tone && styles[piece.tone], piece.isStrong && styles.strong].filter(Boolean).join(' ')}
          >
            {piece.text}
          </span>
        ))}
      </code>
    </li>
  )
}

/** Keeps the end in sight until somebody scrolls up. */
function useFollowing(isLive: boolean, length: number) {
  const [isFollowing, setFollowing] = useState(false)
  const before = useRef(0)
  useEffect(() => {
    const content = document.getElementById('content')
    if (!content || !isLive) return
    const look = () => {
      if (content.scrollTop < before.current - 4) setFollowing(false)
      before.current = content.scrollTop
    }
    content.addEventListener('scroll', look, { passive: true })
    return () => content.removeEventListener('scroll', look)
  }, [isLive])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end.
  useEffect(() => {
    const content = document.getElementById('content')
    if (content && isFollowing) content.scrollTop = content.scrollHeight
  }, [isFollowing, length])
  return { isFollowing, follow: () => setFollowing(!isFollowing) }
}
