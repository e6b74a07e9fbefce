import type { Deps } from '../../../../kit/deps.ts'
import { openFrozen } from '../record-actions.ts'
import { listFrozenVariables } from '../record-store.ts'
import type { Run } from '../run.ts'

/** A variable as a runner is given it. */
export type JobVariable = {
  readonly key: string
  readonly value: string
  readonly category: 'terraform' | 'env'
  readonly hcl: boolean
  readonly sensitive: boolean
  readonly origin: string
}

/** The variables that a run was created with, as its tool is given them; those of the run itself come last and win. */
export async function jobVariables(
  deps: Pick<Deps, 'db' | 'keyring'>,
  { id }: Pick<Run, 'id'>,
): Promise<JobVariable[]> {
  return (await listFrozenVariables(deps.db, id)).map((variable) => ({
    key: variable.key,
    value: openFrozen(deps, variable),
    category: variable.category === 'input' ? 'terraform' : 'env',
    hcl: variable.hcl,
    sensitive: variable.sensitive,
    origin: variable.origin,
  }))
}
