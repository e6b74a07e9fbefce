import { createHash } from 'node:crypto'
import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import { failure } from '../../kernel/failure.ts'
import type { Area } from '../areas.ts'
import type { Session } from '../engine.ts'
import { answerOf } from './connection.ts'
import { type Trouble, troubleOf } from './trouble.ts'

/** Prepared statements by SQL text; a new generation of names leaves plans behind that a migration made stale. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #generation = 0

  of(sql: string): string {
    const known = this.#names.get(sql)
    if (known) return known
    const name = `hf${this.#generation}_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`
    this.#names.set(sql, name)
    return name
  }

  renew(): void {
    this.#generation += 1
    this.#names.clear()
  }
}

/** Sends one query over a connection and gives the result the shape Kysely expects. */
export async function send<R>(
  client: pg.ClientBase,
  query: Pick<CompiledQuery, 'sql' | 'parameters'>,
  options: { name?: string; timeout?: number } = {},
): Promise<QueryResult<R>> {
  const config = { text: query.sql, values: query.parameters as unknown[], name: options.name }
  const { command, rowCount, rows } = await answerOf(client, config, options.timeout)
  const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command)
  return { rows: (rows ?? []) as R[], numAffectedRows: changes ? BigInt(rowCount ?? 0) : undefined }
}

/** One body's use of a connection. */
export class PostgresSession implements Session {
  readonly kind = 'postgres'
  readonly bumped: Set<Area> = new Set()
  readonly #client: pg.PoolClient
  readonly #names: StatementNames
  readonly #timeout: number
  #open = true
  #last: Promise<unknown> = Promise.resolve()
  #error: { thrown: unknown; trouble: Trouble } | undefined

  constructor(client: pg.PoolClient, names: StatementNames, timeout: number) {
    this.#client = client
    this.#names = names
    this.#timeout = timeout
  }

  get open(): boolean {
    return this.#open
  }

  /** What the first failed statement threw, should there be one; the body may have hidden it. */
  get error(): { thrown: unknown; trouble: Trouble } | undefined {
    return this.#error
  }

  /** Queries of one body go out one after another, even if it starts several at once. */
  execute<R>(query: CompiledQuery, hot = false): Promise<QueryResult<R>> {
    const sent = this.#last.then(() => this.#send<R>(query, hot))
    this.#last = sent.catch(() => undefined)
    return sent
  }

  async *stream<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.execute(query)
  }

  /** Ends the session at once; a query that is still out is not waited for. */
  abandon(): void {
    this.#open = false
  }

  /** Ends the session once its last query has been answered. */
  async finish(): Promise<void> {
    await this.#last
    this.#open = false
  }

  async #send<R>(query: CompiledQuery, hot: boolean): Promise<QueryResult<R>> {
    if (!this.#open) {
      throw failure(
        'internal',
        'storage.transaction-over',
        'The transaction has ended; its tx cannot be used any more.',
      )
    }
    if (this.#error) {
      const extras = { cause: this.#error.thrown }
      throw failure('internal', 'storage.transaction-failed', 'An earlier statement of the transaction failed.', extras)
    }
    try {
      const name = hot ? this.#names.of(query.sql) : undefined
      return await send<R>(this.#client, query, { name, timeout: this.#timeout })
    } catch (thrown) {
      this.#error = { thrown, trouble: troubleOf(thrown) }
      throw thrown
    }
  }
}
