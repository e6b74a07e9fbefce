import { rm, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { ownFolder } from '../../../../../test/support/folders.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { startJobs } from '../../../../jobs/runner.ts'
import { instant } from '../../../../kernel/clock.ts'
import { saveSign } from '../../../../kit/nodes/node-store.ts'
import { snapshotJobs } from '../../../snapshots/schedule/schedule-actions.ts'

type Shown = { attributes: { kind: string; scope: string; name: string; text: string; failed: boolean; at: string } }

const concerns = async (caller: Client, name = 'acme'): Promise<Shown['attributes'][]> =>
  mustBe(await caller.get(`/api/v2/organizations/${name}/attention`), 200).body.data.map(
    ({ attributes }: Shown) => attributes,
  )

eachEngine((engine) => {
  test('attention: strangers are not told that the organization exists', async () => {
    const app = await ownApp({ engine })
    await organization(await person(app, 'ann'), 'acme')
    mustBe(await app.anonymous.get('/api/v2/organizations/acme/attention'), 401)
    mustBe(await (await person(app, 'eve')).get('/api/v2/organizations/acme/attention'), 404)
  })

  test('attention: locks that are held for a day are told, the oldest first, to those who see the workspace', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const lock = async (name: string, reason: string) => {
      const id = await workspaceIn(acme, { name })
      mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, { reason }), 200)
    }
    await lock('old', 'migrating')
    app.clock.advance('2h')
    await lock('older-than-a-day', '')
    app.clock.advance('23h')
    await lock('new', '')
    expect(await concerns(ann)).toEqual([
      {
        kind: 'lock-held',
        scope: 'organization',
        failed: false,
        name: 'old',
        text: 'Locked by ann: migrating',
        at: '2026-11-15T12:00:00.000Z',
      },
    ])
    app.clock.advance('1h')
    expect((await concerns(ann)).map(({ name }) => name)).toEqual(['old', 'older-than-a-day'])
    const teams = '/api/v2/organizations/acme/teams'
    const outside = mustBe(await ann.post(teams, doc('teams', { name: 'outside', 'organization-access': {} })), 201)
    const token = await ann.post(`/api/v2/teams/${outside.body.data.id}/authentication-token`, {})
    expect(await concerns(app.root.as(mustBe(token, 201).body.data.attributes.token))).toEqual([])
  })

  test('attention: what concerns the server is told to site administrators alone', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    await organization(ann, 'acme')
    const own = doc('organizations', { name: 'of-admin', email: 'admin@example.com' })
    mustBe(await app.root.post('/api/v2/organizations', own), 201)
    const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
    onTestFinished(() => runner.stop())
    const folder = ownFolder()
    const auto = '/v1/sys/storage/raft/snapshot-auto'
    const place = { storage_type: 'local', path_prefix: folder, local_max_space: 10 ** 8 }
    await app.root.post(`${auto}/config/nightly`, { interval: '24h', ...place })
    const admin = async () => {
      app.clock.advance('3s')
      return (await concerns(app.root, 'of-admin')).map(({ kind, name, scope, failed }) => ({
        kind,
        name,
        scope,
        failed,
      }))
    }
    await runner.runDue()
    expect(await admin()).toEqual([])
    await rm(folder, { recursive: true })
    await writeFile(folder, 'in the way')
    await app.root.post(`${auto}/run/nightly`, {})
    await runner.runDue()
    const bad = { kind: 'snapshot-failed', name: 'nightly', scope: 'server', failed: true }
    expect(await admin()).toEqual([bad])
    expect(await concerns(ann)).toEqual([])
    await app.root.post(`${auto}/pause/nightly`, {})
    expect(await admin()).toEqual([])
    const seen = instant(app.clock.now() - 3_600_000)
    const sign = {
      holder: 'h',
      name: 'node-9',
      address: '',
      baseUrl: '',
      version: '1',
      compatVersion: '1',
      clockSkew: 0,
    }
    await saveSign(app.deps.db, { ...sign, startedAt: seen }, seen)
    expect(await admin()).toEqual([{ kind: 'node-gone', name: 'node-9', scope: 'server', failed: true }])
  })
})
