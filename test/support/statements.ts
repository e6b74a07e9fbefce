import { onTestFinished, vi } from 'vitest'
import type { Awaitable } from '../../server/kernel/awaitable.ts'
import { engineOf, sessionOf } from '../../server/storage/engine.ts'
import type { Db, Tx } from '../../server/storage/open.ts'
import { inTransaction } from '../../server/storage/transaction.ts'

/** What was asked of a database, outside of transactions, since somebody began to count. */
export type CountedStatements = {
  /** How often each text was sent. */
  readonly byText: ReadonlyMap<string, number>
  /** The largest number of statements under way at one time. */
  readonly mostAtOnce: () => number
}

/** Counts the statements that a store sends until the test has finished; those that share a batch count as one. */
export function countStatements(db: Db): CountedStatements {
  const engine = engineOf(db)
  const byText = new Map<string, number>()
  let [underWay, most] = [0, 0]
  const execute = engine.execute.bind(engine)
  const counted = <R>(...parameters: Parameters<typeof engine.execute>): Awaitable<R> => {
    const { sql } = parameters[0]
    byText.set(sql, (byText.get(sql) ?? 0) + 1)
    const answer = execute(...parameters) as Awaitable<R>
    if (!(answer instanceof Promise)) return answer
    underWay += 1
    most = Math.max(most, underWay)
    return answer.finally(() => {
      underWay -= 1
    })
  }
  const spy = vi.spyOn(engine, 'execute').mockImplementation(counted)
  onTestFinished(() => spy.mockRestore())
  return { byText, mostAtOnce: () => most }
}

/** A statement, and how the database carries it out: its rows of `explain`. */
export type ExplainedStatement = { readonly sql: string; readonly plan: readonly unknown[] }

const explaining = { sqlite: 'explain query plan', postgres: 'explain (analyze, format json)' }

/** The statements that some work sends, explained by the database. What the work does is rolled back. */
export async function explainStatements(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<ExplainedStatement[]> {
  const explained: ExplainedStatement[] = []
  const done = new Error('The work is done.')
  const body = async (tx: Tx): Promise<never> => {
    const session = sessionOf(tx)
    const execute = session.execute.bind(session)
    vi.spyOn(session, 'execute').mockImplementation(async (query, hot) => {
      const { rows } = await execute({ ...query, sql: `${explaining[session.kind]} ${query.sql}` })
      explained.push({ sql: query.sql, plan: rows })
      return (await execute(query, hot)) as never
    })
    await work(tx)
    throw done
  }
  await inTransaction(db, body).catch((thrown) => {
    if (thrown !== done) throw thrown
  })
  return explained
}
