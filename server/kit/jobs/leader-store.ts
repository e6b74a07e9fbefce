import type { Instant } from '../../kernel/clock.ts'
import type { Db } from '../../storage/open.ts'

/** Who wants to lead background work. */
type Candidate = { owner: string; node: string; address: string; now: Instant; lease: number }

/** Takes or keeps the lead; false while another node holds it. A lease further ahead than it can be does not count. */
export async function takeLead(db: Db, { owner, node, address, now, lease }: Candidate): Promise<boolean> {
  const kept = await db
    .updateTable('leases')
    .set({ lease_until: now + lease })
    .where('name', '=', 'leader')
    .where('owner', '=', owner)
    .executeTakeFirst()
  if (kept.numUpdatedRows === 1n) return true
  // Even a write that changes nothing makes every node look at its data again, and those who wait ask every second.
  const held = await db
    .selectFrom('leases')
    .select('owner')
    .where('name', '=', 'leader')
    .where('lease_until', '>', now)
    .where('lease_until', '<=', now + lease * 2)
    .executeTakeFirst()
  if (held) return false
  const taken = await db
    .insertInto('leases')
    .values({ name: 'leader', owner, node, address, lease_until: now + lease, since: now, fence: 1 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({
          owner,
          node,
          address,
          lease_until: now + lease,
          since: now,
          fence: eb('leases.fence', '+', 1),
        }))
        .where((eb) => eb.or([eb('leases.lease_until', '<=', now), eb('leases.lease_until', '>', now + lease * 2)])),
    )
    .executeTakeFirst()
  return taken.numInsertedOrUpdatedRows === 1n
}

/** Gives the lead away, if this process has it. */
export async function giveUpLead(db: Db, owner: string): Promise<void> {
  await db
    .updateTable('leases')
    .set({ owner: null, lease_until: 0 })
    .where('name', '=', 'leader')
    .where('owner', '=', owner)
    .execute()
}
