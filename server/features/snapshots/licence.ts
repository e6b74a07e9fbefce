import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'

/** True where the licence opens automated snapshots. */
export const includesSnapshots = (deps: Pick<Deps, 'settings'>): boolean => deps.settings.license === 'enterprise'

/** Refuses, to callers who would be allowed, what the licence does not open. */
export function requireLicence(deps: Pick<Deps, 'settings'>): void {
  if (!includesSnapshots(deps)) throw failure('missing', 'licence.closed', 'enterprise-only feature')
}
