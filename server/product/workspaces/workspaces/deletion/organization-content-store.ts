import type { Queryable } from '../../../../storage/open.ts'

/** The place of a workspace in the order in which those of an organization are removed. */
export type Place = { readonly createdAt: number; readonly id: string }

/** The next workspaces of an organization after a place, in the order of an index. */
export async function loadNext(
  db: Queryable,
  organizationId: string,
  { after, limit }: { readonly after: Place | undefined; readonly limit: number },
): Promise<Place[]> {
  let query = db
    .selectFrom('workspaces')
    .select(['id', 'created_at as createdAt'])
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.createdAt, after.id)))
  return await query.execute()
}
