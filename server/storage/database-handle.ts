import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  type KyselyProps,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { Db, Tx } from './database.ts'
import { dialectOf, type EngineKind } from './dialect.ts'
import { bindEngine, bindSession, type Engine, type Runner, type Session } from './engine.ts'
import { noteFullness } from './fullness.ts'
import type { DescribedTables } from './tables.ts'

/** Makes the handles that queries are written on, for one engine. */
type Handles = { db(engine: Engine, runner?: Runner): Db; tx(engine: Engine, session: Session): Tx }

/** Kysely's own pool and transaction code is left out of the path: both cost more than a read on SQLite. */
export function handlesFor(kind: EngineKind): Handles {
  const dialect = dialectOf(kind)
  const driver = dialect.createDriver()
  const compiler = dialect.createQueryCompiler()
  const adapter = dialect.createAdapter()
  const propsFor = (runner: Runner): KyselyProps => ({
    config: { dialect },
    dialect,
    driver,
    executor: new DefaultQueryExecutor(compiler, adapter, new RunnerConnection(runner)),
  })
  return {
    db: (engine, runner = engine) => {
      const db = new Kysely<DescribedTables>(propsFor(runner))
      bindEngine(db, engine, runner)
      return db
    },
    tx: (engine, session) => {
      const tx = new Transaction<DescribedTables>(propsFor(session))
      bindSession(tx, engine, session)
      return tx
    },
  }
}

/** Hands Kysely's queries to a runner. One object serves as connection and as its provider: each transaction makes one. */
class RunnerConnection implements ConnectionProvider, DatabaseConnection {
  readonly #runner: Runner

  constructor(runner: Runner) {
    this.#runner = runner
  }

  provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    return consumer(this)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.#runner.execute(query)
    } catch (thrown) {
      noteFullness(this.#runner, thrown)
      throw thrown
    }
  }

  /** Kysely asks for it; long lists are read page by page, and whole tables by `bulk`. */
  streamQuery(): never {
    throw new Error('Rows are not streamed.')
  }
}
