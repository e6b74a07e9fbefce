import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { failure } from '../../../kernel/failure.ts'
import { acl, defineSystemEndpoints, endpoint } from '../../../kit/endpoint.ts'
import { defineFeature } from '../../../kit/feature.ts'
import { bytes } from '../../../kit/reply.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { features } from '../../index.ts'

eachEngine((engine) => {
  test('metrics: gauges show the way to the database', async () => {
    const app = await ownApp({ engine })
    const { text } = await app.root.get('/v1/sys/metrics?format=prometheus')
    const found = text.match(/^holdfast_database_[a-z_]+(?:\{\S+\})?/gm)
    const sqlite = ['holdfast_database_write_queue']
    const postgres = [
      'holdfast_database_connections{state="used"}',
      'holdfast_database_connections{state="idle"}',
      'holdfast_database_connections_limit',
      'holdfast_database_connection_waiters',
    ]
    const always = ['holdfast_database_up', 'holdfast_database_full_total']
    expect(new Set(found)).toEqual(new Set([...always, ...(engine === 'sqlite' ? sqlite : postgres)]))
  })

  test.runIf(engine === 'postgres')('probes and metrics do not queue behind requests for a connection', async () => {
    const app = await ownApp({ engine, settings: { metricsOpen: true } })
    const { db, store } = app.deps
    // What is read only now and then is known already.
    await app.anonymous.get('/v1/sys/health')
    const hold = Promise.withResolvers<void>()
    const others = Array.from({ length: 20 }, () => inTransaction(db, async () => await hold.promise))
    const ended = Promise.allSettled(others)
    await expect.poll(() => store.load()).toMatchObject({ used: 10 })
    const [ready, health, metrics] = await Promise.all(
      ['/readyz', '/v1/sys/health', '/metrics'].map((path) => app.anonymous.get(path)),
    )
    expect([ready?.status, health?.status]).toEqual([200, 200])
    expect(metrics?.text).toMatch(/^holdfast_database_up 1$/m)
    expect(metrics?.text).toMatch(/^holdfast_database_connections_limit 10$/m)
    hold.resolve()
    await ended
  })

  test('a full disk shows in metrics and sys/health, which reads do not end', async () => {
    const app = await ownApp({ engine })
    const { db } = app.deps
    const shown = async () => {
      const { text } = await app.root.get('/v1/sys/metrics?format=prometheus')
      const { body } = await app.anonymous.get('/v1/sys/health')
      return [Number(/^holdfast_database_full_total (\d+)$/m.exec(text)?.[1]), body.storage_full]
    }
    expect(await shown()).toEqual([0, false])
    expect((await app.root.get('/v1/sys/metrics?format=prometheus')).text).toMatch(
      /^holdfast_data_dir_free_bytes [1-9]/m,
    )
    const full = { kind: 'unavailable', code: 'storage.full' }
    if (engine === 'postgres') {
      const refusing = sql.raw("do $$ begin raise exception using errcode = '53100'; end $$")
      await expect(refusing.execute(db)).rejects.toMatchObject(full)
      await expect(inTransaction(db, (tx) => refusing.execute(tx))).rejects.toMatchObject(full)
    } else {
      const limitPages = (count: string) =>
        inTransaction(db, (tx) => sql.raw(`pragma max_page_count = ${count}`).execute(tx))
      await limitPages('1')
      const large = { name: 'large', text: 'x'.repeat(1_000_000), updated_at: 1 }
      await expect(db.insertInto('policies').values(large).execute()).rejects.toMatchObject(full)
      const writing = inTransaction(db, (tx) => tx.insertInto('policies').values(large).execute())
      await expect(writing).rejects.toMatchObject(full)
      await limitPages('1000000')
    }
    expect(await shown()).toEqual([2, true])
  })
})

test('metrics: requests count as in flight until they are answered, however that is', async () => {
  const hold = Promise.withResolvers<void>()
  const handle = async ({ request }: { request: { path: string } }) => {
    await hold.promise
    if (request.path.endsWith('bad')) throw new Error('a fault')
    return bytes('text/plain', 'ok')
  }
  const common = { summary: 'Wait.', access: acl(), handle } as const
  const odd = defineFeature({
    name: 'odd',
    endpoints: defineSystemEndpoints([
      endpoint({ ...common, id: 'odd.good', route: 'GET /odd/good' }),
      endpoint({ ...common, id: 'odd.bad', route: 'GET /odd/bad' }),
    ]),
  })
  const app = await ownApp({ features: [...features, odd], settings: { metricsOpen: true } })
  const inFlight = async () =>
    Number(/^holdfast_http_requests_in_flight (\d+)$/m.exec((await app.anonymous.get('/metrics')).text)?.[1])
  // The one that asks is one of them.
  expect(await inFlight()).toBe(1)
  const asked = ['good', 'bad', 'nowhere'].map((name) => app.root.get(`/v1/sys/odd/${name}`))
  await expect.poll(inFlight).toBe(3)
  hold.resolve()
  await Promise.all(asked)
  expect(await inFlight()).toBe(1)
})

test('metrics: what waits, what is being sent and what was refused shows', async () => {
  const sending = new Readable({ read: () => undefined })
  sending.push('the beginning')
  const refuse = () => {
    throw failure('unavailable', 'odd.full', 'No room.')
  }
  const common = { summary: 'Be odd.', access: acl() } as const
  const odd = defineFeature({
    name: 'odd',
    endpoints: defineSystemEndpoints([
      endpoint({ ...common, id: 'odd.long', route: 'GET /odd/long', handle: () => bytes('text/plain', sending) }),
      endpoint({ ...common, id: 'odd.full', route: 'GET /odd/full', handle: refuse }),
    ]),
  })
  const app = await ownApp({ features: [...features, odd] })
  const shown = async (name: string) => {
    const { text } = await app.root.get('/v1/sys/metrics?format=prometheus')
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  }
  const ann = await person(app, 'ann')
  const path = `/api/v2/workspaces/${await workspaceIn(await organization(ann, 'acme'), { name: 'network' })}/actions`
  mustBe(await ann.post(`${path}/lock`), 200)
  const waiting = ann.post(`${path}/lock?wait=50s`)
  await expect.poll(() => shown('holdfast_lock_waiters')).toBe(1)
  mustBe(await ann.post(`${path}/unlock`), 200)
  mustBe(await waiting, 200)
  expect(await shown('holdfast_lock_waiters')).toBe(0)
  const long = app.root.get('/v1/sys/odd/long')
  await expect.poll(() => shown('holdfast_http_streams{kind="content"}')).toBe(1)
  sending.push(null)
  await long
  await expect.poll(() => shown('holdfast_http_streams{kind="content"}')).toBe(0)
  mustBe(await app.root.get('/v1/sys/odd/full'), 503)
  expect(await shown('holdfast_http_unavailable_total{code="odd.full"}')).toBe(1)
  expect(await shown('holdfast_http_buffered_bytes')).toBe(0)
  expect(await shown('holdfast_http_buffered_bytes_limit')).toBeGreaterThan(0)
})
