import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, person } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { defineFeature } from '../../../kit/feature.ts'
import { defineJob } from '../../../kit/job.ts'
import { features } from '../../index.ts'

const broken = defineFeature({
  name: 'broken',
  jobs: [
    defineJob({
      name: 'broken.work',
      every: '1h',
      run: () => Promise.reject(new Error('the other side is gone')),
    }),
  ],
})

eachEngine((engine) => {
  test.each(['jobs', 'settings'])('admin/%s is for site administrators alone', async (name) => {
    const app = await ownApp({ engine })
    mustBe(await app.anonymous.get(`/api/v2/admin/${name}`), 401)
    mustBe(await (await person(app, 'ann')).get(`/api/v2/admin/${name}`), 404)
    mustBe(await app.root.get(`/api/v2/admin/${name}`), 200)
  })

  test('admin/jobs tells what fails first, and why', async () => {
    const app = await ownApp({ engine, runJobs: true, features: [...features, broken] })
    await expect
      .poll(async () => mustBe(await app.root.get('/api/v2/admin/jobs?page[size]=1'), 200).body.data[0]?.attributes)
      .toMatchObject({
        kind: 'broken.work',
        state: 'failing',
        'every-seconds': 3600,
        'last-ok-at': null,
        'last-error': 'the other side is gone',
      })
    const { meta } = mustBe(await app.root.get('/api/v2/admin/jobs'), 200).body
    expect(meta.pagination['total-count']).toBeGreaterThan(5)
  })

  test('admin/settings tells values and where they were set, page by page', async () => {
    const inForce = [
      { key: 'listen', shown: '127.0.0.1:8200', where: 'default' },
      { key: 'log.level', shown: 'debug', where: 'HOLDFAST_LOG_LEVEL' },
    ]
    const app = await ownApp({ engine, settings: { inForce } })
    const { data, meta } = mustBe(await app.root.get('/api/v2/admin/settings?page[size]=1&page[number]=2'), 200).body
    expect(data).toMatchObject([
      { id: 'log.level', attributes: { key: 'log.level', value: 'debug', source: 'HOLDFAST_LOG_LEVEL' } },
    ])
    expect(meta.pagination['total-count']).toBe(2)
  })
})
