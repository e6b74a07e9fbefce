import type { Deps } from '../../../../kit/deps.ts'
import { type ReadListPage, wantedOf } from '../../../../kit/list.ts'
import type { Queryable } from '../../../../storage/open.ts'
import { findLivingBy, type LookupDeps } from '../known-token-actions.ts'
import type { Token } from '../records/token.ts'
import { listFolders, listTokensAt } from './token-lease-store.ts'

/** The id of a token's lease: the path that made the token, and its hash. A token without an end has no lease. */
export const leaseIdOf = (token: Pick<Token, 'path' | 'id'>): string => `${token.path}/${token.id}`

/** The living token behind a lease. */
export async function tokenOfLease(deps: LookupDeps, leaseId: string): Promise<Token | undefined> {
  const token = await findLivingBy(deps, { id: leaseId.slice(leaseId.lastIndexOf('/') + 1) })
  return token && token.expiresAt !== undefined && leaseIdOf(token) === leaseId ? token : undefined
}

/** Reads what is directly below a prefix: leases, and folders with a slash. The folders are read with the first page. */
export function readLeases({ clock }: Pick<Deps, 'clock'>, db: Queryable, prefix: string): ReadListPage {
  const now = clock.now()
  let folders: Promise<string[]> | undefined
  return async (place) => {
    folders ??= listFolders(db, { folder: prefix === '' ? '' : `${prefix}/`, now })
    const leases = await listTokensAt(db, { path: prefix, now }, place)
    // A folder has its place among the leases; those after the end of this page come with a later one.
    const { next } = leases
    const here = wantedOf(await folders, place).filter((key) => next === undefined || key <= next)
    const names = [...leases.names, ...here].sort().slice(0, place.most)
    return { names, next: names.length < place.most ? next : names.at(-1) }
  }
}
