import { failure } from '../../kernel/failure.ts'
import type { Settings } from '../../kit/app-settings.ts'

/** True if the licence includes automated snapshots. */
export const includesSnapshots = (deps: { readonly settings: Settings }): boolean =>
  deps.settings.license === 'enterprise'

/** Refuses callers who would be allowed if the licence does not include automated snapshots. */
export function requireLicence(deps: { readonly settings: Settings }): void {
  if (!includesSnapshots(deps)) throw failure('missing', 'licence.closed', 'enterprise-only feature')
}
