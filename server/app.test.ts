import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { mustBe, organization, person, workspaceIn } from '../test/support/platform.ts'
import { testApp } from '../test/support/test-app.ts'
import { acl, defineSystemEndpoints, endpoint } from './kit/endpoint.ts'
import { defineJob } from './kit/job.ts'
import { scheduleJob } from './kit/job-store.ts'
import { features } from './product/index.ts'
import { inTransaction } from './storage/transaction.ts'

test('app: no job is started while the last requests are finished', async () => {
  const runs: string[] = []
  const kind = 'app-test.note'
  const noting = defineJob({ name: kind, run: async (_, { key }) => void runs.push(key) })
  const app = await testApp({ runJobs: true, features: [...features, { name: 'app-test', jobs: [noting] }] })
  const schedule = (key: string) =>
    inTransaction(app.deps.db, (tx) => scheduleJob(tx, { kind, key, nextRunAt: app.clock.now() }))
  try {
    await schedule('before')
    await vi.waitFor(() => expect(runs).toEqual(['before']))
    app.app.drain()
    await schedule('after')
    await sleep(1_500)
    expect(runs).toEqual(['before'])
  } finally {
    await app.close()
  }
})

test('app: callers who wait for a lock when the server stops are told at once to try again elsewhere', async () => {
  const app = await testApp()
  try {
    const ann = await person(app, 'ann')
    const path = `/api/v2/workspaces/${await workspaceIn(await organization(ann, 'acme'), { name: 'network' })}`
    mustBe(await ann.post(`${path}/actions/lock`), 200)
    const refusal = { status: 503, headers: { 'retry-after': '1' }, body: { errors: [{ code: 'server.stopping' }] } }
    const spy = vi.spyOn(app.deps.callers, 'authenticate')
    const waiting = ann.post(`${path}/actions/lock?wait=50s`)
    await expect.poll(() => spy.mock.calls.length).toBeGreaterThan(1)
    app.app.drain()
    expect(await waiting).toMatchObject(refusal)
    expect(await ann.post(`${path}/actions/lock?wait=50s`)).toMatchObject(refusal)
    mustBe(await ann.post(`${path}/actions/unlock`), 200)
    mustBe(await ann.post(`${path}/actions/lock?wait=50s`), 200)
  } finally {
    await app.close()
  }
})

test('app: a request that is not answered when the server gives up is told to try again', async () => {
  const begun = Promise.withResolvers<void>()
  const handle = () => {
    begun.resolve()
    return new Promise<never>(() => undefined)
  }
  const summary = 'Wait for ever.'
  const endpoints = defineSystemEndpoints([
    endpoint({ id: 'odd.never', route: 'GET /odd/never', summary, access: acl(), handle }),
  ])
  const app = await testApp({ features: [...features, { name: 'app-test', endpoints }] })
  try {
    const asked = app.root.get('/v1/sys/odd/never')
    await begun.promise
    app.app.giveUp()
    expect(await asked).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  } finally {
    await app.close()
  }
})
