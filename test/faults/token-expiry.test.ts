import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { randomIds } from '../../server/kernel/ids.ts'
import { postgresUrl } from '../support/databases.ts'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { type DevServer, startDevServer } from './dev-server.ts'

const rootToken = 'failover-root'

/** A separate database, which is removed with the test. */
async function newDatabase(): Promise<string> {
  const name = `failover_${randomIds.hex(8)}`
  const ask = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: postgresUrl() })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await ask(`create database ${name}`)
  onTestFinished(() => ask(`drop database ${name} with (force)`))
  return postgresUrl().replace(/\/[^/]*$/, `/${name}`)
}

/** One of the nodes that share the database and the root key. */
function startNode(storage: string, sealKey: string): Promise<DevServer> {
  const directory = ownFolder()
  return startDevServer(directory, {
    HOLDFAST_STORAGE: storage,
    HOLDFAST_SEAL_KEY: sealKey,
    HOLDFAST_ROOT_TOKEN: rootToken,
  })
}

test('tokens of a node that is gone expire on time, on the remaining node and on a new one', async () => {
  const storage = await newDatabase()
  const sealKey = randomIds.bytes(32).toString('base64')
  const first = await startNode(storage, sealKey)
  const second = await startNode(storage, sealKey)
  const create = async (fields: object, by = rootToken): Promise<string> =>
    (await first.root.as(by).post('/v1/auth/token/create', fields)).body.auth.client_token
  const statusOf = async ({ root }: DevServer, token: string): Promise<number> =>
    (await root.as(token).get('/v1/auth/token/lookup-self')).status
  const policy = 'path "auth/token/create" { capabilities = ["update"] }'
  expect((await first.root.post('/v1/sys/policies/acl/maker', { policy })).status).toBe(204)

  const life = tries(4_000, 8_000)
  const began = performance.now()
  const service = await create({ policies: ['maker'], ttl: `${life}ms` })
  const tokens = [
    service,
    await create({ policies: ['default'], ttl: `${life}ms`, type: 'batch' }),
    await create({ ttl: '10m' }, service),
    await create({ ttl: '10m', type: 'batch' }, service),
  ]
  for (const token of tokens) expect(await statusOf(second, token)).toBe(200)
  await first.kill()
  for (const token of tokens) expect(await statusOf(second, token)).toBe(200)
  expect(performance.now() - began).toBeLessThan(life)

  const alive = async (): Promise<number> =>
    (await Promise.all(tokens.map((token) => statusOf(second, token)))).filter((status) => status === 200).length
  await expect.poll(alive, { interval: 20, timeout: life + 5_000 }).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(life - 1_000)
  expect(performance.now() - began).toBeLessThan(life + tries(1_500, 5_000))
  const third = await startNode(storage, sealKey)
  for (const token of tokens) expect(await statusOf(third, token)).toBe(403)
  expect(await statusOf(third, rootToken)).toBe(200)
}, 120_000)
