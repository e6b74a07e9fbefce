import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { StatusShape } from '../kit/Status.tsx'
import styles from './Frame.module.css'

/** Says that the server does not answer, asks again more and more slowly, and shows what has changed when it does. */
export function LostConnection() {
  const queries = useQueryClient()
  const [since, setSince] = useState<number>()
  const [, tick] = useState(0)
  useEffect(() => {
    const watch = queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return
      const { error, fetchFailureReason } = event.query.state
      const failure = error ?? fetchFailureReason
      if (failure instanceof TypeError && !(failure instanceof ApiFailure)) setSince((before) => before ?? Date.now())
    })
    return watch
  }, [queries])
  useEffect(() => {
    if (since === undefined) return
    let wait = 1_000
    let timer = 0
    const ask = async () => {
      const isBack = await fetch('/healthz').then(
        ({ ok }) => ok,
        () => false,
      )
      tick((count) => count + 1)
      if (isBack) {
        setSince(undefined)
        await queries.invalidateQueries()
        return
      }
      wait = Math.min(wait * 2, 30_000)
      timer = window.setTimeout(ask, wait)
    }
    timer = window.setTimeout(ask, wait)
    return () => clearTimeout(timer)
  }, [since, queries])
  if (since === undefined || Date.now() - since < 800) return null
  return (
    <div className={styles.lost} role="alert">
      <StatusShape shape="risk" />
      The connection to the server is lost. What you see is from {new Date(since).toLocaleTimeString()}; it reconnects
      by itself.
    </div>
  )
}
