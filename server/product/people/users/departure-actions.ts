import type { Author } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { partsOf } from '../../../kit/parts.ts'
import type { Tx } from '../../../storage/open.ts'

/** A person or a team that is removed: altogether, or from one organization. */
type Departed = { readonly kind: 'user' | 'team'; readonly id: string; readonly organizationId?: string }

/** What a step needs to write to the change log. */
type StepDeps = Pick<Deps, 'clock' | 'ids' | 'store' | 'parts'>

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** Ends what a feature keeps for a person or a team, in the transaction that removes them. */
    departureStep: (deps: StepDeps, tx: Tx, author: Author, departed: Departed) => Promise<void>
  }
}

/** Runs the steps of all features for somebody who is removed. */
export async function runDepartureSteps(deps: StepDeps, tx: Tx, author: Author, departed: Departed): Promise<void> {
  for (const step of partsOf(deps, 'departureStep')) await step(deps, tx, author, departed)
}
