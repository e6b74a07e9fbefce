import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { copyWorkspaces } from '../../../test/support/many-workspaces.ts'
import { organization, person, workspaceIn } from '../../../test/support/platform.ts'
import { ownApp } from '../../../test/support/shared.ts'
import { storeFinding } from './checks.ts'

test('search: workspaces that were numbered anew in SQLite are found again after what doctor says', async () => {
  const app = await ownApp({ engine: 'sqlite' })
  const id = await workspaceIn(await organization(await person(app, 'ann'), 'acme'))
  await copyWorkspaces(app.deps.db, id, 600)
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(app.deps.db)
  const file = rows[0]?.file ?? ''
  const look = () => storeFinding({ storage: { engine: 'sqlite', file } })
  expect(await look()).toEqual({ state: 'ok', text: 'sqlite answers' })
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec('update workspaces set rowid = rowid + 10000')
  const { state, fix = '' } = await look()
  expect({ state, fix }).toEqual({ state: 'warn', fix: expect.stringMatching(/^Stop the server, then: insert/) })
  database.exec(fix.replace('Stop the server, then: ', ''))
  database.close()
  expect(await look()).toEqual({ state: 'ok', text: 'sqlite answers' })
})
