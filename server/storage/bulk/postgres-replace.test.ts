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

/** Replaces one store by another over a connection that can be disturbed. */
async function disturbed() {
  const [live, scratch] = [await storeWith('old'), await storeWith('new')]
  const schemas = {
    live: { engine: 'postgres', url: live.url, schema: live.schema },
    scratch: { engine: 'postgres', url: scratch.url, schema: scratch.schema },
  } as const
  const proxy = await postgresProxy(schemas.live.url)
  await preparePostgres(schemas, plan)
  const replace = () => replacePostgres({ ...schemas, live: { ...schemas.live, url: proxy.url } }, plan)
  const policies = async () => (await live.store.db.selectFrom('policies').select('name').execute())[0]?.name
  return { proxy, replace, policies }
}

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
