import type { CompiledQuery } from 'kysely'
import { runAfterPendingInput } from '../../kernel/event-loop.ts'
import { Failure } from '../../kernel/failure.ts'

/** Sends a query and answers with its rows. */
type Ask = <R>(query: CompiledQuery) => Promise<R[]>

/** A lookup, and the one answer for all who need it. */
type Lookup = PromiseWithResolvers<unknown> & { readonly query: CompiledQuery }

/** The lookups of one statement: how many batches are under way, and what waits for the next, by its values. */
type LookupQueue = {
  readonly sharedSql: string
  readonly mostBatches: number
  batches: number
  isScheduled: boolean
  waiting: Map<string, Lookup>
}

const mostTogether = 256

/**
 * Lookups of one row whose values are texts, or that have none. Those of the same statement that come in one turn of the
 * event loop, or while others are under way, share a round trip: it costs about as much for fifty lookups as for one, and
 * equal ones are sent once. One that comes alone goes out as it is. No caller is answered by a lookup that went out
 * before it asked (docs/decisions/0013).
 */
export class SharedLookups {
  readonly #ask: Ask
  readonly #queues = new Map<string, LookupQueue>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The first row of the answer. */
  first<R>(query: CompiledQuery): Promise<R | undefined> {
    const queue = this.#queueOf(query)
    const values = query.parameters.join('\0')
    const lookup = queue.waiting.get(values) ?? { query, ...Promise.withResolvers() }
    queue.waiting.set(values, lookup)
    if (queue.batches < queue.mostBatches && !queue.isScheduled) this.#scheduleBatch(queue)
    return lookup.promise as Promise<R | undefined>
  }

  #scheduleBatch(queue: LookupQueue): void {
    queue.isScheduled = true
    runAfterPendingInput(() => {
      queue.isScheduled = false
      void this.#sendBatches(queue)
    })
  }

  #queueOf(query: CompiledQuery): LookupQueue {
    const known = this.#queues.get(query.sql)
    if (known) return known
    // A lookup without values is the same for everybody: those who come meanwhile all share the next.
    const mostBatches = query.parameters.length === 0 ? 1 : 2
    const queue = { sharedSql: sharedSqlOf(query), mostBatches, batches: 0, isScheduled: false, waiting: new Map() }
    this.#queues.set(query.sql, queue)
    return queue
  }

  async #sendBatches(queue: LookupQueue): Promise<void> {
    queue.batches += 1
    while (queue.waiting.size > 0) {
      const lookups = [...queue.waiting].slice(0, mostTogether)
      for (const [values] of lookups) queue.waiting.delete(values)
      await this.#askAll(
        queue,
        lookups.map(([, lookup]) => lookup),
      )
    }
    queue.batches -= 1
  }

  async #askAll(queue: LookupQueue, lookups: readonly Lookup[]): Promise<void> {
    const alone = (): Promise<unknown> => Promise.all(lookups.map((lookup) => this.#askAlone(lookup)))
    if (lookups.length === 1) return void (await alone())
    try {
      const rows = await this.#askTogether(queue, lookups)
      for (const [index, { resolve }] of lookups.entries()) resolve(rows.get(index + 1))
    } catch (problem) {
      // One lookup may spoil the answer of all; alone, each gets only its own error. A server that is
      // away is away for everybody.
      if (problem instanceof Failure) for (const { reject } of lookups) reject(problem)
      else await alone()
    }
  }

  async #askAlone({ query, resolve, reject }: Lookup): Promise<void> {
    try {
      resolve((await this.#ask(query))[0])
    } catch (problem) {
      reject(problem)
    }
  }

  async #askTogether({ sharedSql }: LookupQueue, lookups: readonly Lookup[]): Promise<Map<number, unknown>> {
    const [{ query }] = lookups as [Lookup]
    const lists = query.parameters.map((_, index) => lookups.map((each) => each.query.parameters[index]))
    const rows = await this.#ask<{ lookup_place: number }>({ ...query, sql: sharedSql, parameters: lists })
    return new Map(rows.map(({ lookup_place: place, ...row }) => [place, row]))
  }
}

/** True if the lookup can be sent together with others: all its values are texts. */
export const isShareable = ({ parameters }: CompiledQuery): boolean =>
  parameters.length > 0 && parameters.every((value) => typeof value === 'string')

/** The statement for many sets of values at once: it is run for each, and says for which. */
function sharedSqlOf({ sql, parameters }: CompiledQuery): string {
  const names = parameters.map((_, index) => `value_${index + 1}`)
  const lists = parameters.map((_, index) => `$${index + 1}::text[]`)
  const each = sql.replaceAll(/\$(\d+)/g, 'lookups.value_$1')
  return (
    `select lookups.place::int as lookup_place, found.* from unnest(${lists.join(', ')}) with ordinality ` +
    `as lookups (${names.join(', ')}, place) cross join lateral (select * from (${each}) as one limit 1) as found`
  )
}
