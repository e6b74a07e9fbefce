import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type CertApp, certApp, ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { type Minted, mintCa, mintCrl } from '../../../../../../test/support/certificates.ts'
import type { Client } from '../../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { type FileServer, fileServer, type ServedFile } from '../../../../../../test/support/fakes/file-server.ts'
import { serveDuringTest } from '../../../../../../test/support/fakes/loopback.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

import type { GuardLists } from '../../../../../outbound/address-guard.ts'
import * as der from '../../../../../pki/der-writer.ts'
import { refreshDueCrls } from './crl-actions.ts'

const path = '/v1/auth/cert/crls/web'
/** deltaCRLIndicator (RFC 5280 §5.2.4), on list number 2. */
const delta = { oid: '2.5.29.27', critical: true, value: der.integer(2) }
const inMinutes = (app: CertApp, minutes: number): Date => new Date(app.clock.now() + minutes * 60_000)

eachEngine((engine) => {
  let app: CertApp
  let web: FileServer
  let leaf: Minted
  beforeAll(async () => {
    app = await certApp({ engine })
    web = await fileServer()
    await app.role('web', { certificate: app.ca.pem })
    leaf = app.leaf()
  })
  afterAll(async () => {
    await web.close()
    await app.close()
  })
  beforeEach(async () => {
    const { data } = (await app.root.list('/v1/auth/cert/crls')).body
    for (const name of data?.keys ?? []) await app.root.delete(`/v1/auth/cert/crls/${name}`)
  })
  const refresh = (): Promise<void> => refreshDueCrls(app.deps, new AbortController().signal)

  /** Fetches list number 2, which revokes the leaf and is due again after ten minutes. */
  const putInForce = async (): Promise<void> => {
    web.serve({ body: mintCrl(app.ca, { number: 2n, nextUpdate: inMinutes(app, 10), revoked: [leaf.serial] }).der })
    expect((await app.root.post(path, { url: web.url })).status).toBe(204)
  }

  test('crl by url: if the first fetch fails, the write gets 400 and stores nothing', async () => {
    for (const file of [{ status: 404, body: '' }, { body: '<html>' }, { status: 204, body: '' }]) {
      web.serve(file)
      expect((await app.root.post(path, { url: web.url })).status).toBe(400)
    }
    expect((await app.root.list('/v1/auth/cert/crls')).status).toBe(404)
  })

  test('crl by url: a list is enforced at once, refreshed when due, and kept while the server is down', async () => {
    const nextUpdate = inMinutes(app, 10)
    web.serve({ body: mintCrl(app.ca, { nextUpdate }).der })
    expect((await app.root.post(path, { url: web.url })).status).toBe(204)
    expect((await app.root.get(path)).body.data.cdp).toEqual({
      url: web.url,
      valid_until: nextUpdate.toISOString().replace(/\.\d+Z/, 'Z'),
    })
    expect((await app.login(leaf)).status).toBe(200)

    web.serve({ body: mintCrl(app.ca, { number: 2n, nextUpdate: inMinutes(app, 20), revoked: [leaf.serial] }).pem })
    const before = web.hits
    await refresh()
    expect(web.hits).toBe(before)
    app.clock.advance('11m')
    await refresh()
    expect((await app.login(leaf)).status).toBe(400)

    web.serve({ status: 503, body: 'down' })
    app.clock.advance('11m')
    await refresh()
    expect((await app.login(leaf)).status).toBe(400)
    expect((await app.root.get(path)).body.data.last_error).toMatch(/^http:\S+ answered with .*503/)
  })

  test.each([
    ['with a lower number', () => mintCrl(app.ca, { number: 1n })],
    ['of the same number from before', () => mintCrl(app.ca, { number: 2n, thisUpdate: new Date('2026-01-01') })],
    ['without a number from before', () => mintCrl(app.ca, { number: null, thisUpdate: new Date('2026-01-01') })],
    ['of the first version from before', () => mintCrl(app.ca, { version: 1, thisUpdate: new Date('2026-01-01') })],
    ['with a forged signature', () => mintCrl(app.ca, { number: 9n, key: mintCa().key })],
    ['of another issuer', () => mintCrl(mintCa({ commonName: 'Else' }), { number: 9n })],
    ['of changes only', () => mintCrl(app.ca, { number: 9n, extensions: [delta] })],
    ['that cannot be read', () => ({ der: Buffer.from('garbage') })],
  ])('crl by url: a list %s does not replace the one in force', async (_what, make) => {
    await putInForce()
    web.serve({ body: make().der })
    app.clock.advance('11m')
    await refresh()
    expect((await app.login(leaf)).status).toBe(400)
    expect((await app.root.get(path)).body.data).toMatchObject({ number: '2', last_error: expect.any(String) })
  })

  test('crl by url: a list whose stored bytes are lost is stored again by the next refresh', async () => {
    const gone = '/v1/auth/cert/crls/gone'
    web.serve({ body: mintCrl(app.ca, { nextUpdate: inMinutes(app, 10), revoked: [leaf.serial] }).der })
    expect((await app.root.post(gone, { url: web.url })).status).toBe(204)
    await app.deps.db.deleteFrom('blobs').where('scope', 'like', '%/gone').execute()
    const other = await certApp({ engine, beside: app })
    try {
      expect((await other.login(app.leaf())).status).toBe(500)
      app.clock.advance('11m')
      await refreshDueCrls(other.deps, new AbortController().signal)
      expect([(await other.login(app.leaf())).status, (await other.login(leaf)).status]).toEqual([200, 400])
    } finally {
      await other.close()
    }
  })

  test.each([
    ['lost', (upload: string) => app.deps.db.deleteFrom('blobs').where('upload', '=', upload)],
    [
      'damaged',
      (upload: string) =>
        app.deps.db
          .updateTable('blob_chunks')
          .set({ bytes: Buffer.from('x') })
          .where('upload', '=', upload),
    ],
  ])('crl: while the stored bytes of a list are %s, roles and other lists are written as ever', async (_what, harm) => {
    const unknown = mintCa({ commonName: 'Elsewhere' })
    expect((await app.root.post('/v1/auth/cert/crls/gone', { crl: mintCrl(unknown).pem })).status).toBe(200)
    const stored = app.deps.db.selectFrom('blobs').select('upload').where('scope', 'like', '%/gone')
    await harm((await stored.executeTakeFirstOrThrow()).upload).execute()
    const other = await certApp({ engine, beside: app })
    try {
      expect((await other.login(app.leaf())).status).toBe(500)
      expect((await other.root.post('/v1/auth/cert/certs/late', { certificate: unknown.pem })).status).toBe(204)
      expect((await other.root.delete('/v1/auth/cert/certs/late')).status).toBe(204)
      const list = mintCrl(mintCa({ commonName: 'Third' })).pem
      expect((await other.root.post('/v1/auth/cert/crls/third', { crl: list })).status).toBe(200)
    } finally {
      await other.close()
    }
  })

  test('crl by url: a failed fetch sets no last_error on a list that replaced the one fetched', async () => {
    const list = mintCrl(app.ca, { nextUpdate: inMinutes(app, 10) }).der
    web.serve({ body: list })
    let isReplaced = false
    const other = await serveDuringTest(async (_request, response) => {
      if (!isReplaced) return void response.end(list)
      await app.root.post('/v1/auth/cert/crls/raced', { url: web.url })
      response.writeHead(503).end()
    })
    const url = `${other}/`
    expect((await app.root.post('/v1/auth/cert/crls/raced', { url })).status).toBe(204)
    isReplaced = true
    app.clock.advance('11m')
    await refresh()
    const { data } = (await app.root.get('/v1/auth/cert/crls/raced')).body
    expect(data.cdp.url).toBe(web.url)
    expect(data).not.toHaveProperty('last_error')
  })

  test('crl by url: a list replaced by text while it is being fetched is no longer scheduled for refresh', async () => {
    const list = mintCrl(app.ca, { nextUpdate: inMinutes(app, 10) })
    let isReplaced = false
    const other = await serveDuringTest(async (_request, response) => {
      if (isReplaced) await app.root.post('/v1/auth/cert/crls/raced', { crl: list.pem })
      response.end(list.der)
    })
    const url = `${other}/`
    expect((await app.root.post('/v1/auth/cert/crls/raced', { url })).status).toBe(204)
    isReplaced = true
    app.clock.advance('11m')
    await refresh()
    const rows = app.deps.db.selectFrom('cert_crls').select(['url', 'refresh_at']).where('name', '=', 'raced')
    expect(await rows.execute()).toEqual([{ url: '', refresh_at: 0 }])
  })

  test('crl by url: if the mount is removed during the fetch, the write gets 404 and stores nothing', async () => {
    expect((await app.root.post('/v1/sys/auth/passing', { type: 'cert' })).status).toBe(204)
    const list = mintCrl(app.ca).der
    const slow = await serveDuringTest(async (_request, response) => {
      expect((await app.root.delete('/v1/sys/auth/passing')).status).toBe(204)
      response.end(list)
    })
    const url = `${slow}/`
    expect((await app.root.post('/v1/auth/passing/crls/late', { url })).status).toBe(404)
    const { db } = app.deps
    expect(await db.selectFrom('cert_crls').select('name').where('name', '=', 'late').execute()).toEqual([])
    expect(await db.selectFrom('blobs').select('id').where('scope', 'like', 'cert-crl/%/late').execute()).toEqual([])
  })

  test('crl by url: a successful fetch clears last_error and replaces the list', async () => {
    await putInForce()
    web.serve({ status: 503, body: 'down' })
    app.clock.advance('11m')
    await refresh()
    expect((await app.root.get(path)).body.data.last_error).toContain('503')
    web.serve({ body: mintCrl(app.ca, { number: 10n, nextUpdate: null }).der })
    app.clock.advance('11m')
    await refresh()
    const { data } = (await app.root.get(path)).body
    expect(data).toMatchObject({ number: '10', cdp: { valid_until: '0001-01-01T00:00:00Z' } })
    expect(data.last_error).toBeUndefined()
    expect((await app.login(leaf)).status).toBe(200)
  })

  test('crl by url: a list without nextUpdate is fetched at most every five minutes', async () => {
    web.serve({ body: mintCrl(app.ca, { nextUpdate: null }).der })
    expect((await app.root.post(path, { url: web.url })).status).toBe(204)
    const before = web.hits
    app.clock.advance('4m')
    await refresh()
    expect(web.hits).toBe(before)
    app.clock.advance('2m')
    await refresh()
    expect(web.hits).toBe(before + 1)
  })

  test('crl by url: fetching an unchanged list stores no new bytes and clears last_error', async () => {
    const list = mintCrl(app.ca, { nextUpdate: null }).der
    const other = await fileServer({ body: list })
    onTestFinished(() => other.close())
    expect((await app.root.post('/v1/auth/cert/crls/same', { url: other.url })).status).toBe(204)
    const row = () =>
      app.deps.db.selectFrom('cert_crls').selectAll().where('name', '=', 'same').executeTakeFirstOrThrow()
    const before = await row()
    const refreshed = async (file: ServedFile) => {
      other.serve(file)
      app.clock.advance('6m')
      await refresh()
      return await row()
    }
    expect(await refreshed({ status: 503, body: '' })).toMatchObject({ last_error: expect.stringContaining('503') })
    expect(await refreshed({ body: list })).toEqual({ ...before, refresh_at: app.clock.now() + 5 * 60_000 })
    const { blob_id, number } = await refreshed({ body: mintCrl(app.ca, { number: 2n, nextUpdate: null }).der })
    expect([blob_id === before.blob_id, number]).toEqual([false, '2'])
  })

  test('crl by url: a list already past its nextUpdate is fetched again after a minute', async () => {
    const [revoked, nextUpdate] = [app.leaf(), inMinutes(app, -1)]
    web.serve({ body: mintCrl(app.ca, { number: 20n, thisUpdate: inMinutes(app, -9), nextUpdate }).der })
    expect((await app.root.post(`${path}-late`, { url: web.url })).status).toBe(204)
    web.serve({ body: mintCrl(app.ca, { number: 21n, nextUpdate: inMinutes(app, 60), revoked: [revoked.serial] }).der })
    expect((await app.login(revoked)).status).toBe(200)
    app.clock.advance('61s')
    await refresh()
    expect((await app.login(revoked)).status).toBe(400)
  })

  test('crl: if both crl and url are given, the text is stored and nothing is fetched', async () => {
    const before = web.hits
    const crl = mintCrl(app.ca, { number: 11n, revoked: [leaf.serial] }).pem
    expect((await app.root.post(path, { crl, url: web.url })).status).toBe(204)
    expect((await app.root.get(path)).body.data.cdp).toBeNull()
    app.clock.advance('1h')
    await refresh()
    expect(web.hits).toBe(before)
    expect((await app.login(leaf)).status).toBe(400)
  })

  test('crl by url: a deleted list is no longer fetched', async () => {
    web.serve({ body: mintCrl(app.ca, { number: 12n, nextUpdate: null }).der })
    expect((await app.root.post(path, { url: web.url })).status).toBe(204)
    expect((await app.root.delete(path)).status).toBe(204)
    const before = web.hits
    app.clock.advance('1h')
    await refresh()
    expect(web.hits).toBe(before)
  })
})

