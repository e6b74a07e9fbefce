import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import type { WorkspaceRow } from '../workspace-row-store.ts'
import { meets, type TagCondition } from './tagged-store.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })

  const inheritable = [{ key: 'env', value: 'prod' }]
  const conditions: readonly [string, TagCondition][] = [
    ['a flat tag or a key', { name: 'net' }],
    ['a flat tag or a key that projects bind, too', { name: 'env' }],
    ['a binding that projects have, too', { key: 'env', value: 'prod' }],
  ]

  test.skipIf(engine !== 'postgres').each(conditions)(
    'whether a workspace has %s is asked for each, not read from the bindings of all organizations',
    async (_, condition) => {
      const query = app.deps.db
        .withTables<{ ws: WorkspaceRow }>()
        .selectFrom('workspaces as ws')
        .select('ws.id')
        .where('ws.organization_id', '=', 'org-1')
        .where((eb) => meets(eb as never, { organizationId: 'org-1', inheritable }, condition))
        .limit(21)
      const { rows } = await sql`explain ${query}`.execute(app.deps.db)
      expect(JSON.stringify(rows)).toContain('SubPlan')
      expect(JSON.stringify(rows)).not.toContain('hashed SubPlan')
    },
  )
})
