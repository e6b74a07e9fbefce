import type { Author } from '../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { Tx } from '../../../storage/open.ts'

/** A person or a team that is removed: altogether, or from one organization. */
type Departed = { readonly kind: 'user' | 'team'; readonly id: string; readonly organizationId?: string }

/** Ends what a feature keeps for them, in the transaction that removes them. */
type DepartureStep = (tx: Tx, author: Author, departed: Departed) => Promise<void>

const departureSteps = perApp<DepartureStep[]>(() => [])

/** Registers such a step; features that depend on this one call it. */
export const provideDepartureStep = (deps: Pick<Deps, 'store'>, step: DepartureStep): void =>
  void departureSteps(deps).push(step)

/** Runs all these steps for somebody who is removed. */
export async function runDepartureSteps(
  deps: Pick<Deps, 'store'>,
  tx: Tx,
  author: Author,
  departed: Departed,
): Promise<void> {
  for (const step of departureSteps(deps)) await step(tx, author, departed)
}
