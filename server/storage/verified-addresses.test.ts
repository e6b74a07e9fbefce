import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine, emptyDatabase } from '../../test/support/databases.ts'
import { loadMigrations, migrate } from './migrate.ts'
import { openStore } from './open.ts'

/** A change of an account: by whom, in which action, with which members afterwards. */
type Told = readonly [actor: string, action: string, after: object]

eachEngine((engine) => {
  test('addresses of an earlier version are verified where the change log shows an administrator behind them', async () => {
    const database = await emptyDatabase(engine)
    const store = await openStore(database.options)
    onTestFinished(async () => {
      await store.close()
      await database.remove()
    })
    const all = await loadMigrations()
    const at = all.findIndex(({ name }) => name.endsWith('verified-addresses'))
    await migrate(store, all.slice(0, at))
    let position = 0
    const record = async (id: string, name: string, [actor, action, after]: Told) => {
      await sql`insert into change_log (id, position, organization_id, workspace_id, subject_type, subject_id, subject_name,
          action, actor_kind, actor_id, actor_name, token_id, request_id, created_at, before, after)
        values (${`chg-${++position}`}, ${position}, '', '', 'users', ${id}, ${name}, ${action}, 'user', ${actor}, '', '', '',
          1, null, ${JSON.stringify(after)})`.execute(store.db)
    }
    const account = async (name: string, email: string, ...told: readonly Told[]) => {
      const id = `user-${name}`
      await sql`insert into users (id, username, username_key, email, email_key, site_admin, allow_certificate_login,
          suspended, created_at, updated_at)
        values (${id}, ${name}, ${name}, ${email}, ${email}, 0, 0, 0, 1, 1)`.execute(store.db)
      for (const each of told) await record(id, name, each)
    }
    const made = (email: string): Told => ['user-admin', 'create', { email, username: 'x' }]
    const byAdministrator = (email: string): Told => ['user-admin', 'update', { email }]
    await account(
      'admin',
      'root@x',
      ['', 'create', { email: 'admin@x' }],
      ['user-admin', 'update', { email: 'root@x' }],
    )
    await account('created', 'created@x', made('created@x'))
    await account('renamed', 'renamed@x', made('renamed@x'), ['user-renamed', 'update', { username: 'renamed' }])
    await account(
      'given',
      'given@x',
      made('old@x'),
      ['user-given', 'update', { email: 'own@x' }],
      byAdministrator('given@x'),
    )
    await account('own', 'own@corp', made('own@x'), ['user-own', 'update', { email: 'own@corp' }])
    await account(
      'back',
      'back@x',
      made('back@x'),
      ['user-back', 'update', { email: 'o@x' }],
      ['user-back', 'update', { email: 'back@x' }],
    )
    await account('untold', 'untold@x')
    await account('differs', 'differs@x', made('another@x'))
    await account('password', 'password@x', made('password@x'), ['user-password', 'set-password', {}])
    await migrate(store, all)

    const people = await store.db
      .selectFrom('users')
      .select(['username', 'email_verified'])
      .orderBy('username')
      .execute()
    expect(people.filter((each) => each.email_verified === 1).map(({ username }) => username)).toEqual([
      'admin',
      'created',
      'given',
      'password',
      'renamed',
    ])
    expect(people).toHaveLength(9)
  })
})
