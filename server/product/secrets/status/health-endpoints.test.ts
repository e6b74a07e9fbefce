import { expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { openRaw } from '../../../../test/support/raw-connection.ts'
import { ownApp, sharedApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { deniedAnswer, noTokenAnswer } from '../../../../test/support/token-calls.ts'

const app = sharedApp()

test.each(['metrics', 'host-info', 'in-flight-req'])('%s: needs a token whose policies allow it', async (name) => {
  const path = `/v1/sys/${name}`
  expect(await app.anonymous.get(path)).toMatchObject(noTokenAnswer)
  const made = await app.root.post('/v1/auth/token/create', { policies: ['default'] })
  expect(await app.root.as(made.body.auth.client_token).get(path)).toMatchObject(deniedAnswer)
  await app.root.put('/v1/sys/policies/acl/reader', { policy: `path "sys/${name}" { capabilities = ["read"] }` })
  const reader = await app.root.post('/v1/auth/token/create', { policies: ['reader'] })
  expect((await app.root.as(reader.body.auth.client_token).get(path)).status).toBe(200)
})

test('metrics: an unknown format is refused', async () => {
  const answer = await app.root.get('/v1/sys/metrics?format=xml')
  expect(answer).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("'xml'")] } })
})

const prometheusAccept = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1'

test('metrics: Prometheus gets its own format by what it accepts, everybody else by asking for it', async () => {
  const headers = { Accept: prometheusAccept, 'X-Vault-Token': app.rootToken }
  const scraped = await fetch(`${app.url}/v1/sys/metrics`, { headers })
  expect(scraped.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  for (const text of [await scraped.text(), (await app.root.get('/v1/sys/metrics?format=prometheus')).text])
    expect(text).toContain('# TYPE holdfast_sealed gauge')
})

eachEngine((engine) => {
  test('metrics: as JSON they are the same figures as for Prometheus', async () => {
    const own = await ownApp({ engine })
    await own.root.get('/v1/sys/mounts')
    const { Gauges, Counters, Samples, Points, Timestamp } = (await own.root.get('/v1/sys/metrics')).body
    const { text } = await own.root.get('/v1/sys/metrics?format=prometheus')
    const named = [...text.matchAll(/^# TYPE (\S+) (gauge|counter|histogram)$/gm)].map(([, name, type]) => [type, name])
    const namesOf = (list: { Name: string }[]) => new Set(list.map(({ Name }) => Name))
    for (const [type, name] of named.filter(([, name]) => new RegExp(`^${name}(_count)?[{ ]`, 'm').test(text))) {
      const list = { gauge: Gauges, counter: Counters, histogram: Samples }[type ?? '']
      expect(namesOf(list), `${type} ${name}`).toContain(name)
    }
    expect(Gauges).toContainEqual({ Name: 'holdfast_sealed', Value: 0, Labels: {} })
    const asked = Samples.find(({ Name }: { Name: string }) => Name === 'holdfast_http_request_seconds')
    expect(asked).toMatchObject({ Count: expect.any(Number), Labels: { endpoint: expect.any(String) } })
    expect(Points).toEqual([])
    expect(Timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC$/)
  })
})

test('host-info: tells what the machine has and does', async () => {
  const { data } = (await app.root.get('/v1/sys/host-info')).body
  expect(data.cpu[0]).toMatchObject({ cpu: 0, modelName: expect.any(String), mhz: expect.any(Number) })
  expect(data.cpu_times).toHaveLength(data.cpu.length)
  expect(data.cpu_times[0].user).toBeGreaterThan(0)
  const [disk] = data.disk
  expect(disk).toMatchObject({ path: app.data.directory })
  expect(disk.total).toBeGreaterThanOrEqual(disk.free)
  expect(data.memory.total).toBe(data.memory.available + data.memory.used)
  expect(data.host).toMatchObject({ hostname: expect.any(String), os: process.platform })
  expect(data.timestamp).toMatch(/^\d{4}-.*Z$/)
})

/** A request whose body does not come. */
async function hangingRequest(to: TestApp, verb: string, path: string): Promise<void> {
  const connection = await openRaw(Number(new URL(to.url).port))
  onTestFinished(() => connection.close())
  connection.write(`${verb} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`)
}

type Listed = { request_path: string; request_method: string; client_id: string; client_remote_address: string }

/** The requests under way, once there are so many. */
async function requestsOf(to: TestApp, count: number): Promise<Listed[]> {
  let listed: Listed[] = []
  await expect
    .poll(async () => {
      listed = Object.values((await to.root.get('/v1/sys/in-flight-req')).body)
      return listed.length
    })
    .toBe(count)
  return listed
}

test('in-flight-req: lists what is not answered yet, the question itself among it, and no queries', async () => {
  const own = await ownApp()
  const { body } = await own.root.get('/v1/sys/in-flight-req')
  const [[id, only]] = Object.entries(body) as [[string, Listed & { start_time: string }]]
  expect(id).toMatch(/^[0-9a-f-]{36}$/)
  expect(only).toEqual({
    start_time: expect.stringMatching(/^\d{4}-.*Z$/),
    client_remote_address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    request_path: '/v1/sys/in-flight-req',
    request_method: 'GET',
    client_id: '',
  })
  await hangingRequest(own, 'PUT', '/v1/cubbyhole/a?b=secret')
  const paths = (await requestsOf(own, 2)).map(({ request_path, request_method }) => [request_method, request_path])
  expect(paths).toContainEqual(['PUT', '/v1/cubbyhole/a'])
})

test('in-flight-req: a path that holds a secret is shown as its route', async () => {
  const own = await ownApp()
  await hangingRequest(own, 'POST', '/app/invitations/some-secret-key')
  const paths = (await requestsOf(own, 2)).map(({ request_path }) => request_path)
  expect(paths.join(' ')).toContain(':token')
  expect(paths.join(' ')).not.toContain('some-secret-key')
})
