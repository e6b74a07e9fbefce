import type { Deps } from '../kit/deps.ts'
import type { Concern } from './concern.ts'
import type { OrganizationGrants } from './permissions/index.ts'

/** What needs attention in an organization, of what the caller may see: at most `limit`, the longest waiting first. */
export type OrganizationWatch = (
  deps: Deps,
  ask: { readonly grants: OrganizationGrants; readonly limit: number },
) => Promise<readonly Concern[]>

/** What needs attention on the server as a whole: for those who may know all of it. */
export type ServerWatch = (deps: Deps, ask: { readonly limit: number }) => Promise<readonly Concern[]>

declare module '../kit/parts.ts' {
  interface FeatureParts {
    /** Tells what needs attention in an organization. */
    organizationWatch: OrganizationWatch
    /** Tells what needs attention on the server. */
    serverWatch: ServerWatch
  }
}
