import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  Kysely,
  type KyselyProps,
  Transaction,
} from 'kysely'
import type { Db, Tx } from './database.ts'
import { dialectOf, type EngineKind } from './dialect.ts'
import { bindEngine, bindSession, type Engine, type Runner, type Session } from './engine.ts'
import type { Tables } from './tables/index.ts'

/** Makes the handles that queries are written on, for one engine. */
export type Handles = { db(engine: Engine): Db; tx(session: Session): Tx }

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
    executor: new DefaultQueryExecutor(compiler, adapter, providerFor(runner)),
  })
  return {
    db: (engine) => {
      const db = new Kysely<Tables>(propsFor(engine))
      bindEngine(db, engine)
      return db
    },
    tx: (session) => {
      const tx = new Transaction<Tables>(propsFor(session))
      bindSession(tx, session)
      return tx
    },
  }
}

function providerFor(runner: Runner): ConnectionProvider {
  const connection: DatabaseConnection = {
    executeQuery: (query) => runner.execute(query),
    streamQuery: (query, chunkSize) => runner.stream(query, chunkSize),
  }
  return { provideConnection: (consumer) => consumer(connection) }
}
