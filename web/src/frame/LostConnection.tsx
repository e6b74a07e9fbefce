import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { tryConnection, useLoss } from '../api/connection.ts'
import { StatusShape } from '../kit/Status.tsx'
import { TextButton } from '../kit/Table.tsx'
import styles from './Frame.module.css'

/** Says that the server does not answer, and when it is asked again; shows what has changed when it is back. */
export function LostConnection() {
  const queries = useQueryClient()
  const loss = useLoss()
  const isLost = loss !== undefined
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && !isLost) queries.invalidateQueries()
    wasLost.current = isLost
  }, [isLost, queries])
  if (!loss) return null
  return (
    <div className={styles.lost}>
      <span role="alert">
        <StatusShape shape="risk" />
        <span>
          <span className="strong">Connection lost.</span> You see what was true at{' '}
          {new Date(loss.answeredAt).toLocaleTimeString('en-GB')}. Forms keep what you typed.
        </span>
      </span>
      {loss.nextAt === undefined ? (
        <span>Trying now</span>
      ) : (
        <>
          <Countdown until={loss.nextAt} />
          <TextButton onClick={tryConnection}>Try now</TextButton>
        </>
      )}
    </div>
  )
}

/** Ticks each second; whoever cannot see it hears the sentence before it once. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return <span className="number nowrap">Next attempt in {Math.max(1, Math.ceil((until - now) / 1000))} s.</span>
}
