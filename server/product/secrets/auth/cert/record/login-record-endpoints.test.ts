import { describe, expect, test } from 'vitest'
import { type CertApp, ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintIntermediate, mintLeaf } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { finishRemovals } from '../../../../../../test/support/removals.ts'
import { refusalsPerMinute } from './login-record.ts'
import { recordLogin, trimRecord, writeRecord } from './login-record-actions.ts'
import { countRows } from './login-record-store.ts'

const logins = async (app: CertApp, query = '') => {
  const { body, status } = await app.root.get(`/v1/auth/cert/logins${query}`)
  expect(status).toBe(200)
  return body.data.logins
}

/** Goes on to where a minute begins. */
const toFullMinute = ({ clock }: CertApp) => clock.advance(`${60 - (Math.floor(clock.now() / 1_000) % 60)}s`)

/** A refusal as a login would note it. */
const refusal = (mountId: string, digest: string) => ({
  key: { mountId, accepted: false, role: 'web', digest, anchor: '', reason: 'signature' },
  leaf: undefined,
  request: { certificate: undefined, remoteAddress: '192.0.2.1' },
  text: 'The signature is wrong.',
})

eachEngine((engine) => {
  describe('record of logins', () => {
    test('is for those who may read it', async () => {
      const app = await ownCertApp({ engine })
      expect((await app.anonymous.get('/v1/auth/cert/logins')).status).toBe(403)
      expect((await app.anonymous.get('/v1/auth/cert/logins/x')).status).toBe(403)
      expect((await app.anonymous.get('/v1/auth/cert/clients')).status).toBe(403)
    })

    test('has accepted and refused logins with who and why, and never a token', async () => {
      const app = await ownCertApp({ engine })
      await app.role('web', { certificate: app.ca.pem, allowed_common_names: 'web-*' })
      const good = app.leaf({ commonName: 'web-1', dns: ['web-1.example'] })
      const { body } = await app.login(good)
      app.clock.advance('1s')
      expect((await app.login(app.leaf({ commonName: 'db-1' }))).status).toBe(400)
      const found = await logins(app)
      expect(found).toEqual([
        expect.objectContaining({ accepted: false, role: 'web', reason: 'allowed_common_names', common_name: 'db-1' }),
        expect.objectContaining({ accepted: true, role: 'web', reason: '', common_name: 'web-1', count: 1 }),
      ])
      expect(found[0]).toMatchObject({ remote_address: '127.0.0.1', detail: expect.stringContaining('db-1') })
      expect(found[1]).toMatchObject({ names: ['web-1.example'], serial: expect.stringMatching(/^\d+$/) })
      expect(found[1].trusted_by).toMatch(/^[0-9a-f]{64}$/)
      expect(JSON.stringify(found)).not.toContain(body.auth.client_token)
    })

    test('keeps names and serial numbers sealed', async () => {
      const app = await ownCertApp({ engine })
      await app.role('web', { certificate: app.ca.pem, allowed_common_names: 'web-*' })
      await app.login(app.leaf({ commonName: 'very-secret-name', serial: 1234567890123n }))
      await writeRecord(app.deps)
      const rows = await app.deps.db.selectFrom('cert_logins').selectAll().execute()
      const stored = rows.map((row) => Object.values(row).map((value) => Buffer.from(String(value)).toString('latin1')))
      expect(rows).toHaveLength(1)
      const bytes = Buffer.concat(rows.flatMap(({ facts, chain }) => [facts, chain ?? new Uint8Array()]))
      for (const text of ['very-secret-name', '1234567890123', 'BEGIN CERTIFICATE']) {
        expect(JSON.stringify(stored)).not.toContain(text)
        expect(bytes.includes(text)).toBe(false)
      }
    })

    test('is narrowed by verdict, role, certificate, reason and time, and read page by page', async () => {
      const app = await ownCertApp({ engine })
      await app.role('Web', { certificate: app.ca.pem, allowed_common_names: 'web-*' })
      const leaf = app.leaf({ commonName: 'web-1' })
      for (let at = 0; at < 3; at++) {
        await app.login(leaf)
        await app.login(app.leaf({ commonName: `db-${at}` }), { name: 'WEB' })
        app.clock.advance('1m')
      }
      expect(await logins(app)).toHaveLength(6)
      expect(await logins(app, '?verdict=accepted')).toHaveLength(3)
      expect(await logins(app, '?verdict=refused&role=wEB')).toHaveLength(3)
      expect(await logins(app, '?reason=allowed_common_names')).toHaveLength(3)
      const [{ fingerprint, id }] = await logins(app, '?verdict=accepted')
      expect(await logins(app, `?fingerprint=${fingerprint.toUpperCase()}`)).toHaveLength(3)
      expect(await logins(app, '?since=90s')).toHaveLength(2)
      expect((await app.root.get('/v1/auth/cert/logins?verdict=other')).status).toBe(400)
      const first = (await app.root.get('/v1/auth/cert/logins?limit=4')).body.data
      expect(first.next).toBe(first.logins[3].id)
      const second = (await app.root.get(`/v1/auth/cert/logins?limit=4&after=${first.next}`)).body.data
      expect([second.logins.length, second.next]).toEqual([2, ''])
      expect((await app.root.get(`/v1/auth/cert/logins/${id}`)).body.data).toMatchObject({ id, certificate: '' })
      expect((await app.root.get('/v1/auth/cert/logins/none')).status).toBe(404)
    })

    test('counts equal logins of one minute in one row', async () => {
      const app = await ownCertApp({ engine })
      await app.role('web', { certificate: app.ca.pem, allowed_common_names: 'web-*' })
      const stranger = app.leaf({ commonName: 'db-1' })
      toFullMinute(app)
      for (let at = 0; at < 3; at++) await app.login(stranger)
      expect(await logins(app)).toEqual([expect.objectContaining({ count: 3 })])
      await app.login(stranger)
      expect(await logins(app)).toEqual([expect.objectContaining({ count: 4 })])
      app.clock.advance('1m')
      await app.login(stranger)
      expect((await logins(app)).map(({ count }: { count: number }) => count)).toEqual([1, 4])
    })

    test('names a request without a certificate as one', async () => {
      const app = await ownCertApp({ engine })
      expect((await app.anonymous.post('/v1/auth/cert/login', { name: 'web' })).status).toBe(400)
      expect(await logins(app)).toEqual([expect.objectContaining({ reason: 'no-tls', role: 'web', fingerprint: '' })])
    })

    test('only counts the refusals of a minute that are too many', async () => {
      const app = await ownCertApp({ engine })
      const { id } = (await app.deps.mounts.find('auth/cert/')) ?? { id: '' }
      toFullMinute(app)
      for (let at = 0; at < refusalsPerMinute + 20; at++) recordLogin(app.deps, refusal(id, `digest-${at}`))
      const found = await logins(app, '?limit=500')
      expect(found).toHaveLength(refusalsPerMinute + 1)
      const rest = found.find(({ fingerprint }: { fingerprint: string }) => fingerprint === '')
      expect(rest).toMatchObject({ count: 20, role: '', reason: 'signature', remote_address: '' })
    })

    test('lists each certificate that logged in once, the last one first', async () => {
      const app = await ownCertApp({ engine })
      await app.role('web', { certificate: app.ca.pem })
      const [one, two] = [app.leaf({ commonName: 'one' }), app.leaf({ commonName: 'two' })]
      for (const leaf of [one, two, one]) {
        await app.login(leaf)
        app.clock.advance('1m')
      }
      const { clients } = (await app.root.get('/v1/auth/cert/clients?role=web&since=24h')).body.data
      expect(clients).toEqual([
        expect.objectContaining({ common_name: 'one', logins: 2 }),
        expect.objectContaining({ common_name: 'two', logins: 1 }),
      ])
      const of = async (digest: string) =>
        (await app.root.get(`/v1/auth/cert/clients?trusted_by=${digest}`)).body.data.clients.length
      expect(await of(clients[0].trusted_by)).toBe(2)
      expect(await of('0'.repeat(64))).toBe(0)
    })

    test('keeps to its bounds of days and rows, refusals to a quarter of them', async () => {
      const app = await ownCertApp({ engine, settings: { loginRecord: { days: 2, entries: 8 } } })
      const { id } = (await app.deps.mounts.find('auth/cert/')) ?? { id: '' }
      const accepted = (digest: string) => ({ ...refusal(id, digest).key, accepted: true, reason: '' })
      for (let at = 0; at < 10; at++) {
        recordLogin(app.deps, refusal(id, `digest-${at}`))
        recordLogin(app.deps, { ...refusal(id, ''), key: accepted(`digest-${at}`) })
        app.clock.advance('1s')
      }
      await writeRecord(app.deps)
      await trimRecord(app.deps)
      expect(await countRows(app.deps.db)).toEqual({ accepted: 6, refused: 2 })
      expect((await logins(app, '?verdict=refused')).map((row: { fingerprint: string }) => row.fingerprint)).toEqual([
        'digest-9',
        'digest-8',
      ])
      app.clock.advance('48h')
      await trimRecord(app.deps)
      expect(await countRows(app.deps.db)).toEqual({ accepted: 0, refused: 0 })
    })

    test('goes away with its mount', async () => {
      const app = await ownCertApp({ engine })
      await app.login(app.leaf())
      const { id } = (await app.deps.mounts.find('auth/cert/')) ?? { id: '' }
      await writeRecord(app.deps)
      expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
      recordLogin(app.deps, refusal(id, 'late'))
      await writeRecord(app.deps)
      const rows = app.deps.db.selectFrom('cert_logins').select('digest')
      expect(await rows.where('digest', '=', 'late').execute()).toEqual([])
      await finishRemovals(app)
      expect(await rows.execute()).toEqual([])
    })

    test('is not kept where the settings say so', async () => {
      const app = await ownCertApp({ engine, settings: { loginRecord: { days: 30, entries: 0 } } })
      await app.login(app.leaf())
      expect(await logins(app)).toEqual([])
    })

    test('lets a refused login be explained by its certificates and address', async () => {
      const app = await ownCertApp({ engine })
      const below = mintIntermediate(app.ca, { commonName: 'Below' })
      await app.role('web', { certificate: app.ca.pem, allowed_common_names: 'web-*', token_bound_cidrs: '127.0.0.1' })
      await app.login(mintLeaf(below, { commonName: 'db-1' }))
      const [{ id }] = await logins(app)
      const { data } = (await app.root.post('/v1/auth/cert/explain', { login: id })).body
      expect(data.chain.map(({ subject }: { subject: string }) => subject)).toEqual(['CN=db-1', 'CN=Below'])
      expect(data.roles[0]).toMatchObject({ role: 'web', accepted: false })
      const failed = data.roles[0].checks.filter(({ ok }: { ok: boolean }) => !ok)
      expect(failed.map(({ check }: { check: string }) => check)).toEqual(['allowed_common_names'])
      expect(data.roles[0].links.map(({ sent, trusted }: Record<string, boolean>) => [sent, trusted])).toEqual([
        [true, false],
        [true, false],
        [false, true],
      ])
      expect((await app.root.post('/v1/auth/cert/explain', { login: 'none' })).status).toBe(400)
    })

    test('explains a recorded login to nobody who may not read it', async () => {
      const app = await ownCertApp({ engine })
      await app.role('web', { certificate: mintCa().pem })
      await app.login(app.leaf())
      const [{ id }] = await logins(app)
      const allow = async (name: string, policy: string) => {
        await app.root.put(`/v1/sys/policies/acl/${name}`, { policy })
        const { body } = await app.root.post('/v1/auth/token/create', { policies: [name] })
        return app.anonymous.as(body.auth.client_token)
      }
      const explains = 'path "auth/cert/explain" { capabilities = ["update"] }'
      const reads = 'path "auth/cert/logins/*" { capabilities = ["read"] }'
      const ask = { login: id }
      expect((await (await allow('explains', explains)).post('/v1/auth/cert/explain', ask)).status).toBe(403)
      expect((await (await allow('both', `${explains}\n${reads}`)).post('/v1/auth/cert/explain', ask)).status).toBe(200)
    })
  })
})
