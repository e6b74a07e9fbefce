import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { randomIds } from '../../server/kernel/ids.ts'
import { postgresUrl } from '../support/databases.ts'
import { tries } from '../support/fault-pace.ts'
import { startProcess, type TestProcess } from '../support/programs/child-process.ts'

const program = resolve(import.meta.dirname, '../../server/main.ts')
const rootToken = 'failover-root'

/** A database of its own, which goes with the test. */
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

type Node = { process: TestProcess; call(verb: string, path: string, token: string, body?: object): Promise<Response> }

/** A whole server in a process of its own; all nodes share the database and the root key. */
async function startNode(storage: string, sealKey: string): Promise<Node> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-failover-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const started = startProcess(program, ['dev'], {
    HOLDFAST_DATA_DIR: directory,
    HOLDFAST_STORAGE: storage,
    HOLDFAST_SEAL_KEY: sealKey,
    HOLDFAST_ROOT_TOKEN: rootToken,
    HOLDFAST_LOG_LEVEL: 'error',
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
  })
  const facts = async (): Promise<string> => readFileSync(join(directory, 'dev.json'), 'utf8')
  await expect.poll(() => facts().catch(() => ''), { interval: 20, timeout: 30_000 }).not.toBe('')
  const { http_address: address } = JSON.parse(await facts()) as { http_address: string }
  const call: Node['call'] = (method, path, token, body) =>
    fetch(`${address}/v1/${path}`, {
      method,
      headers: { 'x-service-token': token },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  return { process: started, call }
}

test('tokens end on time although the node that issued them is gone, on the one that is left and on a new one', async () => {
  const storage = await newDatabase()
  const sealKey = randomIds.bytes(32).toString('base64')
  const first = await startNode(storage, sealKey)
  const second = await startNode(storage, sealKey)
  const create = async (fields: object, by = rootToken): Promise<string> => {
    const answer = await first.call('POST', 'auth/token/create', by, fields)
    const { auth } = (await answer.json()) as { auth: { client_token: string } }
    return auth.client_token
  }
  const statusOf = async (node: Node, token: string): Promise<number> =>
    (await node.call('GET', 'auth/token/lookup-self', token)).status
  const maker = 'path "auth/token/create" { capabilities = ["update"] }'
  expect((await first.call('POST', 'sys/policies/acl/maker', rootToken, { policy: maker })).status).toBe(204)

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
  first.process.child.kill('SIGKILL')
  await first.process.ended
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
