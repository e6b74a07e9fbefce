import { useSyncExternalStore } from 'react'

/** A connection that was lost. */
export type Loss = {
  /** When the server answered last: what is shown is from then. */
  readonly answeredAt: number
  /** When it is asked again; undefined while it is being asked. */
  readonly nextAt: number | undefined
}

/** How long it takes until a failed request is called a loss, and how the attempts after that become rarer. */
const patienceMs = 2_000
const firstWaitMs = 1_000
const longestWaitMs = 30_000

let loss: Loss | undefined
let answeredAt = Date.now()
let wait = 0
let timer: number | undefined
const listeners = new Set<() => void>()

function tell(next: Loss | undefined): void {
  loss = next
  for (const listener of listeners) listener()
}

/** What stands before a dead server says 502 or 504; all else comes from the server, sealed or not. */
const isFromServer = ({ status }: Response): boolean => status !== 502 && status !== 504

/** Notes what came of a request: the server is there again, or may be lost. */
export function noteAnswer(response: Response): void {
  if (!isFromServer(response)) {
    noteFailure()
    return
  }
  answeredAt = Date.now()
  clearTimeout(timer)
  timer = undefined
  if (loss) tell(undefined)
}

/** A request came to nothing: from now on the server is asked until it answers. */
export function noteFailure(): void {
  if (timer !== undefined) return
  wait = firstWaitMs
  timer = window.setTimeout(tryConnection, patienceMs)
}

/** Asks the server whether it is there again. */
export async function tryConnection(): Promise<void> {
  clearTimeout(timer)
  if (loss) tell({ ...loss, nextAt: undefined })
  const response = await fetch('/healthz', { cache: 'no-store' }).catch(() => undefined)
  if (response && isFromServer(response)) {
    noteAnswer(response)
    return
  }
  clearTimeout(timer)
  tell({ answeredAt, nextAt: Date.now() + wait })
  timer = window.setTimeout(tryConnection, wait)
  wait = Math.min(wait * 2, longestWaitMs)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What is known of the lost connection; undefined while the server answers. */
export const useLoss = (): Loss | undefined => useSyncExternalStore(subscribe, () => loss)

/** Why nothing can be done that needs the server; undefined while it answers. */
export const useLostReason = (): string | undefined =>
  useLoss() && 'The connection to the server is lost. This works again when it is back.'
