import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../../test/support/databases.ts'
import { testApp } from '../../../test/support/test-app.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { entityForLogin } from './identity-actions.ts'
import { findAlias } from './identity-store.ts'

/** On SQLite one transaction follows the other anyhow. */
test.runIf(testEngines.includes('postgres'))(
  'postgres: a login that changes an alias keeps what somebody else writes to it at the same moment',
  async () => {
    const { deps, close } = await testApp({ engine: 'postgres' })
    const other = new pg.Client({ connectionString: deps.store.url })
    await other.connect()
    onTestFinished(async () => {
      await other.end()
      await close()
    })
    const logIn = (metadata: Record<string, string>) =>
      inTransaction(deps.db, (tx) => entityForLogin(deps, tx, { mountAccessor: 'a', name: 'web', metadata }))
    await logIn({})
    await other.query('begin')
    await other.query(`update entity_aliases set custom_metadata = '{"team":"x"}'`)
    const login = logIn({ common_name: 'web' })
    const waiting = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await other.query(waiting)).rows[0].n).toBe(1)
    await other.query('commit')
    await login
    expect(await findAlias(deps.db, 'a', 'web')).toMatchObject({
      metadata: { common_name: 'web' },
      customMetadata: { team: 'x' },
    })
  },
)
