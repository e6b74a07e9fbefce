import { onTestFinished, vi } from 'vitest'
import type { Awaitable } from '../../server/kernel/awaitable.ts'
import { engineOf } from '../../server/storage/engine.ts'
import type { Db } from '../../server/storage/open.ts'

/** What was asked of a database, outside of transactions, since somebody began to count. */
export type CountedStatements = {
  /** How often each text was sent. */
  readonly byText: ReadonlyMap<string, number>
  /** The largest number of statements under way at one time. */
  readonly mostAtOnce: () => number
}

/** Counts the statements that a store sends until the test has finished; those that share a trip count as one. */
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
