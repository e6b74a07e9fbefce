import { failure } from '../../kernel/failure.ts'
import type { DescribedTables } from '../tables.ts'
import { raiseStatements } from './generations.ts'
import { forgetRunsStatements, pauseStatements } from './restored-configurations.ts'
import type { Caller, RestoredCounts, Revocation, TokenTable } from './revived-tokens.ts'
import { type DatabaseNames, type Statement, statement } from './statement.ts'
import { columnNames, quoted, type TableShape } from './table-shape.ts'

/** What happens when the tables of a store are replaced by those of a scratch database. */
export type ReplacementPlan = {
  /** Names this replacement, so that one whose COMMIT got no answer can be looked for. */
  readonly operationId: string
  readonly now: number
  /** The keys the store has afterwards; without them it keeps its own. */
  readonly seal: DescribedTables['seal'] | undefined
  /** True if the tables come from another installation. */
  readonly elsewhere: boolean
  /** Ends at once every token that only comes back through this, provided that this caller can go on. */
  readonly revokeFor: Caller | undefined
  /** The version of everything when the keys were chosen. If it has moved since, this one is refused. */
  readonly lastEpoch: number
}

/** What came of it. */
export type Replacement = {
  readonly epoch: number
  readonly tokens: Readonly<Record<TokenTable, RestoredCounts>>
  /** Absent unless the plan has a revocation. */
  readonly revocation?: Revocation
}

const sealColumns = [
  'id',
  'wrapped',
  'revision',
  'type',
  'shares',
  'threshold',
  'recovery',
  'cluster_id',
  'cluster_name',
  'initialised_at',
] as const satisfies readonly (keyof DescribedTables['seal'])[]

/**
 * What is done while both are there and nobody else works; the same SQL on both engines. What belongs to the installation
 * alone is in the database `local` afterwards.
 */
export function preparationStatements(
  { live, scratch }: DatabaseNames,
  tables: readonly TableShape[],
  plan: ReplacementPlan,
  local: string = live,
): Statement[] {
  const names = sealColumns.map(quoted).join(', ')
  const seal = plan.seal
    ? statement(
        `insert into ${scratch}.seal (${names}) values (${sealColumns.map(() => '?').join(', ')})`,
        sealColumns.map((name) => plan.seal?.[name]),
      )
    : statement(`insert into ${scratch}.seal (${names}) select ${names} from ${live}.seal`)
  return [
    statement(`delete from ${scratch}.seal`),
    seal,
    ...raiseStatements(
      scratch,
      tables.filter(({ name }) => name === 'seal'),
      epochOf(plan),
    ),
    ...pauseStatements({ live, scratch }, plan.elsewhere),
    ...forgetRunsStatements({ live, scratch }, { elsewhere: plan.elsewhere, local }),
  ]
}

/** The version of everything after a replacement; if it is another one, the replacement is refused. */
export const epochOf = ({ lastEpoch }: Pick<ReplacementPlan, 'lastEpoch'>): number => lastEpoch + 1

/**
 * Refuses a replacement whose keys were chosen before another one was made, or the key shares were renewed: its rows may
 * not open with the keys that are there now. `epoch` is the version that was just written, so nobody else can move it
 * until the end of the transaction.
 */
export function requireNext(epoch: number, plan: ReplacementPlan): void {
  if (epoch === epochOf(plan)) return
  const text =
    'Another restore finished, or the key shares were renewed, at the same time. This restore changed nothing.'
  throw failure('conflict', 'archive.restored-meanwhile', text)
}

/** The tables of both databases in pairs; they must be the same, since the same migrations made them. */
export function pairTables(live: readonly TableShape[], scratch: readonly TableShape[]): readonly TableShape[] {
  const described = (tables: readonly TableShape[]) =>
    tables.map((table) => `${table.name} (${table.columns.map(({ name, type }) => `${name} ${type}`).sort()})`).join()
  if (described(live) === described(scratch)) return live
  throw failure('internal', 'archive.other-tables', 'The tables of the restored data are not those of this store.')
}

/** True if the columns are in the same order, so that whole rows can be copied. */
export const isSameOrder = (one: TableShape, other: TableShape | undefined): boolean =>
  other !== undefined && columnNames(one) === columnNames(other)
