import { beforeAll, expect, test } from 'vitest'
import { type CertApp, certApp, ownCertApp, sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintCrl } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { serveDuringTest } from '../../../../../../test/support/fakes/loopback.ts'
import { firstLongSerial, longCrlEntries } from '../../../../../../test/support/long-crl.ts'
import { recordingLog } from '../../../../../../test/support/recording-log.ts'
import { longestStall, turnsDuring } from '../../../../../../test/support/stalls.ts'
import { later } from '../../../../../kernel/clock.ts'
import { insertBlob } from '../../../../../storage/blob-store.ts'
import { inTransaction } from '../../../../../storage/transaction.ts'
import { refreshDueCrls } from './crl-actions.ts'
import { crlsOf } from './crl-memory-actions.ts'
import { putCrlBytes, sweepCrlBytes } from './crl-store.ts'

const path = '/v1/auth/cert/crls'
const many = 200_000

eachEngine((engine) => {
  const app = sharedCertApp({ engine })
  beforeAll(async () => {
    await app.role('web', { certificate: app.ca.pem })
  })

  test('crl: after a restart the first login of a revoked certificate gets 400', async () => {
    const leaf = app.leaf()
    await app.root.post(`${path}/web`, { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    const again = await ownCertApp({ beside: app })
    expect((await again.login(leaf)).status).toBe(400)
    expect((await again.login(app.leaf())).status).toBe(200)
  })

  test('crl: writing and deleting a list on one node takes effect on the other', async () => {
    const other = await ownCertApp({ beside: app })
    const leaf = app.leaf()
    expect((await other.login(leaf)).status).toBe(200)
    await app.root.post(`${path}/other`, { crl: mintCrl(app.ca, { revoked: [leaf.serial] }).pem })
    await expect.poll(async () => (await other.login(leaf)).status, { interval: 20 }).toBe(400)
    await app.root.delete(`${path}/other`)
    await expect.poll(async () => (await other.login(leaf)).status, { interval: 20 }).toBe(200)
  })

  test('crl: concurrent writes of one name leave exactly one complete list', async () => {
    const lists = Array.from({ length: 6 }, (_, index) =>
      mintCrl(app.ca, { number: 50n, revoked: [BigInt(index + 1)] }),
    )
    const answers = await Promise.all(lists.map(({ pem }) => app.root.post(`${path}/race`, { crl: pem })))
    expect(answers.map((answer) => answer.status)).toEqual(lists.map(() => 204))
    expect(Object.keys((await app.root.get(`${path}/race`)).body.data.serials)).toHaveLength(1)
    const blobs = await app.deps.db.selectFrom('blobs').select('id').where('scope', 'like', '%/race').execute()
    expect(blobs).toHaveLength(1)
  })

  test('crl: logins on both nodes succeed while a list is replaced repeatedly', async () => {
    const other = await ownCertApp({ beside: app })
    const clients = [app.with(app.leaf()), other.with(app.leaf())]
    let isWriting = true
    const callers = clients.map(async (client) => {
      const statuses = new Set<number>()
      while (isWriting) statuses.add((await client.post('/v1/auth/cert/login')).status)
      return statuses
    })
    for (let number = 1; number <= 25; number++) {
      const crl = mintCrl(app.ca, { number: BigInt(number), revoked: [BigInt(number)] }).pem
      expect((await app.root.post(`${path}/busy`, { crl })).status).toBe(204)
      expect((await other.root.get(`${path}/busy`)).status).toBe(200)
    }
    isWriting = false
    expect(await Promise.all(callers)).toEqual([new Set([200]), new Set([200])])
  })

  test('crl: the sweep removes orphaned bytes of lists and keeps those of stored lists and other blobs', async () => {
    const place = { mountId: await mountId(app), name: 'swept' }
    const { pem: crl } = mintCrl(mintCa({ commonName: 'Swept' }))
    expect((await app.root.post(`${path}/swept`, { crl })).status).toBe(200)
    await putCrlBytes(app.deps, place, { der: Buffer.from('left behind'), at: app.clock.now() })
    const count = async (): Promise<number> =>
      (await app.deps.db.selectFrom('blobs').select('id').where('scope', 'like', 'cert-crl/%/swept').execute()).length
    expect(await count()).toBe(2)
    const others = ['archive/one', 'cert-crl', 'cert-crls/one', 'ws-1111111111111111']
    for (const scope of others) {
      const blob = {
        scope,
        upload: `upload-${scope}`,
        id: 'one',
        createdAt: app.clock.now(),
        chunks: [Buffer.from('x')],
      }
      await inTransaction(app.deps.db, (tx) => insertBlob(tx, blob))
    }
    await sweepCrlBytes(app.deps.db, app.clock.now())
    expect(await count()).toBe(2)
    await sweepCrlBytes(app.deps.db, later(app.clock.now(), 1))
    expect(await count()).toBe(1)
    expect((await app.root.get(`${path}/swept`)).status).toBe(200)
    const kept = app.deps.db.selectFrom('blobs').select('scope').where('scope', 'in', others).orderBy('scope')
    expect((await kept.execute()).map(({ scope }) => scope)).toEqual(others)
  })
})

test('crl: writing one of 4000 lists of an issuer does not block the event loop for long', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  expect((await app.root.post(`${path}/part`, { crl: mintCrl(app.ca).pem })).status).toBe(204)
  const { db } = app.deps
  const row = await db.selectFrom('cert_crls').selectAll().executeTakeFirstOrThrow()
  const parts = Array.from({ length: 4_000 }, (_, index) => ({ ...row, name: `p${index}`, name_key: `p${index}` }))
  while (parts.length > 0) await db.insertInto('cert_crls').values(parts.splice(0, 500)).execute()
  const revoked = app.leaf()
  const crl = mintCrl(app.ca, { number: 2n, revoked: [revoked.serial] }).pem
  const stall = await longestStall(app.root.post(`${path}/p7`, { crl }))
  expect(stall).toBeLessThan(2_500)
  expect([(await app.login(revoked)).status, (await app.login(app.leaf())).status]).toEqual([400, 200])
})

test('crl: a list of 200000 entries is stored, enforced and read without a long block of the event loop', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  const list = mintCrl(app.ca, { revokedDer: longCrlEntries(many), nextUpdate: null })
  const body = JSON.stringify({ crl: list.der.toString('base64') })
  expect((await app.root.post(`${path}/big`, undefined, { raw: body })).status).toBe(204)
  const revoked = app.leaf({ serial: firstLongSerial + BigInt(many - 1) })
  expect((await app.login(revoked)).status).toBe(400)
  expect((await app.login(app.leaf())).status).toBe(200)

  const again = await ownCertApp({ beside: app })
  const began = performance.now()
  const turns = await turnsDuring(async () => await crlsOf(again.deps, await mountId(again)))
  // A generous limit: the benchmark measures, this only notices gross slowdowns.
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(turns).toBeGreaterThan(100)
  expect((await again.login(revoked)).status).toBe(400)

  const read = await app.root.get(`${path}/big`)
  expect(read.headers['transfer-encoding']).toBe('chunked')
  expect(Object.keys(read.body).sort()).toEqual([
    'auth',
    'data',
    'lease_duration',
    'lease_id',
    'mount_type',
    'renewable',
    'request_id',
    'warnings',
    'wrap_info',
  ])
  expect(Object.keys(read.body.data.serials)).toHaveLength(many)
  expect(read.body.data.serials[String(firstLongSerial)]).toEqual({})
  expect(read.body.data.entries).toBe(many)
}, 60_000)

