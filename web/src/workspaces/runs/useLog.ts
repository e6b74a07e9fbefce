import { useEffect, useRef, useState } from 'react'

const pieceBytes = 1024 * 1024
const lookMs = 400

/** The first and the last character of a log. */
const [start, end] = ['\u0002', '\u0003']

/**
 * The text of a log as far as it is there; asked for again until its end has come. The address is that of the first
 * time: each answer signs another one for the same log.
 */
export function useLog(url: string, isLive: boolean): { readonly text: string; readonly problem?: string } {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const [{ pathname }] = useState(() => new URL(url))
  const live = useRef(isLive)
  live.current = isLive
  useEffect(() => {
    const stop = new AbortController()
    const decoder = new TextDecoder()
    const read = async () => {
      for (let offset = 0; !stop.signal.aborted; ) {
        const response = await fetch(`${pathname}?limit=${pieceBytes}&offset=${offset}`, { signal: stop.signal })
        if (!response.ok) throw new Error(`The log cannot be read now (status ${response.status}).`)
        const bytes = new Uint8Array(await response.arrayBuffer())
        offset += bytes.length
        const piece = decoder.decode(bytes, { stream: true })
        setProblem(undefined)
        if (piece !== '') setText((before) => before + piece.replaceAll(start, '').replaceAll(end, ''))
        if (piece.endsWith(end) || (bytes.length === 0 && !live.current)) return
        if (bytes.length === 0) await new Promise((resolve) => setTimeout(resolve, lookMs))
      }
    }
    read().catch((error: Error) => {
      if (!stop.signal.aborted) setProblem(error.message)
    })
    return () => stop.abort()
  }, [pathname])
  return { text, ...(problem !== undefined && { problem }) }
}
