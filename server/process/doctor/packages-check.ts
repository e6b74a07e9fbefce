import type { Config } from '../../config/index.ts'
import { loadPlacements, packagesProblemOf } from '../../product/snapshots/index.ts'
import { type Finding, fail, ok } from './finding.ts'
import { fromStore } from './places-check.ts'

/** Whether the packages are installed that the snapshot configurations of the store need. */
export async function packagesFinding({ storage }: Pick<Config, 'storage'>): Promise<Finding> {
  const placements = await fromStore(storage, ({ db }) => loadPlacements(db))
  const lacking = placements.filter((placement) => packagesProblemOf(placement) !== undefined)
  const [first] = lacking
  if (!first) return ok('all that snapshots need are installed')
  const names = lacking.map(({ name }) => name).join(', ')
  return fail(`snapshots cannot be stored by ${names}`, `${packagesProblemOf(first)}.`)
}
