import { describe, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngines } from '../../../test/support/databases.ts'
import { postgresProxy } from '../../../test/support/fakes/postgres-proxy.ts'
import { migrate } from '../migrate.ts'
import { openStore, type Store } from '../open.ts'
import { preparePostgres, replacePostgres } from './postgres-replace.ts'

/** A migrated store with one policy of this name. */
async function storeWith(name: string): Promise<{ store: Store; url: string; schema: string | undefined }> {
  const { options, remove } = await emptyDatabase('postgres')
  const store = await openStore(options)
  onTestFinished(async () => {
    await store.close()
    await remove()
  })
  await migrate(store)
  await store.db.insertInto('policies').values({ name, text: '', updated_at: 1 }).execute()
  return { store, url: options.url, schema: options.schema }
}

const plan = {
  operationId: 'restore',
  now: 1,
  seal: undefined,
  elsewhere: false,
  revokeFor: undefined,
  lastEpoch: 0,
}

/** A store and another that is to take its place. */
async function pair() {
  const [live, scratch] = [await storeWith('old'), await storeWith('new')]
  const schemas = {
    live: { engine: 'postgres', url: live.url, schema: live.schema },
    scratch: { engine: 'postgres', url: scratch.url, schema: scratch.schema },
  } as const
  return { live: live.store, scratch: scratch.store, schemas }
}

/** Replaces one store by another over a connection that can be disturbed. */
async function disturbed() {
  const { live, schemas } = await pair()
  const proxy = await postgresProxy(schemas.live.url)
  await preparePostgres(schemas, plan)
  const replace = () => replacePostgres({ ...schemas, live: { ...schemas.live, url: proxy.url } }, plan)
  const policies = async () => (await live.db.selectFrom('policies').select('name').execute())[0]?.name
  return { proxy, replace, policies }
}

/** API tokens in a store. */
const addTokens = ({ db }: Store, ids: readonly string[]) =>
  db
    .insertInto('api_tokens')
    .values(
      ids.map((id) => ({
        ...{ id, hash: id, hint: '', owner_kind: 'user', description: '', created_at: 1 },
        ...{ created_by_kind: 'user', created_by_id: 'user-1' },
      })),
    )
    .execute()

test.runIf(testEngines.includes('postgres'))(
  'a database replacement notes tokens as revived that end while it is prepared, and others that end in the meantime not',
  async () => {
    const { live, scratch, schemas } = await pair()
    await addTokens(live, ['gone', 'ends', 'stays', 'young'])
    await addTokens(scratch, ['gone', 'ends', 'stays', 'old'])
    await live.db.deleteFrom('api_tokens').where('id', '=', 'gone').execute()
    await preparePostgres(schemas, plan)
    await live.db.deleteFrom('api_tokens').where('id', 'in', ['ends', 'young']).execute()
    await live.db.updateTable('api_tokens').set({ last_used_at: 2 }).where('id', '=', 'stays').execute()
    const { tokens } = await replacePostgres(schemas, plan)
    expect(tokens.api_tokens).toEqual({ restored: 4, revived: 3 })
    const noted = await live.db.selectFrom('restored_tokens').select('id').orderBy('id').execute()
    expect(noted.map(({ id }) => id)).toEqual(['ends', 'gone', 'old'])
  },
)

/** Service tokens of a path in a store. */
const addServiceTokens = ({ db }: Store, ids: readonly string[], path: string) =>
  db
    .insertInto('tokens')
    .values(
      ids.map((id) => ({
        ...{ id, accessor: id, parent_id: '', policies: '[]', path, display_name: '', metadata: '{}', entity_id: '' },
        ...{ role: '', mount_id: '', created_at: 1, expires_at: 100, creation_ttl: 1, explicit_max_ttl: 0, period: 0 },
        ...{ renewable: 0, num_uses: 0, uses_left: 0, bound_cidrs: '[]', orphan: 1, wrapping: 0, auth_data: '{}' },
        ...{ certificate_fingerprint: '', platform_team: '', platform_team_id: '', revoked: 0 },
      })),
    )
    .execute()

test.runIf(testEngines.includes('postgres'))(
  'a database replacement notes tokens as revived whose path is revoked, or whose mount goes, while it is prepared',
  async () => {
    const { live, scratch, schemas } = await pair()
    const mount = {
      ...{ id: 'gone', path: 'auth/gone/', type: 'cert', accessor: 'gone', login_id: '', description: '' },
      ...{ config: '{}', local: 0, seal_wrap: 0, tainted: 0, created_at: 1 },
    }
    for (const each of [live, scratch]) {
      await addServiceTokens(each, ['one', 'two'], 'auth/cut/login')
      await addServiceTokens(each, ['near'], 'auth/cut-too/login')
      await addServiceTokens(each, ['login'], 'auth/gone/login')
      await each.db.insertInto('mounts').values(mount).execute()
      await each.db.updateTable('tokens').set({ mount_id: 'gone' }).where('id', '=', 'login').execute()
    }
    await preparePostgres(schemas, plan)
    await live.db.insertInto('revoked_paths').values({ path: 'auth/cut', until: 1 }).execute()
    await live.db.deleteFrom('mounts').execute()
    const { tokens } = await replacePostgres(schemas, plan)
    expect(tokens.tokens).toEqual({ restored: 4, revived: 3 })
    const noted = await live.db.selectFrom('restored_tokens').select('id').orderBy('id').execute()
    expect(noted.map(({ id }) => id)).toEqual(['login', 'one', 'two'])
  },
)

describe.runIf(testEngines.includes('postgres'))('a database replacement whose COMMIT gets no answer', () => {
  test('is reported as done if it was committed', async () => {
    const { proxy, replace, policies } = await disturbed()
    proxy.loseNextCommitAnswer()
    const { epoch, tokens } = await replace()
    expect([epoch > 0, tokens.tokens, await policies()]).toEqual([true, { restored: 0, revived: 0 }, 'new'])
  })

  test('is reported as storage.no-answer if the COMMIT never arrived, and can be repeated', async () => {
    const { proxy, replace, policies } = await disturbed()
    proxy.loseNextCommit()
    await expect(replace()).rejects.toMatchObject({ kind: 'unavailable', code: 'storage.no-answer' })
    expect(await policies()).toBe('old')
    await replace()
    expect(await policies()).toBe('new')
  })
})
