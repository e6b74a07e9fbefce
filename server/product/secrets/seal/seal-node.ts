import { failure } from '../../../kernel/failure.ts'
import { limitConcurrency } from '../../../kernel/limit-concurrency.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { SealRow } from './seal-row.ts'
import { loadSeal } from './seal-store.ts'
import { UnsealProgress } from './unseal-progress.ts'

export type SealNode = {
  row: SealRow | undefined
  /** The seal whose keys this node has opened; other nodes may have changed it since. */
  opened: SealRow | undefined
  /** Pending while keys of other nodes are being adopted. It never rejects. */
  following: Promise<void> | undefined
  /** How often it was sealed or lost its shares: a share that was received before must not count afterwards. */
  discards: number
  readonly progress: UnsealProgress
  /** Keys are added, and adopted from other nodes, one operation at a time. */
  readonly oneByOne: <T>(work: () => Promise<T>) => Promise<T>
}

/** The state of the seal in this node. */
export const sealNode = perApp<SealNode>(() => ({
  row: undefined,
  opened: undefined,
  following: undefined,
  discards: 0,
  progress: new UnsealProgress(),
  oneByOne: limitConcurrency(1),
}))

/** Reads the seal from the store; refuses if there is none. */
export async function requireSeal(deps: Deps): Promise<SealRow> {
  const row = await loadSeal(deps.db)
  if (!row) throw failure('invalid', 'seal.uninitialised', 'Holdfast is not initialised; call sys/init first.')
  sealNode(deps).row = row
  return row
}
