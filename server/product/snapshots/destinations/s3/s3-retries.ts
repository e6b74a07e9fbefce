import type { S3ClientConfig } from '@aws-sdk/client-s3'
import type { Clock } from '../../../../kernel/clock.ts'

type Strategy = Extract<NonNullable<S3ClientConfig['retryStrategy']>, { acquireInitialRetryToken: unknown }>
type Token = Awaited<ReturnType<Strategy['acquireInitialRetryToken']>>

/** Counts the first try: three more follow. */
export const tries = 4

const firstPause = 500
/** How much longer than planned it waits if the service asks for that. */
const longestExtra = 5_000

const token = (count: number, delay: number): Token => ({
  getRetryCount: () => count,
  getRetryDelay: () => delay,
})

/**
 * Waits 0.5, 1 and 2 seconds, as with the other services; the library would be done with all its tries before a store
 * that restarts answers again.
 */
export const s3Retries = (clock: Pick<Clock, 'now'>): Strategy => ({
  acquireInitialRetryToken: async () => token(0, 0),
  refreshRetryTokenForRetry: async (last, { errorType, retryAfterHint }) => {
    const count = last.getRetryCount() + 1
    const isWorthwhile = errorType === 'TRANSIENT' || errorType === 'THROTTLING'
    // What is thrown here is not seen by anybody: the library reports the error of the last try.
    if (!isWorthwhile || count >= tries) throw new Error('no more tries')
    const pause = firstPause * 2 ** (count - 1)
    const asked = retryAfterHint ? retryAfterHint.getTime() - clock.now() : 0
    return token(count, Math.max(pause, Math.min(asked, pause + longestExtra)))
  },
  recordSuccess: () => undefined,
})