test.each(['http://169.254.169.254/latest/meta-data', 'http://[fd00:ec2::254]/', 'http://metadata.google.internal./'])(
  'crl by url: %s gets 400 and stores nothing',
  async (url) => {
    const app = await ownCertApp()
    const answer = await app.root.post(path, { url })
    expect(answer.status).toBe(400)
    expect((await app.root.list('/v1/auth/cert/crls')).status).toBe(404)
  },
)

test('crl by url: a redirect to a metadata address and a body above the limit are refused', async () => {
  const app = await certApp({ settings: { crlBytes: 100_000 } })
  const web = await fileServer({ status: 302, body: '', location: 'http://169.254.169.254/' })
  try {
    expect((await app.root.post(path, { url: web.url })).status).toBe(400)
    web.serve({ body: Buffer.alloc(200_000) })
    expect((await app.root.post(path, { url: web.url })).status).toBe(400)
    const tooLong = await app.root.post(path, { crl: 'A'.repeat(200_000) })
    expect(tooLong.status).toBe(413)
  } finally {
    await web.close()
    await app.close()
  }
})

test('crl: a large body gets 403 without a valid token, and costs a limited token one use', async () => {
  const app = await ownCertApp({ limits: { v1BodyBytes: 10_000 } })
  const crl = mintCrl(app.ca, { revoked: Array.from({ length: 1_000 }, (_, index) => BigInt(index + 1)) }).pem
  expect((await app.anonymous.post(path, { crl })).status).toBe(403)
  expect((await app.anonymous.as('hfs.unknown').post(path, { crl })).status).toBe(403)
  expect((await app.anonymous.post(path, undefined, { raw: `{${'x'.repeat(20_000)}` })).status).toBe(403)
  expect((await app.root.post(path, { crl })).status).toBe(200)
  const once = await app.root.post('/v1/auth/token/create', { policies: ['root'], num_uses: 2 })
  const limited = app.anonymous.as(once.body.auth.client_token)
  expect((await limited.post(path, { crl })).status).toBe(200)
  expect((await limited.get('/v1/auth/token/lookup-self')).body.data.num_uses).toBe(-1)
})

