import type { Deps } from '../../../../kit/deps.ts'
import { folderKeys } from '../../../../kit/folder-keys.ts'
import { findLivingBy, type LookupDeps } from '../known-token-actions.ts'
import type { Token } from '../records/token.ts'
import { listTokenPaths, listTokensAt } from './token-lease-store.ts'

/** The id of a token's lease: the path that made the token, and its hash. A token without an end has no lease. */
export const leaseIdOf = (token: Pick<Token, 'path' | 'id'>): string => `${token.path}/${token.id}`

/** The living token behind a lease. */
export async function tokenOfLease(deps: LookupDeps, leaseId: string): Promise<Token | undefined> {
  const token = await findLivingBy(deps, { id: leaseId.slice(leaseId.lastIndexOf('/') + 1) })
  return token && token.expiresAt !== undefined && leaseIdOf(token) === leaseId ? token : undefined
}

/** The entries directly below a prefix: leases, and folders with a slash. */
export async function listLeases(deps: Pick<Deps, 'db' | 'clock'>, prefix: string): Promise<string[]> {
  const now = deps.clock.now()
  const folder = prefix === '' ? '' : `${prefix}/`
  const paths = (await listTokenPaths(deps.db, now)).map((path) => `${path}/`)
  const folders = folderKeys(paths, folder).filter((key) => key !== '')
  return [...folders, ...(await listTokensAt(deps.db, prefix, now))]
}
