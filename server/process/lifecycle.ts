import { constants } from 'node:os'
import { systemClock } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import type { Log } from '../kernel/log.ts'

/** A started server, as far as the process has to do with it. */
export type Stoppable = {
  /** Reads certificates and the like again. */
  reload(): Promise<void>
  /** Stops accepting, finishes what is in flight, closes the store. */
  close(): Promise<void>
}

/** How the process treats its signals. */
export type LifecycleOptions = {
  log: Log
  /** What a hang-up means: a new look at files, or the end, as when a terminal is closed. */
  hangup: 'reload' | 'stop'
  /** Time for an orderly stop. */
  graceMs: number
  /** Signals to stop that come this soon after the first are copies of it. */
  copiesMs: number
  /** True if a hang-up came while the server started, when nobody could look at files again. */
  isHungUp?: boolean
}

/** Long enough for requests to finish, short enough for every supervisor. */
export const stopGraceMs = 9_000

/** A terminal or a service manager signals every process of a group, and launchers among them pass their copy on. */
export const stopCopiesMs = 1_000

/** Notes hang-ups while the server starts; the answer tells whether one came. Where they mean to stop, they stop it. */
export function noteHangups(hangup: LifecycleOptions['hangup']): () => boolean {
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

/** The server, closed only once its set-up has ended one way or the other: until then that needs the store. */
export const stoppableAfter = (server: Stoppable, setUp: Promise<unknown>): Stoppable => ({
  reload: () => server.reload(),
  close: async () => {
    await Promise.allSettled([setUp])
    await server.close()
  },
})

/** Serves until a signal ends it, and returns the exit code. One that asks a second time does not wait. */
export async function runUntilStopped(server: Stoppable, options: LifecycleOptions): Promise<number> {
  const { promise: stopped, resolve } = Promise.withResolvers<number>()
  let askedAt: number | undefined
  const stop = (signal: NodeJS.Signals): void => {
    const now = systemClock.monotonic()
    if (askedAt !== undefined) {
      if (now - askedAt >= options.copiesMs) resolve(128 + constants.signals[signal])
      return
    }
    askedAt = now
    options.log.info({ signal }, 'stopping')
    void closeInTime(server, options).then(resolve)
  }
  const hangup = (signal: NodeJS.Signals): void => {
    if (options.hangup === 'stop') stop(signal)
    else if (askedAt === undefined) void reload(server, options.log)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', hangup)
  if (options.isHungUp) hangup('SIGHUP')
  try {
    return await stopped
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop).off('SIGHUP', hangup)
  }
}

/** Closes the server; what has not ended by then is cut off, which is still an orderly end of the process. */
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

async function reload(server: Stoppable, log: Log): Promise<void> {
  try {
    await server.reload()
    log.info({}, 'reloaded')
  } catch (error) {
    log.error({ error: textOf(error) }, 'reload failed, the old files stay in use')
  }
}
