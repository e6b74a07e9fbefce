import { join } from 'node:path'
import { expect, test } from 'vitest'
import { enableDevice } from '../../../test/support/audit-devices.ts'
import { eachEngine } from '../../../test/support/databases.ts'
import { ownFolder } from '../../../test/support/folders.ts'
import { ownApp } from '../../../test/support/shared.ts'
import { placesFinding } from './places-check.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

eachEngine((engine) => {
  test('local paths: what lies outside by now is a warning of doctor and of the status, and goes on', async () => {
    const app = await ownApp({ engine })
    const [open, other] = [ownFolder(), ownFolder()]
    const local = {
      interval: 3600,
      storage_type: 'local',
      local_max_space: 10 ** 8,
      path_prefix: join(other, 'snapshots'),
    }
    expect((await app.root.post(`${auto}/config/old`, local)).status).toBe(204)
    expect((await enableDevice(app, 'old', { file_path: join(other, 'audit.log') })).status).toBe(204)
    const served = await ownApp({ beside: app, settings: { mode: 'server', localPaths: [open], nodeName: 'served' } })

    const status = await served.root.get(`${auto}/status/old`)
    expect(status.body.warnings).toEqual([expect.stringMatching(/lies outside of.*local_paths\.allow/)])
    expect((await served.root.post(`${auto}/run/old`)).status).toBeLessThan(300)
    const changed = await served.root.post(`${auto}/config/old`, { retain: 2 })
    expect(changed).toMatchObject({ status: 400, body: { errors: [expect.stringContaining(`below ${open}`)] } })
    expect((await served.root.post(`${auto}/config/old`, { path_prefix: join(open, 'new') })).status).toBe(204)
    expect((await served.root.get(`${auto}/status/old`)).body.warnings).toBeNull()
    const closed = { ...local, path_prefix: '/var/spool/new' }
    const checked = await served.root.post(`${auto}/check`, closed)
    expect(checked).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('which is closed')] } })

    const { target } = app.deps.store
    if (target.engine !== 'sqlite') return
    const storage = { engine: 'sqlite', file: target.file } as const
    const find = (allow: readonly string[]) =>
      placesFinding({ mode: 'server', storage, dataDir: app.deps.settings.dataDir, localPaths: { allow } })
    expect(await find([open])).toMatchObject({ state: 'warn', text: expect.stringMatching(/^old\/: .*open\. Choose/) })
    expect(await find([open, other])).toMatchObject({ state: 'ok' })
  })
})