test.each([
  ['', false],
  [' while others are', true],
])(
  'crl: a long list that cannot be read%s is read again by a later login',
  async (_when, hasAnother) => {
    const app = await certApp()
    const { log, text } = recordingLog()
    const other = await certApp({ beside: app, log })
    const count = 40_000
    const write = (number: bigint, entries: number, name = 'long') =>
      app.root.post(`${path}/${name}`, undefined, {
        raw: JSON.stringify({
          crl: mintCrl(app.ca, { number, revokedDer: longCrlEntries(entries), nextUpdate: null }).der.toString(
            'base64',
          ),
        }),
      })
    try {
      await app.role('web', { certificate: app.ca.pem })
      const leaf = app.leaf({ serial: firstLongSerial + BigInt(count) })
      await write(1n, count)
      expect((await other.login(leaf)).status).toBe(200)
      await write(2n, count + 1)
      const { db } = app.deps
      const upload = (await db.selectFrom('cert_crls').select('blob_id').executeTakeFirstOrThrow()).blob_id
      const all = await db.selectFrom('blob_chunks').selectAll().where('upload', '=', upload).execute()
      await db.deleteFrom('blob_chunks').where('upload', '=', upload).execute()
      // There is no older one of this name, so the login waits until it is read, and by then the long one has failed.
      if (hasAnother) await write(1n, count, 'new')
      expect((await other.login(leaf)).status).toBe(200)
      await expect.poll(text).toContain('revocation list could not be read')
      await db.insertInto('blob_chunks').values(all).execute()
      await expect.poll(async () => (await other.login(leaf)).status).toBe(400)
    } finally {
      await other.close()
      await app.close()
    }
  },
  60_000,
)

test('crl: a stored list that cannot be parsed makes logins fail with 500 until it is replaced', async () => {
  const app = await ownCertApp()
  const { db } = app.deps
  const write = (number: bigint) => app.root.post(`${path}/short`, { crl: mintCrl(app.ca, { number }).pem })
  await app.role('web', { certificate: app.ca.pem })
  expect((await write(1n)).status).toBe(204)
  const good = (await db.selectFrom('blob_chunks').selectAll().executeTakeFirstOrThrow()).bytes
  const store = (bytes: Uint8Array) => db.updateTable('blob_chunks').set({ bytes }).execute()
  await store(Buffer.alloc(good.length))
  const other = await ownCertApp({ beside: app })
  expect((await other.login(app.leaf())).status).toBe(500)
  // Stored bytes never change under their id, so the node does not read them again.
  await store(good)
  expect((await other.login(app.leaf())).status).toBe(500)
  expect((await write(2n)).status).toBe(204)
  expect((await other.login(app.leaf())).status).toBe(200)
})

test('crl: a refresh whose server hangs does not delay logins, and sets no last_error when it is stopped', async () => {
  const app = await certApp()
  const leaf = app.leaf()
  const first = mintCrl(app.ca, { nextUpdate: new Date(app.clock.now() + 60_000) }).der
  let isHanging = false
  const server = await serveDuringTest((_request, response) => {
    if (isHanging) response.writeHead(200, { 'content-length': 1_000 }).write('0')
    else response.end(first)
  })
  const stop = new AbortController()
  try {
    await app.role('web', { certificate: app.ca.pem })
    expect((await app.root.post(`${path}/slow`, { url: `${server}/` })).status).toBe(204)
    isHanging = true
    app.clock.advance('2m')
    const refreshing = refreshDueCrls(app.deps, stop.signal)
    const began = performance.now()
    expect((await app.login(leaf)).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(8_000)
    stop.abort()
    await refreshing
    expect((await app.root.get(`${path}/slow`)).body.data).not.toHaveProperty('last_error')
  } finally {
    await app.close()
  }
})

async function mountId(app: CertApp): Promise<string> {
  return (await app.deps.mounts.find('auth/cert/'))?.id ?? ''
}
