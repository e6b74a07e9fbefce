import { beforeEach, expect, test } from 'vitest'
import { type CertApp, certApp, ownCertApp } from '../../../../../../test/support/cert-login.ts'
import {
  type Minted,
  mintCa,
  mintCrl,
  mintIntermediate,
  mintLeaf,
} from '../../../../../../test/support/certificates.ts'
import type { Client } from '../../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { firstLongSerial, longCrlEntries } from '../../../../../../test/support/long-crl.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'

const selfPath = '/v1/auth/token/lookup-self'
const crlPath = '/v1/auth/cert/crls'

eachEngine((engine) => {
  let app: CertApp
  const { log, text } = recordingLog()
  beforeEach(async () => {
    app = await ownCertApp({ engine, log })
    const policy = 'path "auth/token/create*" { capabilities = ["update", "sudo"] }'
    await app.root.post('/v1/sys/policies/acl/parent', { policy })
    await app.role('web', { certificate: app.ca.pem, token_bind_certificate: true, token_policies: 'parent' })
  })
  const tokenOf = async (leaf: Minted, name = 'web'): Promise<string> =>
    (await app.login(leaf, { name })).body.auth.client_token
  const holderOf = async (leaf: Minted, name = 'web'): Promise<Client> => app.with(leaf, await tokenOf(leaf, name))
  const status = async (holder: Client): Promise<number> => (await holder.get(selfPath)).status
  const write = async (crl: { pem: string }, name = 'list') =>
    expect((await app.root.post(`${crlPath}/${name}`, { crl: crl.pem })).status).toBeLessThan(300)
  const revoke = (leaf: Minted, by = app.ca) => write(mintCrl(by, { revoked: [leaf.serial] }))

  test.each(['service', 'batch'])(
    'bound use: a %s token gets 403 as soon as a list revokes its certificate, and 200 once the list is gone',
    async (type) => {
      await app.role('web', { token_type: type })
      const leaf = app.leaf()
      const holder = await holderOf(leaf)
      const other = await holderOf(app.leaf())
      await write(mintCrl(app.ca), 'empty')
      expect([await status(holder), await status(other)]).toEqual([200, 200])
      await revoke(leaf)
      expect([await status(holder), await status(other)]).toEqual([403, 200])
      expect(text()).toContain("It is on the revocation list 'list'.")
      await app.root.delete(`${crlPath}/list`)
      expect(await status(holder)).toBe(200)
    },
  )

  test('bound use: a token that is not bound to its certificate lives on when a list revokes it', async () => {
    await app.role('web', { token_bind_certificate: false })
    const leaf = app.leaf()
    const holder = await holderOf(leaf)
    await revoke(leaf)
    expect([await status(holder), await status(app.anonymous.as(await tokenOf(app.leaf())))]).toEqual([200, 200])
  })

  test.each(['service', 'batch'])(
    'bound use: a %s child gets 403 with its parent, an orphan does not',
    async (type) => {
      const leaf = app.leaf()
      const holder = await holderOf(leaf)
      const made = async (by: Client, path: string, body = {}) =>
        app.with(leaf, (await by.post(`/v1/auth/token/${path}`, body)).body.auth.client_token)
      const child = await made(holder, 'create')
      const grandchild = await made(child, 'create', { type })
      const orphan = await made(holder, 'create-orphan', { type })
      await write(mintCrl(app.ca), 'empty')
      expect([await status(grandchild), await status(orphan)]).toEqual([200, 200])
      await revoke(leaf)
      expect([await status(grandchild), await status(child), await status(orphan)]).toEqual([403, 403, 200])
    },
  )

  test('bound use: a list written at one node is heeded by the next request at another', async () => {
    const leaf = app.leaf()
    const token = await tokenOf(leaf)
    const other = await certApp({ engine, beside: app })
    try {
      const holder = other.with(leaf, token)
      await write(mintCrl(app.ca), 'empty')
      expect(await status(holder)).toBe(200)
      await revoke(leaf)
      expect(await status(holder)).toBe(403)
    } finally {
      await other.close()
    }
  })

  test('bound use: a revoked intermediate counts if no other path is left', async () => {
    const below = mintIntermediate(app.ca, { commonName: 'Below' })
    const twin = mintIntermediate(app.ca, { commonName: 'Below', key: below.key })
    const leaf = mintLeaf(below)
    const two = { ...leaf, chainPem: leaf.chainPem + twin.pem }
    const [one, both] = [await holderOf(leaf), await holderOf(two)]
    await revoke(below)
    expect([await status(one), await status(both)]).toEqual([403, 200])
    await write(mintCrl(app.ca, { revoked: [twin.serial] }), 'more')
    expect(await status(both)).toBe(403)
  })

  test('bound use: the certificates of a pinning role count as at a login', async () => {
    const leaf = app.leaf()
    await app.role('pin', { certificate: leaf.pem + app.ca.pem, token_bind_certificate: true })
    const holder = await holderOf(leaf, 'pin')
    await revoke(app.ca)
    expect(await status(holder)).toBe(403)
  })

  test.each([
    ['deleted', () => app.root.delete('/v1/auth/cert/certs/web')],
    ['given another CA', () => app.role('web', { certificate: mintCa({ commonName: 'Else' }).pem })],
  ])('bound use: after its role was %s a token works on, unless its certificate is revoked', async (_what, change) => {
    const leaf = app.leaf()
    const [holder, other] = [await holderOf(leaf), await holderOf(app.leaf())]
    await write(mintCrl(app.ca), 'empty')
    expect(await status(holder)).toBe(200)
    await change()
    expect(await status(holder)).toBe(200)
    await revoke(leaf)
    expect([await status(holder), await status(other)]).toEqual([403, 200])
  })

  test('bound use: lists of another mount, and of another root of the same name, do not count', async () => {
    const leaf = app.leaf()
    const holder = await holderOf(leaf)
    await app.root.post('/v1/sys/auth/edge', { type: 'cert' })
    await app.root.post('/v1/auth/edge/crls/list', { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    await revoke(leaf, mintCa({ commonName: 'Client CA' }))
    expect(await status(holder)).toBe(200)
    await app.root.post('/v1/auth/cert/config', { crl_match: 'serial' })
    expect(await status(holder)).toBe(403)
  })

  test('bound use: a long list counts when it has been read in the background', async () => {
    const leaf = app.leaf({ serial: firstLongSerial + 40_000n })
    const token = await tokenOf(leaf)
    const other = await certApp({ engine, beside: app })
    try {
      const holder = other.with(leaf, token)
      const writeLong = async (number: bigint, count: number) => {
        const list = mintCrl(app.ca, { number, revokedDer: longCrlEntries(count), nextUpdate: null })
        const raw = JSON.stringify({ crl: list.der.toString('base64') })
        expect((await app.root.post(`${crlPath}/long`, undefined, { raw })).status).toBe(204)
      }
      await writeLong(1n, 40_000)
      expect(await status(holder)).toBe(200)
      await writeLong(2n, 40_001)
      await expect.poll(() => status(holder)).toBe(403)
    } finally {
      await other.close()
    }
  })

  test('bound use: while a stored list cannot be read a token works on, so that the list can be written again', async () => {
    const leaf = app.leaf()
    const token = await tokenOf(leaf)
    await write(mintCrl(app.ca))
    await app.deps.db
      .updateTable('blob_chunks')
      .set({ bytes: Buffer.from('x') })
      .execute()
    const other = await certApp({ engine, beside: app })
    try {
      expect((await other.login(leaf)).status).toBe(500)
      expect(await status(other.with(leaf, token))).toBe(200)
    } finally {
      await other.close()
    }
  })
})
