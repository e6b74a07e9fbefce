import { beforeAll, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../test/support/cert-login.ts'
import { mintCa, mintCrl } from '../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { serveDuringTest } from '../../../../../test/support/fakes/loopback.ts'
import { findCrl } from './crls/crl-store.ts'
import { findRole } from './roles/role-store.ts'

const list = '/v1/auth/cert/crls/web'
const roles = '/v1/auth/cert/certs'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  let mountId: string
  beforeAll(async () => {
    await app.role('web', { certificate: app.ca.pem })
    const row = await app.deps.db.selectFrom('mounts').select('id').where('path', '=', 'auth/cert/').executeTakeFirst()
    mountId = row?.id ?? ''
  })

  /** A server that gives the list to whoever knows the password. */
  async function guardedList(): Promise<{ url: string; logins: () => (string | undefined)[] }> {
    const logins: (string | undefined)[] = []
    const origin = await serveDuringTest((request, response) => {
      logins.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === basic ? 200 : 401)
      response.end(request.headers.authorization === basic ? mintCrl(app.ca).der : '')
    })
    return { url: `${origin.replace('//', '//me:hunter2@')}/list.crl?token=hunter2`, logins: () => logins.splice(0) }
  }
  const basic = `Basic ${Buffer.from('me:hunter2').toString('base64')}`

  test('crl: its URL is read without credentials, and keeps them when it is written as it was read', async () => {
    const { url, logins } = await guardedList()
    expect((await app.root.post(list, { url })).status).toBe(204)
    const read = await app.root.get(list)
    expect(read.body.data.cdp.url).toBe(url.replace('me:hunter2', 'me:[redacted]').replace('=hunter2', '=[redacted]'))
    expect(read.text).not.toContain('hunter2')
    logins()
    expect((await app.root.post(list, { url: read.body.data.cdp.url })).status).toBe(204)
    expect(logins()).toEqual([basic])
    expect((await findCrl(app.deps.db, { mountId, name: 'web' }))?.url).toBe(url)
  })

  test('crl: the credentials of its URL go to no other address, and stay as they are', async () => {
    const [known, stranger] = [await guardedList(), await guardedList()]
    expect((await app.root.post(list, { url: known.url })).status).toBe(204)
    known.logins()
    for (const url of [stranger.url, known.url.replace('me:', 'you:'), known.url.replace('list.crl', 'x.crl')]) {
      const hidden = url.replaceAll('hunter2', '[redacted]')
      const answer = await app.root.post(list, { url: hidden })
      expect(answer).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('with its credentials')] } })
    }
    expect(
      (await app.root.post('/v1/auth/cert/crls/new', { url: known.url.replaceAll('hunter2', '[redacted]') })).status,
    ).toBe(400)
    expect([stranger.logins(), known.logins()]).toEqual([[], []])
    expect((await findCrl(app.deps.db, { mountId, name: 'web' }))?.url).toBe(known.url)
    const wrong = await app.root.post(list, { url: known.url.replace('me:hunter2', 'me:wrong') })
    expect(wrong.status).toBe(400)
    expect(wrong.text).not.toMatch(/hunter2|wrong/)
  })

  const servers = [
    'https://me:hunter2@ocsp.example.com/a',
    'http://plain.example.com',
    'https://me:other2@ocsp.example.com/a',
  ]
  const shown = [servers[0]?.replace('hunter2', '[redacted]'), servers[1], servers[2]?.replace('other2', '[redacted]')]
  const stored = async () => (await findRole(app.deps.db, mountId, 'ocsp'))?.ocspServersOverride
  const write = (body: object) => app.root.post(`${roles}/ocsp`, body)

  test('ocsp: servers are read without credentials, and keep them when written as they were read', async () => {
    await write({ certificate: app.ca.pem, ocsp_servers_override: servers })
    const read = await app.root.get(`${roles}/ocsp`)
    expect(read.body.data.ocsp_servers_override).toEqual(shown)
    expect(read.text).not.toMatch(/hunter2|other2/)
    for (const body of [read.body.data, { ocsp_servers_override: shown }, { token_ttl: 60 }]) {
      expect((await write(body)).status).toBeLessThan(300)
      expect(await stored()).toEqual(servers)
    }
    expect((await write({ ocsp_servers_override: shown.slice(1, 2) })).status).toBeLessThan(300)
    expect(await stored()).toEqual(servers.slice(1, 2))
  })

  test('ocsp: credentials are used with no other address and no other trusted CA', async () => {
    await write({ certificate: app.ca.pem, ocsp_servers_override: servers })
    const cas = { ocsp_ca_certificates: mintCa().pem }
    for (const body of [
      { ocsp_servers_override: ['https://me:[redacted]@elsewhere.example.com/a'] },
      { ocsp_servers_override: ['http://me:[redacted]@ocsp.example.com/a'] },
      { ocsp_servers_override: shown, ...cas },
      cas,
    ]) {
      const answer = await write(body)
      expect(answer).toMatchObject({
        status: 400,
        body: { errors: [expect.stringContaining('must be sent with the credentials')] },
      })
      expect(await stored()).toEqual(servers)
    }
    expect((await write({ ocsp_servers_override: servers, ...cas })).status).toBeLessThan(300)
    expect((await write({ ocsp_servers_override: servers.slice(1, 2) })).status).toBeLessThan(300)
    expect((await write({ ocsp_ca_certificates: '' })).status).toBeLessThan(300)
  })

  test('ocsp: a refused server is named without its credentials', async () => {
    const answer = await write({ ocsp_servers_override: ['ftp://me:hunter2@ocsp.example.com'] })
    expect(answer.body.errors).toEqual([expect.stringContaining("'ftp://me:[redacted]@ocsp.example.com'")])
  })
})
