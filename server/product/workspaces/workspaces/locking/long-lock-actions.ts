import type { OrganizationWatch } from '../../../../access/attention.ts'
import type { Concern } from '../../../../access/concern.ts'
import { canSeeWorkspace } from '../../../../access/permissions/index.ts'
import { instant } from '../../../../kernel/clock.ts'
import { type LongLock, listLongLocks } from './lock-store.ts'

/** A lock that is held for so long was probably forgotten. */
const longMs = 86_400_000

/** Whoever sees few workspaces of many is told of the locks among so many of the oldest. */
const mostRead = 1_000

const concernOf = ({ name, holder, reason, lockedAt }: LongLock): Concern => ({
  kind: 'lock-held',
  failed: false,
  name,
  text: [`Locked by ${holder || 'somebody who is gone'}`, reason].filter(Boolean).join(': '),
  at: instant(lockedAt),
})

/** The locks that are held for long, of workspaces that the caller can see. */
export const watchLocks: OrganizationWatch = async ({ reads, clock }, { grants, limit }) => {
  const now = clock.now()
  const page = { organizationId: grants.organizationId, until: now - longMs, now, limit: limit * 5 }
  const found: LongLock[] = []
  for (let offset = 0; found.length < limit && offset < mostRead; offset += page.limit) {
    const locks = await listLongLocks(reads, { ...page, offset })
    found.push(...locks.filter((lock) => canSeeWorkspace(grants, lock)))
    if (locks.length < page.limit) break
  }
  return found.slice(0, limit).map(concernOf)
}
