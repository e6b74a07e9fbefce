import { useEffect, useState } from 'react'
import { exact, relative } from './times.ts'

/** The time now, again each minute, so that ages stay true. */
function useMinute(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** How long ago, or how soon; the exact instant when one points at it. */
export function Time({ at }: { at: string | number | null | undefined }) {
  const now = useMinute()
  if (at === null || at === undefined || at === '') return <span className="faint">never</span>
  return (
    <time className="number nowrap" dateTime={new Date(at).toISOString()} data-tip={exact(at)}>
      {relative(at, now)}
    </time>
  )
}
