import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import {
  type Minted,
  mintCa,
  mintCrl,
  mintIntermediate,
  mintLeaf,
} from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import * as der from '../../../../../pki/der-writer.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { findCrl, noteSigner, swapCrl } from './crl-store.ts'

const path = '/v1/auth/cert/crls'

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  let leaf: Minted
  beforeAll(async () => {
    await app.role('web', { certificate: app.ca.pem })
    leaf = app.leaf()
  })
  beforeEach(async () => {
    const names: string[] = (await app.root.list(path)).body.data?.keys ?? []
    for (const name of names) await app.root.delete(`${path}/${name}`)
  })

  const write = async (name: string, body: Record<string, unknown>, status = 204): Promise<void> => {
    const answer = await app.root.post(`${path}/${name}`, body)
    expect(answer.status, answer.text).toBe(status)
  }

  test('crl: a revoked certificate is refused with 400 until the list is deleted', async () => {
    expect((await app.login(leaf)).status).toBe(200)
    await write('web', { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    expect((await app.login(leaf)).status).toBe(400)
    expect((await app.login(app.leaf())).status).toBe(200)
    expect((await app.root.get(`${path}/web`)).body.data).toMatchObject({
      serials: { [String(leaf.serial)]: {} },
      cdp: null,
      issuer: 'CN=Client CA',
      signature_verified: true,
      number: '1',
    })
    expect((await app.root.delete(`${path}/web`)).status).toBe(204)
    expect((await app.login(leaf)).status).toBe(200)
  })

  test('crl: a login over a kept-alive connection gets 400 once the certificate is revoked', async () => {
    const client = app.with(leaf)
    expect((await client.post('/v1/auth/cert/login')).status).toBe(200)
    await write('web', { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    expect((await client.post('/v1/auth/cert/login')).status).toBe(400)
  })

  test('crl: PEM with text around it, base64 of DER, and an empty list are stored', async () => {
    const { pem, der } = mintCrl(app.ca, { revoked: [leaf.serial], number: 2n })
    await write('text', { crl: `issued today\n${pem}\n` })
    await write('base64', { crl: der.toString('base64') })
    await write('empty', { crl: mintCrl(app.ca).pem })
    expect((await app.root.get(`${path}/base64`)).body.data.serials).toEqual({ [String(leaf.serial)]: {} })
    expect((await app.root.get(`${path}/empty`)).body.data.serials).toEqual({})
    expect((await app.root.list(path)).body.data.keys).toEqual(['base64', 'empty', 'text'])
  })

  test.each([
    ['neither field', {}],
    ['both empty', { crl: '', url: '' }],
    ['garbage', { crl: 'no list at all' }],
    ['a certificate', { crl: mintCa().pem }],
    [
      'a list cut short',
      {
        crl: mintCrl(mintCa(), { revoked: [1n] })
          .der.subarray(0, 60)
          .toString('base64'),
      },
    ],
    ['something that is no address', { url: 'list.crl' }],
    ['an address of another scheme', { url: 'file:///etc/passwd' }],
  ])('crl: %s gets 400 and stores nothing', async (_what, body) => {
    await write('bad', body, 400)
    expect((await app.root.list(path)).status).toBe(404)
  })

  test('crl: a certificate sent in place of a list gets an error naming the missing PEM block', async () => {
    const { body } = await app.root.post(`${path}/mistaken`, { crl: app.ca.pem })
    expect(body.errors[0]).toContain('no PEM block named X509 CRL')
  })

  test('crl: reading or deleting an unknown list gets 400; listing an empty collection gets 404', async () => {
    expect(await app.root.get(`${path}/none`)).toMatchObject({ status: 400, body: { errors: ['no such CRL'] } })
    expect(await app.root.delete(`${path}/none`)).toMatchObject({ status: 400, body: { errors: ['no such CRL'] } })
    expect(await app.root.list(path)).toMatchObject({ status: 404, body: { errors: [] } })
  })

  test('crl: names are case-insensitive, and a list keeps the spelling it was first written with', async () => {
    await write('Web', { crl: mintCrl(app.ca).pem })
    await write('wEB', { crl: mintCrl(app.ca, { revoked: [leaf.serial], number: 2n }).pem })
    expect((await app.root.get(`${path}/web`)).body.data.serials).toEqual({ [String(leaf.serial)]: {} })
    expect((await app.root.list(path)).body.data.keys).toEqual(['Web'])
  })

  test('crl: serial numbers of any size, zero and negative ones are stored exactly', async () => {
    const serials = [2n ** 159n - 1n, 2n ** 64n + 1n, 9007199254740993n, -5n, 0n]
    await write('big', { crl: mintCrl(app.ca, { revoked: serials }).pem })
    const read = await app.root.get(`${path}/big`)
    expect(Object.keys(read.body.data.serials).sort()).toEqual(serials.map(String).sort())
    const big = app.leaf({ serial: 2n ** 159n - 1n })
    expect((await app.login(big)).status).toBe(400)
  })

  test('crl: revoking the anchor, an intermediate or a pinned certificate refuses logins based on it', async () => {
    const intermediate = mintIntermediate(app.ca, { commonName: 'Below' })
    const below = mintLeaf(intermediate)
    const pinned = mintLeaf(mintCa({ commonName: 'Elsewhere' }))
    await app.role('pinned', { certificate: pinned.pem })
    expect((await app.login(below)).status).toBe(200)
    expect((await app.login(pinned)).status).toBe(200)
    await write('anchor', { crl: mintCrl(app.ca, { revoked: [app.ca.serial] }).pem })
    expect((await app.login(below)).status).toBe(400)
    expect((await app.login(leaf)).status).toBe(400)
    await app.root.delete(`${path}/anchor`)
    await write('middle', { crl: mintCrl(app.ca, { revoked: [intermediate.serial] }).pem })
    expect((await app.login(below)).status).toBe(400)
    expect((await app.login(leaf)).status).toBe(200)
    const issuer = mintCa({ commonName: 'Elsewhere' })
    await write('pinned', { crl: mintCrl(issuer, { revoked: [pinned.serial], authorityKeyId: null }).pem }, 200)
    expect((await app.login(pinned)).status).toBe(400)
  })

  test('crl: with two intermediates of one key and one of them revoked, a login over the other gets 200', async () => {
    const old = mintIntermediate(app.ca, { commonName: 'Twice' })
    const renewed = mintIntermediate(app.ca, { commonName: 'Twice', key: old.key })
    const below = mintLeaf(old)
    await write('old', { crl: mintCrl(app.ca, { revoked: [old.serial] }).pem })
    const both = { chainPem: `${below.pem}${old.pem}${renewed.pem}`, keyPem: below.keyPem }
    expect((await app.login(both)).status).toBe(200)
    expect((await app.login(below)).status).toBe(400)
  })

  test('crl: a list revokes serial numbers of its own issuer only, unless crl_match is serial', async () => {
    const other = mintCa({ commonName: 'Other CA' })
    await app.role('other', { certificate: other.pem })
    const [mine, theirs] = [app.leaf({ serial: 5n }), mintLeaf(other, { serial: 5n })]
    await write('other', { crl: mintCrl(other, { revoked: [5n] }).pem })
    expect([(await app.login(mine)).status, (await app.login(theirs)).status]).toEqual([200, 400])
    expect((await app.root.post('/v1/auth/cert/config', { crl_match: 'serial' })).status).toBe(204)
    expect([(await app.login(mine)).status, (await app.login(theirs)).status]).toEqual([400, 400])
    expect((await app.root.post('/v1/auth/cert/config', { crl_match: 'issuer' })).status).toBe(204)
    expect((await app.login(mine)).status).toBe(200)
  })

  test('crl: a list does not revoke certificates of another root with the same name and another key', async () => {
    const twin = mintCa({ commonName: 'Client CA' })
    await app.role('twin', { certificate: twin.pem })
    const [mine, theirs] = [app.leaf({ serial: 77n }), mintLeaf(twin, { serial: 77n })]
    await write('twin', { crl: mintCrl(twin, { revoked: [77n] }).pem })
    expect([(await app.login(mine)).status, (await app.login(theirs)).status]).toEqual([200, 400])
  })

  test('crl: after a key rollover a list signed with one key revokes certificates issued with the other', async () => {
    const [old, next] = [mintCa({ commonName: 'Rolled' }), mintCa({ commonName: 'Rolled' })]
    // RFC 4210 §4.4: the old key certified by the new one, and the other way round.
    const oldWithNew = mintIntermediate(next, { commonName: 'Rolled', key: old.key })
    const newWithOld = mintIntermediate(old, { commonName: 'Rolled', key: next.key })
    const [byOld, byNew] = [mintLeaf(oldWithNew), mintLeaf(newWithOld)]
    await app.role('trusts-new', { certificate: next.pem })
    expect((await app.login(byOld)).status).toBe(200)
    await write('rolled', { crl: mintCrl(next, { revoked: [byOld.serial] }).pem })
    expect((await app.login(byOld)).status).toBe(400)

    await app.root.delete('/v1/auth/cert/certs/trusts-new')
    await app.role('trusts-old', { certificate: old.pem })
    expect((await app.login(byNew)).status).toBe(200)
    await app.root.delete(`${path}/rolled`)
    await write('rolled', { crl: mintCrl(old, { revoked: [byNew.serial] }).pem })
    expect((await app.login(byNew)).status).toBe(400)
    await app.root.delete('/v1/auth/cert/certs/trusts-old')
  })

  test('crl: a bad signature of a known issuer gets 400; a list of an unknown issuer is unverified', async () => {
    const forger = mintCa({ commonName: 'Client CA' })
    const forged = mintCrl(app.ca, { revoked: [leaf.serial], key: forger.key })
    await write('forged', { crl: forged.pem }, 400)
    expect((await app.login(leaf)).status).toBe(200)
    const stranger = mintCa({ commonName: 'Stranger' })
    await write('stranger', { crl: mintCrl(stranger, { revoked: [1n] }).pem }, 200)
    expect((await app.root.get(`${path}/stranger`)).body.data).toMatchObject({
      signature_verified: false,
      in_force: false,
      issuer: 'CN=Stranger',
    })
  })

  test('crl: a list of a CA that no role trusts is stored with a warning, and is in force as soon as one does', async () => {
    const late = mintCa({ commonName: 'Late CA' })
    const [revoked, fine] = [mintLeaf(late), mintLeaf(late)]
    const { status, body } = await app.root.post(`${path}/late`, {
      crl: mintCrl(late, { revoked: [revoked.serial] }).pem,
    })
    const warning = "The list is not in force: no role trusts its issuer, 'CN=Late CA'."
    expect([status, body.warnings]).toEqual([200, [expect.stringContaining(warning)]])
    expect((await app.root.get(`${path}/late`)).body.data).toMatchObject({ signature_verified: false, in_force: false })
    await app.role('late', { certificate: late.pem })
    expect((await app.root.get(`${path}/late`)).body.data).toMatchObject({ signature_verified: true, in_force: true })
    expect([(await app.login(revoked)).status, (await app.login(fine)).status]).toEqual([400, 200])
    await app.root.delete('/v1/auth/cert/certs/late')
    expect((await app.root.get(`${path}/late`)).body.data.in_force).toBe(false)
  })

  test('crl: where lists revoke by serial number alone, one of an unknown CA is in force', async () => {
    await app.root.post('/v1/auth/cert/config', { crl_match: 'serial' })
    await write('any', { crl: mintCrl(mintCa({ commonName: 'Any CA' }), { revoked: [leaf.serial] }).pem })
    expect((await app.root.get(`${path}/any`)).body.data.in_force).toBe(true)
    expect((await app.login(leaf)).status).toBe(400)
    await app.root.post('/v1/auth/cert/config', { crl_match: 'issuer' })
    expect((await app.root.get(`${path}/any`)).body.data.in_force).toBe(false)
    expect((await app.login(leaf)).status).toBe(200)
  })

  test('crl: a list whose issuer is a root of the name of a trusted one, with another key, is not in force', async () => {
    const namesake = mintCa({ commonName: 'Client CA' })
    await write('namesake', { crl: mintCrl(namesake, { revoked: [leaf.serial] }).pem }, 200)
    expect((await app.root.get(`${path}/namesake`)).body.data.in_force).toBe(false)
    expect((await app.login(leaf)).status).toBe(200)
  })

  test.runIf(engine === 'postgres')(
    'crl: a list stored while a role begins to trust its CA ends up verified',
    async () => {
      const late = mintCa({ commonName: 'Late CA' })
      const isHeld = Promise.withResolvers<void>()
      const isWritten = Promise.withResolvers<void>()
      const holding = inTransaction(app.deps.db, async (tx) => {
        await sql`lock table blobs in exclusive mode`.execute(tx)
        isHeld.resolve()
        await isWritten.promise
      })
      await isHeld.promise
      const waiting = sql<{ pid: number }>`select pid from pg_locks where relation = 'blobs'::regclass and not granted`
      const writing = write('late', { crl: mintCrl(late).pem })
      await expect.poll(async () => (await waiting.execute(app.deps.db)).rows).toHaveLength(1)
      await app.role('late', { certificate: late.pem })
      isWritten.resolve()
      await Promise.all([holding, writing])
      expect((await app.root.get(`${path}/late`)).body.data).toMatchObject({ signature_verified: true, in_force: true })
      await app.root.delete('/v1/auth/cert/certs/late')
    },
  )

  test('crl: a forged list goes out of force, with a warning, once a role trusts its CA', async () => {
    const [late, forger] = [mintCa({ commonName: 'Late CA' }), mintCa({ commonName: 'Late CA' })]
    const victim = mintLeaf(late)
    await write('forged', { crl: mintCrl(late, { revoked: [victim.serial], key: forger.key }).pem }, 200)
    const written = await app.role('late', { certificate: late.pem })
    expect(written.body.warnings).toEqual([expect.stringContaining("'forged' is not in force")])
    const { data } = (await app.root.get(`${path}/forged`)).body
    expect(data).toMatchObject({ signature_verified: false, in_force: false })
    expect(data.last_error).toContain('signature')
    expect((await app.login(victim)).status).toBe(200)
    await write('forged', { crl: mintCrl(late, { revoked: [victim.serial] }).pem })
    expect((await app.root.get(`${path}/forged`)).body.data).toMatchObject({ signature_verified: true, in_force: true })
    expect((await app.login(victim)).status).toBe(400)
    await app.root.delete('/v1/auth/cert/certs/late')
  })

  test('crl: a list out of force is in force again once a role trusts the CA that signed it', async () => {
    const [namesake, own] = [mintCa({ commonName: 'Twin CA' }), mintCa({ commonName: 'Twin CA' })]
    const revoked = mintLeaf(own)
    await write('twin', { crl: mintCrl(own, { revoked: [revoked.serial], authorityKeyId: null }).pem }, 200)
    await app.role('namesake', { certificate: namesake.pem })
    expect((await app.root.get(`${path}/twin`)).body.data.in_force).toBe(false)
    await app.role('own', { certificate: own.pem })
    const { data } = (await app.root.get(`${path}/twin`)).body
    expect(data).toMatchObject({ signature_verified: true, in_force: true })
    expect(data).not.toHaveProperty('last_error')
    expect((await app.login(revoked)).status).toBe(400)
    for (const role of ['namesake', 'own']) await app.root.delete(`/v1/auth/cert/certs/${role}`)
  })

  test('crl: a list counts again once no role trusts another CA of that name', async () => {
    const own = mintIntermediate(app.ca, { commonName: 'Named twice' })
    const revoked = mintLeaf(own)
    await write('twice', { crl: mintCrl(own, { revoked: [revoked.serial], authorityKeyId: null }).pem }, 200)
    expect((await app.login(revoked)).status).toBe(400)
    await app.role('namesake', { certificate: mintCa({ commonName: 'Named twice' }).pem })
    expect((await app.root.get(`${path}/twice`)).body.data.last_error).toContain('signature')
    await app.root.delete('/v1/auth/cert/certs/namesake')
    expect((await app.root.get(`${path}/twice`)).body.data).not.toHaveProperty('last_error')
    expect((await app.login(revoked)).status).toBe(400)
  })

  test('crl: an indirect list revokes certificates of the issuer its entries name and of no other issuer', async () => {
    const other = mintCa({ commonName: 'Spoken for' })
    await app.role('spoken', { certificate: other.pem })
    const [mine, theirs] = [app.leaf({ serial: 909n }), mintLeaf(other, { serial: 909n })]
    const named = { oid: '2.5.29.29', critical: true, value: der.sequence(der.explicitTag(4, other.name)) }
    const scope = { oid: '2.5.29.28', critical: true, value: der.sequence(der.implicitTag(4, Buffer.from([0xff]))) }
    const list = mintCrl(app.ca, { revoked: [{ serial: 909n, extensions: [named] }], extensions: [scope] })
    await write('indirect', { crl: list.pem })
    expect([(await app.login(mine)).status, (await app.login(theirs)).status]).toEqual([200, 400])
    expect((await app.root.get(`${path}/indirect`)).body.data).toMatchObject({ serials: { 909: {} }, entries: 1 })
    await app.root.delete('/v1/auth/cert/certs/spoken')
  })

  test('crl: a delta list revokes in addition to its base and is stored with a warning', async () => {
    const delta = { oid: '2.5.29.27', critical: true, value: der.integer(1) }
    const [old, young] = [app.leaf(), app.leaf()]
    await write('base', { crl: mintCrl(app.ca, { revoked: [old.serial] }).pem })
    const changes = mintCrl(app.ca, { number: 2n, revoked: [young.serial], extensions: [delta] })
    const written = await app.root.post(`${path}/delta`, { crl: changes.pem })
    expect(written).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('since list number 1')] } })
    expect([(await app.login(old)).status, (await app.login(young)).status]).toEqual([400, 400])
  })

  test('crl: of several lists in one text the first is stored, and a warning mentions the others', async () => {
    const [first, second] = [app.leaf(), app.leaf()]
    const crl = mintCrl(app.ca, { revoked: [first.serial] }).pem + mintCrl(app.ca, { revoked: [second.serial] }).pem
    const written = await app.root.post(`${path}/several`, { crl })
    expect(written).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('the first')] } })
    expect((await app.root.get(`${path}/several`)).body.data.serials).toEqual({ [String(first.serial)]: {} })
    await app.root.delete(`${path}/several`)
  })

  test('crl: a list with a lower number than the stored one gets 400 and does not replace it', async () => {
    await write('web', { crl: mintCrl(app.ca, { number: 7n, revoked: [leaf.serial] }).pem })
    await write('web', { crl: mintCrl(app.ca, { number: 6n }).pem }, 400)
    expect((await app.login(leaf)).status).toBe(400)
    await write('web', { crl: mintCrl(app.ca, { number: 8n }).pem })
    expect((await app.login(leaf)).status).toBe(200)
  })

  test('crl: a list past its nextUpdate still revokes, and reading it shows next_update and in_force', async () => {
    const day = 86_400_000
    const list = { thisUpdate: new Date(Date.now() - 9 * day), nextUpdate: new Date(Date.now() - 2 * day) }
    await write('stale', { crl: mintCrl(app.ca, { ...list, revoked: [leaf.serial] }).pem })
    expect((await app.login(leaf)).status).toBe(400)
    const shown = (await app.root.get(`${path}/stale`)).body.data
    expect([Date.parse(shown.next_update) < app.clock.now(), shown.in_force]).toEqual([true, true])
  })

  test('crl: deleting a list leaves one of the same name at another mount in force', async () => {
    expect((await app.root.post('/v1/sys/auth/twin', { type: 'cert' })).status).toBe(204)
    const { pem: crl } = mintCrl(app.ca, { revoked: [leaf.serial] })
    await write('same', { crl })
    expect((await app.root.post('/v1/auth/twin/crls/same', { crl })).status).toBe(200)
    expect((await app.root.delete('/v1/auth/twin/crls/same')).status).toBe(204)
    expect((await app.login(leaf)).status).toBe(400)
    expect((await app.root.get(`${path}/same`)).body.data.serials).toEqual({ [String(leaf.serial)]: {} })
    await app.root.delete('/v1/sys/auth/twin')
  })

  test('crl: results of checks on a list that was replaced meanwhile are not stored on its successor', async () => {
    const { db, mounts } = app.deps
    await write('moved', { crl: mintCrl(app.ca).pem })
    const mountId = (await mounts.find('auth/cert/'))?.id ?? ''
    const place = { mountId, name: 'moved' }
    const old = await findCrl(db, place)
    if (!old) throw new Error('There is no list.')
    await write('moved', { crl: mintCrl(app.ca, { number: 2n }).pem })
    const current = await findCrl(db, place)
    await inTransaction(db, (tx) => noteSigner(tx, place, { ...old, signerKey: 'another' }))
    expect(await inTransaction(db, (tx) => swapCrl(tx, mountId, { current: old, next: old }))).toBe(false)
    expect(await findCrl(db, place)).toEqual(current)
  })

  test('crl: lists count for their own mount only and are deleted together with it', async () => {
    expect((await app.root.post('/v1/sys/auth/second', { type: 'cert' })).status).toBe(204)
    const second = '/v1/auth/second'
    await app.root.post(`${second}/certs/web`, { certificate: app.ca.pem })
    await app.root.post(`${second}/crls/all`, { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    expect((await app.login(leaf)).status).toBe(200)
    const client = app.with(leaf)
    expect((await client.post(`${second}/login`)).status).toBe(400)
    expect((await app.root.delete('/v1/sys/auth/second')).status).toBe(204)
    expect((await app.root.post('/v1/sys/auth/second', { type: 'cert' })).status).toBe(204)
    expect((await app.root.list(`${second}/crls`)).status).toBe(404)
    const blobs = await app.deps.db.selectFrom('blobs').select('scope').where('scope', 'like', 'cert-crl/%').execute()
    expect(blobs).toEqual([])
  })
})
