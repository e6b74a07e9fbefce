import { expect, test } from 'vitest'
import { ownApp } from '../../../test/support/shared.ts'
import { loadJob } from '../../kit/job-store.ts'
import { seedDevSnapshots } from './dev-seed.ts'
import { takeJobKind } from './schedule/schedule.ts'

const hourly = '/v1/sys/storage/raft/snapshot-auto/config/hourly'

test('dev mode: makes its schedule at the first start, leaves it alone later, and never makes a deleted one again', async () => {
  const { deps, root } = await ownApp()
  const seed = (previous = {}) =>
    seedDevSnapshots(deps, { dataDir: deps.settings.dataDir, caCertificate: '', previous })
  const nextRun = async () => (await loadJob(deps.db, takeJobKind, 'hourly', deps.clock.now()))?.nextRunAt
  const first = await seed()
  expect(first).toEqual({ snapshot_config: 'hourly' })
  await root.post(hourly, { retain: 9 })
  const planned = await nextRun()
  expect(await seed(first)).toEqual(first)
  expect((await root.get(hourly)).body.data.retain).toBe(9)
  expect(await nextRun()).toBe(planned)
  await root.delete(hourly)
  for (const previous of [first, await seed(first)]) expect(await seed(previous)).toEqual({ snapshot_config: '' })
  expect((await root.get(hourly)).status).toBe(404)
})
