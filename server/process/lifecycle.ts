import { constants } from 'node:os'
import { systemClock } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'

/** A started server, as far as this module needs to know it. */
export type Stoppable = {
  /** Reads certificates and the like again. */
  reload(): Promise<void>
  /** Tells balancers and clients to go elsewhere, and serves on. */
  announceStop(): void
  /** Stops accepting, finishes what is in flight, closes the store. */
  close(): Promise<void>
}

/** How the process treats its signals. */
export type LifecycleOptions = {
  log: Log
  /** What SIGHUP means: reading files again, or stopping, as when a terminal is closed. */
  hangup: 'reload' | 'stop'
  /** How long the server goes on serving after the first signal, so that nobody is sent to it when it stops. */
  delayMs: number
  /** Time for an orderly stop after that. */
  graceMs: number
  /** Signals to stop that arrive this soon after another are copies of it. */
  duplicateSignalMs: number
  /** True if SIGHUP arrived while the server was starting and could not reload yet. */
  isReloadRequested?: boolean
  /** Called after each reload, successful or not. */
  afterReload?: () => void
}

/** Long enough for requests to finish, short enough for every supervisor. */
export const stopGraceMs = 9_000

/** A terminal or a service manager signals every process of a group, and launchers among them forward theirs. */
export const stopDuplicateSignalMs = 1_000

/**
 * Notes whether SIGHUP arrives while the server starts; the returned function tells. If SIGHUP means to stop, it ends
 * the process as usual.
 */
export function watchForHangup(hangup: LifecycleOptions['hangup']): () => boolean {
  let came = false
  const note = (): void => {
    came = true
  }
  if (hangup === 'reload') process.on('SIGHUP', note)
  return () => {
    process.off('SIGHUP', note)
    return came
  }
}

/**
 * The server, which is closed only after its set-up has ended, well or badly: until then the set-up needs the store.
 */
export const stoppableAfter = (server: Stoppable, setUp: Promise<unknown>): Stoppable => ({
  reload: () => server.reload(),
  announceStop: () => server.announceStop(),
  close: async () => {
    await Promise.allSettled([setUp])
    await server.close()
  },
})

/**
 * Serves until a signal stops the server, and returns the exit code. A second signal ends the delay, if there is one; a
 * further one ends the process without waiting for requests.
 */
export async function runUntilStopped(server: Stoppable, options: LifecycleOptions): Promise<number> {
  const { promise: stopped, resolve } = Promise.withResolvers<number>()
  let requestedAt: number | undefined
  let isClosing = false
  let delay: NodeJS.Timeout | undefined
  const close = (): void => {
    clearTimeout(delay)
    isClosing = true
    void closeInTime(server, options).then(resolve)
  }
  const stop = (signal: NodeJS.Signals): void => {
    const isFirst = requestedAt === undefined
    const now = systemClock.monotonic()
    if (requestedAt !== undefined && now - requestedAt < options.duplicateSignalMs) return
    requestedAt = now
    if (isClosing) resolve(128 + constants.signals[signal])
    else if (isFirst) delay = announceStop(server, { ...options, signal, close })
    else close()
  }
  const hangup = (signal: NodeJS.Signals): void => {
    if (options.hangup === 'stop') stop(signal)
    else if (requestedAt === undefined) void reload(server, options)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', hangup)
  if (options.isReloadRequested) hangup('SIGHUP')
  try {
    return await stopped
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop).off('SIGHUP', hangup)
  }
}

type StopOptions = LifecycleOptions & { signal: NodeJS.Signals; close: () => void }

/** Says that the server stops, and calls `close` after the delay. */
function announceStop(server: Stoppable, { log, delayMs, signal, close }: StopOptions): NodeJS.Timeout | undefined {
  log.info({ signal, ...(delayMs > 0 && { delayMs }) }, 'stopping')
  server.announceStop()
  if (delayMs > 0) return setTimeout(close, delayMs)
  close()
  return undefined
}

/** Closes the server, cutting off what has not ended within the grace period. The exit code is 0 even then. */
async function closeInTime(server: Stoppable, { log, graceMs }: LifecycleOptions): Promise<number> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), graceMs)
  try {
    if ((await Promise.race([server.close(), late])) === 'late') log.warn({ graceMs }, 'stopped with work unfinished')
    else log.info({}, 'stopped')
    return 0
  } catch (error) {
    log.error({ error }, 'stopping failed')
    return 1
  } finally {
    clearTimeout(timer)
  }
}

async function reload(server: Stoppable, { log, afterReload }: LifecycleOptions): Promise<void> {
  try {
    await server.reload()
    log.info({}, 'reloaded')
  } catch (error) {
    log.error({ error: textOf(error) }, 'reload failed, the old files stay in use')
  }
  afterReload?.()
}
