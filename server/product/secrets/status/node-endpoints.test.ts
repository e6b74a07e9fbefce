import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, person } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sealKeyHeader, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import { version } from '../../../version.ts'

eachEngine((engine) => {
  describe('nodes', () => {
    const lost = async (app: Awaited<ReturnType<typeof ownApp>>) => {
      const { db, store } = app.deps
      const now = await store.databaseNow()
      const about = { address: 'https://lost:8200', base_url: '', version: '0.0.1', compat_version: '1.2.3' }
      const times = { started_at: now - 3_600_000, seen_at: now - 60_000, clock_skew_ms: 7, stopped_at: null }
      await db
        .insertInto('nodes')
        .values({ holder: 'lost/1.1.a', name: 'lost', ...about, ...times })
        .execute()
      return new Date(now - 60_000).toISOString()
    }

    test('admin/nodes lists all for a site administrator, those that are gone as well, and for nobody else', async () => {
      const app = await ownApp({ engine, runJobs: true })
      expect((await app.anonymous.get('/api/v2/admin/nodes')).status).toBe(401)
      expect((await (await person(app, 'ann')).get('/api/v2/admin/nodes')).status).toBe(404)
      const lastSign = await lost(app)
      const { data, meta } = mustBe(await app.root.get('/api/v2/admin/nodes'), 200).body
      expect(data).toMatchObject([
        {
          type: 'nodes',
          id: 'lost/1.1.a',
          attributes: {
            name: 'lost',
            state: 'gone',
            address: 'https://lost:8200',
            version: '0.0.1',
            'last-seen-at': lastSign,
            'stopped-at': null,
            'leads-background-work': false,
            'jobs-held': 0,
            'clock-skew-ms': 7,
          },
        },
        { attributes: { name: 'test', state: 'present', address: 'https://test:8200', version, 'stopped-at': null } },
      ])
      expect(meta.pagination['total-count']).toBe(2)
      const second = await app.root.get('/api/v2/admin/nodes?page[size]=1&page[number]=2')
      expect(second.body.data).toMatchObject([{ attributes: { name: 'test' } }])
    })

    test('ha-status lists all; the active node is the one that leads background work', async () => {
      const app = await ownApp({ engine, runJobs: true, settings: { baseUrl: 'https://all.example.com' } })
      const lastSign = await lost(app)
      await expect.poll(async () => (await app.root.get('/v1/sys/ha-status')).body.nodes[1].active_node).toBe(true)
      const { nodes } = (await app.root.get('/v1/sys/ha-status')).body
      expect(nodes).toMatchObject([
        {
          hostname: 'lost',
          cluster_address: 'https://lost:8200',
          active_node: false,
          last_echo: lastSign,
          version: '1.2.3',
          state: 'gone',
          jobs_held: 0,
        },
        {
          hostname: 'test',
          api_address: 'https://all.example.com',
          cluster_address: 'https://test:8200',
          version: '1.21.0+ent',
          state: 'present',
        },
      ])
      expect((await app.anonymous.get('/v1/sys/ha-status')).status).toBe(403)
    })

    test('a restored snapshot brings no nodes of the server it comes from, and keeps those of this one', async () => {
      const [real, other] = [await ownApp({ engine, runJobs: true }), await ownApp({ engine, runJobs: true })]
      await lost(real)
      const headers = await sealKeyHeader(real)
      const answer = await sendSnapshot(other, await saveSnapshot(real), { at: '-force', headers })
      expect(answer.status).toBe(200)
      const { data } = (await other.root.as(real.rootToken).get('/api/v2/admin/nodes')).body
      expect(data).toMatchObject([{ attributes: { name: 'test', state: 'present' } }])
    })

    test('metrics count the nodes by state', async () => {
      const app = await ownApp({ engine, runJobs: true })
      await lost(app)
      const shown = async () => (await app.root.get('/metrics')).text.match(/^holdfast_nodes\{.*$/gm)
      await expect.poll(shown).toEqual(['holdfast_nodes{state="present"} 1', 'holdfast_nodes{state="gone"} 1'])
    })
  })
})