test('crl by url: without sudo every failed fetch has one answer, and the log has the reason', async () => {
  const { log, text } = recordingLog()
  const app = await ownCertApp({ log })
  const web = await fileServer()
  onTestFinished(() => web.close())
  const policies = { plain: '["update", "read"]', chief: '["update", "sudo", "read"]' }
  const as = async (name: keyof typeof policies) => {
    const policy = `path "auth/cert/crls/*" { capabilities = ${policies[name]} }`
    await app.root.put(`/v1/sys/policies/acl/${name}`, { policy })
    const { body } = await app.root.post('/v1/auth/token/create', { policies: [name] })
    return app.anonymous.as(body.auth.client_token)
  }
  const answers = async (caller: Client) => {
    const texts: string[] = []
    const files = [{ status: 404, body: '' }, { body: '<html>' }, { body: Buffer.from('3003020101', 'hex') }]
    for (const file of files) {
      web.serve(file)
      texts.push((await caller.post(path, { url: web.url })).text)
    }
    for (const url of ['http://127.0.0.1:9/', 'http://169.254.169.254/', 'http://nowhere.invalid/'])
      texts.push((await caller.post(path, { url })).text)
    return texts
  }
  const [plain, chief] = [await as('plain'), await as('chief')]
  const told = await answers(chief)
  expect(new Set(told).size).toBe(told.length)
  const [one, ...others] = new Set((await answers(plain)).map((each) => each.replace(/"request_id":"[^"]*"/, '')))
  expect([one, others]).toEqual([expect.stringContaining('could not be fetched. The log of the server has'), []])
  expect(text()).toMatch(/ECONNREFUSED.*not fetched/)

  await app.role('web', { certificate: app.ca.pem })
  web.serve({ body: mintCrl(app.ca, { nextUpdate: inMinutes(app, 10) }).der })
  expect((await plain.post(path, { url: web.url })).status).toBeLessThan(300)
  web.serve({ status: 503, body: '' })
  app.clock.advance('11m')
  await refreshDueCrls(app.deps, new AbortController().signal)
  const lastError = async (caller: Client) => (await caller.get(path)).body.data.last_error
  expect([await lastError(plain), await lastError(chief)]).toEqual([
    expect.stringMatching(/^The log of the server/),
    expect.stringContaining('503'),
  ])
})

test('crl by url: server mode calls this machine only where outbound.allow names it', async () => {
  const web = await fileServer()
  onTestFinished(() => web.close())
  const posted = async (options: { readonly outbound?: GuardLists }) => {
    const app = await ownCertApp({ settings: { mode: 'server' }, ...options })
    await app.role('web', { certificate: app.ca.pem })
    web.serve({ body: mintCrl(app.ca).der })
    return await app.root.post(path, { url: web.url })
  }
  const refused = await posted({})
  expect(refused).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('a loopback address')] } })
  expect(web.hits).toBe(0)
  expect((await posted({ outbound: { allow: ['127.0.0.1'] } })).status).toBeLessThan(300)
})
