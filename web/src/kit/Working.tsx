import { type ReactNode, useEffect, useState } from 'react'
import { Status } from './Status.tsx'
import { duration } from './times.ts'
import styles from './Working.module.css'

type WorkingProps = {
  readonly children: ReactNode
  /** How many seconds it takes, as far as one can know. */
  readonly expected?: number | undefined
}

/** Says that something is being done, and for how long already. */
export function Working({ children, expected }: WorkingProps) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const begun = Date.now()
    const timer = setInterval(() => setSeconds((Date.now() - begun) / 1000), 500)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={styles.working} role="status">
      <Status shape="working" note={<span className="number">{duration(Math.floor(seconds))}</span>}>
        {children}
      </Status>
      {expected !== undefined && (
        <progress aria-label="About how far it is" max={1} value={Math.min(0.95, seconds / Math.max(1, expected))} />
      )}
    </div>
  )
}
