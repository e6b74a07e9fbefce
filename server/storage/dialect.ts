import {
  type BinaryOperationNode,
  type CompiledQuery,
  CreateTableNode,
  type Dialect,
  DummyDriver,
  type Expression,
  Kysely,
  type KyselyPlugin,
  type LimitNode,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  RawNode,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  ValueListNode,
} from 'kysely'
import type { Tx } from './database.ts'
import { claimLostText } from './database-errors.ts'
import type { DescribedTables } from './tables.ts'

/** The engines a store can live on. */
export type EngineKind = 'sqlite' | 'postgres'

/** Column types that mean the same on both engines. */
export type ColumnTypes = {
  /** Text in byte order. */
  readonly text: Expression<unknown>
  /** Whole numbers of 64 bits: counts, milliseconds, and 0 or 1 for truth. */
  readonly integer: Expression<unknown>
  readonly bytes: Expression<unknown>
  readonly real: Expression<unknown>
}

const columnTypes: Record<EngineKind, ColumnTypes> = {
  sqlite: { text: sql`text`, integer: sql`integer`, bytes: sql`blob`, real: sql`real` },
  postgres: { text: sql`text collate "C"`, integer: sql`bigint`, bytes: sql`bytea`, real: sql`double precision` },
}

/** The column types of an engine. */
export const columnTypesOf = (kind: EngineKind): ColumnTypes => columnTypes[kind]

/** What `in` and `not in` say about an empty list: PostgreSQL rejects `()`, so neither engine gets to see it. */
function emptyListVerdict(node: BinaryOperationNode): '1 = 0' | '1 = 1' | undefined {
  const list = node.rightOperand
  if (!(PrimitiveValueListNode.is(list) || ValueListNode.is(list)) || list.values.length > 0) return undefined
  const operator = OperatorNode.is(node.operator) ? node.operator.operator : undefined
  return operator === 'in' ? '1 = 0' : operator === 'not in' ? '1 = 1' : undefined
}

class PortableSqliteCompiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const verdict = emptyListVerdict(node)
    if (verdict) this.append(verdict)
    else super.visitBinaryOperation(node)
  }

  /**
   * SQLite takes the value of a bare limit into account when it plans, and so plans again each time it is bound: ten times
   * what most statements take. A sum is not looked into.
   */
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    this.append(' + 0')
  }

  /** One writer at a time is all that SQLite knows: rows need not be held against others, and cannot be. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!node.modifier?.startsWith('For')) super.visitSelectModifier(node)
  }
}

class PortablePostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const verdict = emptyListVerdict(node)
    if (verdict) this.append(verdict)
    else super.visitBinaryOperation(node)
  }
}

/** Connections come from the engine, and transactions only from `inTransaction`. */
class NoTransactionsDriver extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('Transactions are opened with inTransaction(db, …).')
  }
}

/** How Kysely writes SQL for an engine. */
export const dialectOf = (kind: EngineKind): Dialect =>
  kind === 'sqlite'
    ? {
        createDriver: () => new NoTransactionsDriver(),
        createQueryCompiler: () => new PortableSqliteCompiler(),
        createAdapter: () => new SqliteAdapter(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      }
    : {
        createDriver: () => new NoTransactionsDriver(),
        createQueryCompiler: () => new PortablePostgresCompiler(),
        createAdapter: () => new PostgresAdapter(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      }

/** A database handle that writes SQL and never runs it. */
export const compilerOf = (kind: EngineKind): Kysely<DescribedTables> =>
  new Kysely<DescribedTables>({ dialect: dialectOf(kind) })

/** True if the query only reads. Raw SQL is judged by its first word; a `with` may write, so it does not count. */
export function isReadOnly(query: CompiledQuery): boolean {
  if (query.query.kind === 'SelectQueryNode') return true
  return query.query.kind === 'RawNode' && /^\s*(?:select|explain|pragma)\b/i.test(query.sql)
}

/**
 * Makes a statement fail unless it finds or changes exactly one row. On PostgreSQL the next statements are sent before its
 * answer is there, so the server has to refuse by itself: it cannot cast a text that is not a number, and logs that text. On
 * SQLite the caller looks at the answer.
 */
export function requireOneRow(kind: EngineKind, query: CompiledQuery): CompiledQuery {
  if (kind === 'sqlite') return query
  const hasRows = isReadOnly(query) || ('returning' in query.query && query.query.returning !== undefined)
  const met = hasRows ? query.sql : `${query.sql} returning 1`
  const verdict = `case count(*) when 1 then 1 else ('${claimLostText}: ' || count(*) || ' rows')::int end`
  return { ...query, sql: `with met as (${met}) select ${verdict} from met` }
}

/** Lets one migration run at a time. SQLite's transactions are alone already. */
export async function lockMigrations(kind: EngineKind, tx: Tx): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(hashtext('holdfast-migrations'))`.execute(tx)
}

/** Makes SQLite check the types of values as PostgreSQL does: every table a migration creates is strict. */
const strictTables: KyselyPlugin = {
  transformQuery: ({ node }) => {
    if (CreateTableNode.is(node) && !node.selectQuery)
      return CreateTableNode.cloneWithEndModifier(node, RawNode.createWithSql('strict'))
    if (!RawNode.is(node) || !/^\s*create table\b/i.test(node.sqlFragments[0] ?? '')) return node
    return RawNode.create([...node.sqlFragments.slice(0, -1), `${node.sqlFragments.at(-1)} strict`], node.parameters)
  },
  transformResult: async ({ result }) => result,
}

/** The handle that a migration writes its changes on. */
export const migrationHandle = (kind: EngineKind, tx: Tx): Kysely<unknown> =>
  (kind === 'sqlite' ? tx.withPlugin(strictTables) : tx) as unknown as Kysely<unknown>
