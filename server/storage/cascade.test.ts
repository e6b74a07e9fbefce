import { expect, test } from 'vitest'
import { eachEngine, testEngines } from '../../test/support/databases.ts'
import { ownApp } from '../../test/support/shared.ts'
import { fillOrganization } from '../../test/support/two-organizations.ts'
import { removeAllDependents, removeDependents } from './cascade.ts'
import { inTransaction } from './transaction.ts'

eachEngine((engine) => {
  test('what a foreign key removes goes in pieces, the deepest first; others keep theirs', async () => {
    const { deps, ...app } = await ownApp({ engine })
    const filled = [await fillOrganization({ deps, ...app }, 'alpha'), await fillOrganization({ deps, ...app }, 'beta')]
    const [alpha = '', beta = ''] = filled.map(({ params }) => params.workspaceId ?? '')
    const removeOne = () => inTransaction(deps.db, (tx) => removeDependents(tx, 'workspaces', [alpha], 1))
    const outputs = async () => (await deps.db.selectFrom('state_version_outputs').select('id').execute()).length
    const states = async () =>
      (await deps.db.selectFrom('state_versions').select('workspace_id').execute()).map((row) => row.workspace_id)
    const seen: string[] = []
    while ((await removeOne()) > 0) seen.push(`${await outputs()} ${(await states()).length}`)
    expect([...new Set(seen)].filter((each) => each !== '2 2')).toEqual(['1 2', '1 1'])
    expect(await states()).toEqual([beta])
    const workspaces = await deps.db.selectFrom('workspaces').select('id').execute()
    expect(workspaces.map(({ id }) => id).sort()).toEqual([alpha, beta].sort())
    const tags = await deps.db.selectFrom('workspace_tags').select('workspace_id').execute()
    expect(tags).toEqual([{ workspace_id: beta }])
  })
})

test.runIf(testEngines.includes('sqlite'))(
  'cascade: on SQLite, all that foreign keys would remove is gone before the row itself',
  async () => {
    const { deps, ...app } = await ownApp({ engine: 'sqlite' })
    const filled = [await fillOrganization({ deps, ...app }, 'alpha'), await fillOrganization({ deps, ...app }, 'beta')]
    const [alpha = '', beta = ''] = filled.map(({ params }) => params.workspaceId ?? '')
    await inTransaction(deps.db, (tx) => removeAllDependents(tx, 'workspaces', [alpha], 1))
    for (const table of ['state_versions', 'workspace_tags', 'variables'] as const) {
      const rows = await deps.db.selectFrom(table).select('workspace_id').execute()
      expect([...new Set(rows.map((row) => row.workspace_id))]).toEqual([beta])
    }
    expect(await deps.db.selectFrom('workspaces').select('id').where('id', '=', alpha).execute()).toHaveLength(1)
  },
)
