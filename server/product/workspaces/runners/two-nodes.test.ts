import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../test/support/platform.ts'
import { createRun, runnableWorkspace } from '../../../../test/support/runs.ts'
import { builtInRunner, type GivenJob, runnerWith } from '../../../../test/support/scripted-runner.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'

eachEngine((engine) => {
  const here = sharedApp({ engine })
  let there: TestApp
  beforeAll(async () => {
    there = await testApp({ beside: here })
  })
  afterAll(() => there.close())
  const ann = shared(() => person(here, 'ann'))
  const acme = shared(async () => {
    const made = await organization(ann, 'acme')
    mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'run-concurrency': 3 })), 200)
    return made
  })
  const show = async (id: string) => mustBe(await ann.get(`/api/v2/runs/${id}`), 200).body.data.attributes

  test('runners of two nodes claim each job once, and never more than an organization may have', async () => {
    const crew = []
    for (let made = 0; made < 4; made++) crew.push(await builtInRunner(here), await builtInRunner(there))
    const left = new Set<string>()
    for (let made = 0; made < 8; made++)
      left.add((await createRun(ann, await runnableWorkspace(here, acme), { 'plan-only': false })).id)
    for (let round = 0; left.size > 0 && round < 8; round++) {
      const answers = await Promise.all(crew.map((each) => each.claimed(2)))
      const jobs = answers.flatMap(({ status, body }, index) =>
        status === 200 ? body.jobs.map((job: GivenJob) => ({ job, by: crew[index] })) : [],
      )
      expect(jobs.length).toBeGreaterThan(0)
      expect(jobs.length).toBeLessThanOrEqual(3)
      for (const { job, by } of jobs) {
        expect(left.delete(job.run.id)).toBe(true)
        await by?.plan(job)
      }
    }
    expect(left.size).toBe(0)
  })

  test('a session and a job work on every node; a cancel on one reaches the runner that waits on the other', async () => {
    const { id } = await createRun(ann, await runnableWorkspace(here, acme))
    const runner = await builtInRunner(here)
    const job = await runner.claim()
    const elsewhere = runnerWith(there, runner.session, runner.id)
    mustBe(await elsewhere.renew(job), 200)
    mustBe(await elsewhere.log(job, 0, 'one\n'), 200)
    mustBe(await runner.log(job, 4, 'two\n'), 200)
    const waiting = elsewhere.renew(job, 10_000)
    mustBe(await ann.post(`/api/v2/runs/${id}/actions/cancel`, {}), 202)
    expect(mustBe(await waiting, 200).body.signal).toBe('interrupt')
    const ends = await Promise.all([
      runner.finish(job, { outcome: 'canceled' }),
      elsewhere.finish(job, { outcome: 'canceled' }),
    ])
    expect(ends.map(({ body }) => body)).toEqual([{ run_status: 'canceled' }, { run_status: 'canceled' }])
    expect((await show(id)).status).toBe('canceled')
  })
})
