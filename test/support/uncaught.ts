import { onTestFinished } from 'vitest'

/** Collects uncaught errors until the test ends, instead of failing it. */
export function collectUncaught(): unknown[] {
  const uncaught: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  })
  return uncaught
}
