import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'

/** True if the licence includes automated snapshots. */
export const includesSnapshots = (deps: Pick<Deps, 'settings'>): boolean => deps.settings.license === 'enterprise'

/** Refuses callers who would be allowed if the licence does not include automated snapshots. */
export function requireLicence(deps: Pick<Deps, 'settings'>): void {
  if (!includesSnapshots(deps)) throw failure('missing', 'licence.closed', 'enterprise-only feature')
}
