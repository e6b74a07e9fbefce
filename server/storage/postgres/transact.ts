import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Clock } from '../../kernel/clock.ts'
import { failure } from '../../kernel/failure.ts'
import { backOff } from '../../kernel/pause.ts'
import { noAnswer, outcomeUnknown, translatePostgres } from '../database-errors.ts'
import type { Session, TransactOptions } from '../engine.ts'
import { Attempt, type AttemptParts, type CompletedTransaction, statementTimeout } from './attempt.ts'
import type { Primary } from './primary.ts'

/** What a transaction needs of its engine. */
type TransactParts = AttemptParts & { primary: Primary; clock: Clock }

const attempts = 8

/**
 * Runs the work until it is committed or refused. A conflict, or a connection lost before COMMIT was sent, means nothing
 * was done: try again. When the answer to COMMIT is lost, only an operation id can tell what happened: writing it again
 * waits for a commit still in progress, and finds it there if the commit succeeded.
 */
export async function runTransaction<T>(
  parts: TransactParts,
  work: (session: Session) => Awaitable<T>,
  options: TransactOptions,
): Promise<CompletedTransaction<T>> {
  let unanswered: CompletedTransaction<T> | undefined
  const until = parts.clock.monotonic() + statementTimeout(options)
  for (let attempt = 1; ; attempt++) {
    const client = await connect(parts.primary, unanswered !== undefined)
    const attempted = new Attempt<T>(parts, client, options)
    const ended = await attempted.run(work, unanswered)
    if ('done' in ended) return ended.done
    const { thrown, trouble, during } = ended.failed
    // Until its id could be written again, nobody knows what became of a commit without an answer.
    if (trouble === 'refused')
      throw unanswered && during === 'record' ? outcomeUnknown(thrown) : translatePostgres(thrown)
    if (trouble === 'read-only') parts.primary.drop(thrown)
    if (trouble === 'stale-plan') parts.names.renew()
    if (during === 'commit' && trouble === 'lost') {
      if (options.operationId === undefined) throw outcomeUnknown(thrown)
      unanswered = attempted.prepared
    }
    if (attempt >= attempts || parts.clock.monotonic() >= until) {
      if (unanswered) throw outcomeUnknown(thrown)
      throw trouble === 'lost' ? noAnswer(thrown) : tooManyTries(thrown)
    }
    await sleep(pauseAfter(attempt, parts.clock))
  }
}

async function connect(primary: Primary, hasUnanswered: boolean): Promise<pg.PoolClient> {
  try {
    return await primary.connect()
  } catch (thrown) {
    throw hasUnanswered ? outcomeUnknown(thrown) : thrown
  }
}

/** Doubling from 4 ms, with a part taken from the clock's last digits so that rivals do not meet again. */
const pauseAfter = (attempt: number, clock: Clock): number => {
  const most = backOff({ first: 4, longest: 250 }, attempt)
  return most / 2 + ((clock.monotonic() * 1_000) % 1) * (most / 2)
}

const tooManyTries = (cause: unknown) =>
  failure('unavailable', 'storage.contended', 'Too many writers are changing the same data; try again.', {
    cause,
    retryAfter: 1,
  })
