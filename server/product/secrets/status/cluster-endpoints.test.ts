import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp, sharedApp } from '../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  describe('cluster status', () => {
    const app = sharedApp({ engine, runJobs: true })

    test('leader: answers without a token and without an envelope, with ha_enabled on PostgreSQL only', async () => {
      await expect
        .poll(async () => (await app.anonymous.get('/v1/sys/leader')).body.is_self)
        .toBe(engine === 'postgres')
      const { body } = await app.anonymous.get('/v1/sys/leader')
      expect(body).toMatchObject({
        ha_enabled: engine === 'postgres',
        leader_address: '',
        leader_cluster_address: '',
        performance_standby: false,
        last_wal: 0,
      })
      expect(body).not.toHaveProperty('data')
    })

    test('step-down needs sudo and gives up the lead', async () => {
      const calls = await tokenCalls(app)
      await calls.policy('plain', 'path "sys/step-down" { capabilities = ["update"] }')
      const plain = calls.as(await calls.create({ policies: ['plain'] }))
      expect((await plain.put('/v1/sys/step-down')).status).toBe(403)
      expect((await app.root.put('/v1/sys/step-down')).status).toBe(204)
      const { body } = await app.anonymous.get('/v1/sys/leader')
      expect(body.is_self).toBe(false)
      expect(body).not.toHaveProperty('active_time')
    })

    test('ha-status and raft configuration describe this node', async () => {
      // The test before has made it step down, and it leads nothing for a while.
      const { body } = await app.root.get('/v1/sys/ha-status')
      expect(body).toMatchObject({ nodes: [{ hostname: 'test', state: 'present' }] })
      const { config } = (await app.root.get('/v1/sys/storage/raft/configuration')).body.data
      expect(config.servers).toEqual([
        { node_id: 'test', address: new URL(app.url).host, leader: true, voter: true, protocol_version: '3' },
      ])
      expect((await app.anonymous.get('/v1/sys/ha-status')).status).toBe(403)
    })
  })
})

describe('compatibility endpoints', () => {
  const app = sharedApp()

  test('raft join and remove-peer get 400 with a reason', async () => {
    for (const path of ['join', 'remove-peer']) {
      const answer = await app.root.post(`/v1/sys/storage/raft/${path}`, {})
      expect(answer.status).toBe(400)
      expect(answer.body.errors[0]).toContain('share a database')
    }
  })

  test('raft configuration works with any Host header', async () => {
    for (const host of ['my_server', '[::1]', 'x:65535']) {
      const { status, body } = await app.root.get('/v1/sys/storage/raft/configuration', { headers: { host } })
      expect(status, host).toBe(200)
      expect(body.data.config.servers[0].address).toBe(host)
    }
  })

  test('version-history has one entry, by LIST and by GET', async () => {
    const { data } = (await app.root.list('/v1/sys/version-history')).body
    expect(data.keys).toEqual(['1.21.0+ent'])
    expect(data.key_info['1.21.0+ent']).toMatchObject({ previous_version: null })
    expect((await app.root.get('/v1/sys/version-history')).body.data).toEqual(data)
  })

  test.each(['monitor', 'pprof/heap', 'rekey/init', 'generate-recovery-token/attempt'])(
    'sys/%s is not implemented: 404',
    async (path) => {
      expect((await app.root.get(`/v1/sys/${path}`)).status).toBe(404)
    },
  )

  test('namespaces: listing gets 404, creating and deleting get 404 with the reason', async () => {
    expect(await app.root.list('/v1/sys/namespaces')).toMatchObject({ status: 404, body: { errors: [] } })
    expect((await app.root.get('/v1/sys/namespaces/a')).body).toEqual({ errors: [] })
    for (const verb of ['POST', 'DELETE']) {
      expect(await app.root.send(verb, '/v1/sys/namespaces/a/b')).toMatchObject({
        status: 404,
        body: { errors: ['namespaces are not supported: there is only the root namespace'] },
      })
    }
    expect((await app.anonymous.post('/v1/sys/namespaces/a')).status).toBe(403)
  })

  test('health: status codes can be set by parameters, and an invalid one gets 400', async () => {
    expect(await app.anonymous.get('/v1/sys/health?standbycode=x')).toMatchObject({ status: 400, body: { errors: [] } })
    const overrides = 'activecode=299&uninitcode=299&sealedcode=299&standbycode=299&drsecondarycode=299'
    expect((await app.anonymous.get(`/v1/sys/health?${overrides}`)).status).toBe(299)
    for (const code of [100, 101, 199]) {
      expect((await app.anonymous.get(`/v1/sys/health?activecode=${code}`)).status, String(code)).toBe(200)
    }
    expect((await app.anonymous.send('HEAD', '/v1/sys/health')).text).toBe('')
    const { body } = await app.anonymous.get('/v1/sys/health')
    expect(body).toMatchObject({
      initialized: true,
      sealed: false,
      standby: false,
      performance_standby: false,
      replication_performance_mode: 'disabled',
      replication_dr_mode: 'disabled',
      server_time_utc: Math.floor(app.clock.now() / 1000),
      version: '1.21.0+ent',
      enterprise: true,
      cluster_id: expect.any(String),
      echo_duration_ms: 0,
      clock_skew_ms: 0,
      replication_primary_canary_age_ms: 0,
    })
  })

  test('license/status lists the features of the licence; community has none', async () => {
    const { data } = (await app.root.get('/v1/sys/license/status')).body
    expect(data).toMatchObject({ autoload_used: false, autoloaded: { features: ['automated-snapshots'] } })
    const community = await ownApp({ settings: { license: 'community' } })
    expect((await community.anonymous.get('/v1/sys/health')).body).toMatchObject({ enterprise: false })
    expect((await community.root.get('/v1/sys/license/status')).body.data.autoloaded.features).toEqual([])
  })
})

test('leader: on a sealed server it gets 503 with the messages that clients look for', async () => {
  const app = await ownApp()
  await app.root.post('/v1/sys/seal')
  expect(await app.anonymous.get('/v1/sys/leader')).toMatchObject({
    status: 503,
    body: { errors: ['Holdfast is sealed', 'Vault is sealed'] },
  })
})
