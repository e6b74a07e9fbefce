import type { Queryable } from '../../../storage/open.ts'
import type { AgentPoolRow } from '../../../storage/tables/organizations.ts'

/** The pools with these ids. */
export const loadAgentPools = async (db: Queryable, ids: readonly string[]): Promise<AgentPoolRow[]> =>
  await db.selectFrom('agent_pools').selectAll().where('id', 'in', ids).execute()
