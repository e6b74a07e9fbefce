import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { logFolder, recordsOf } from '../../../../../test/support/audit-devices.ts'
import type { Answer, Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { decryptPgp, pgpKey } from '../../../../../test/support/openpgp.ts'
import { recordingLog } from '../../../../../test/support/recording-log.ts'
import { callerWith, openShamirStore, sealStatus, shamir, unseal } from '../../../../../test/support/shamir-store.ts'
import { ownApp, sharedApp } from '../../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot } from '../../../../../test/support/snapshot-calls.ts'
import { deniedAnswer } from '../../../../../test/support/token-calls.ts'
import { restoreArchive } from '../../../../archive/index.ts'
import { adoptRotatedKeys } from '../key-change-actions.ts'
import { rekeyRestsJob, sealNow } from '../seal-actions.ts'
import { sealNode } from '../seal-node-actions.ts'

async function start(root: Client, body: object): Promise<string> {
  const begun = await root.put('/v1/sys/rekey/init', body)
  expect(begun.status, begun.text).toBe(200)
  return begun.body.nonce
}

/** Gives shares one after another; returns the last answer. */
async function give(root: Client, keys: readonly string[], nonce: string, step = 'update'): Promise<Answer> {
  let last: Answer | undefined
  for (const key of keys) last = await root.put(`/v1/sys/rekey/${step}`, { key, nonce })
  if (!last) throw new Error('no shares to give')
  return last
}

const auditFile = logFolder()
const shared = sharedApp()

const three = { secret_shares: 3, secret_threshold: 2 }
const verified = { ...three, require_verification: true }

eachEngine((engine) => {
  test('rekey: enough of the present shares make new ones, and the present ones open nothing any more', async () => {
    const { app, root, keys } = await openShamirStore({ engine })
    await root.post('/v1/cubbyhole/a', { kept: 'yes' })
    const idle = {
      started: false,
      nonce: '',
      t: 0,
      n: 0,
      progress: 0,
      required: 3,
      pgp_fingerprints: null,
      backup: false,
      verification_required: false,
    }
    expect((await root.get('/v1/sys/rekey/init')).body).toEqual(idle)
    const nonce = await start(root, three)
    const begun = { ...idle, started: true, nonce, t: 2, n: 3 }
    expect((await root.get('/v1/sys/rekey/init')).body).toEqual(begun)
    expect((await give(root, [keys[4] ?? ''], nonce)).body).toEqual({ ...begun, progress: 1 })
    expect((await give(root, [keys[4] ?? ''], nonce)).body).toEqual({ ...begun, progress: 1 })
    const made = await give(root, keys.slice(0, 2), nonce)
    expect(made.body).toEqual({
      nonce,
      complete: true,
      keys: expect.any(Array),
      keys_base64: expect.any(Array),
      pgp_fingerprints: null,
      backup: false,
      verification_required: false,
    })
    expect(made.body.keys).toHaveLength(3)
    expect((await root.get('/v1/sys/rekey/init')).body).toEqual({ ...idle, required: 2 })

    expect((await root.get('/v1/cubbyhole/a')).body.data).toEqual({ kept: 'yes' })
    expect((await root.put('/v1/sys/rotate')).status).toBe(204)
    await root.put('/v1/sys/seal')
    expect(await unseal(app, keys)).toMatchObject({ sealed: true, t: 2, n: 3 })
    expect(await unseal(app, made.body.keys.slice(1))).toMatchObject({ sealed: false })
    expect((await root.get('/v1/cubbyhole/a')).body.data).toEqual({ kept: 'yes' })
  })

  test('rekey: where that is required, new shares count only after they were verified', async () => {
    const { app, root, keys } = await openShamirStore({ engine })
    const nonce = await start(root, verified)
    const made = (await give(root, keys.slice(0, 3), nonce)).body
    expect(made).toMatchObject({ complete: true, verification_required: true, verification_nonce: expect.any(String) })
    const proof = made.verification_nonce
    const awaited = { started: true, nonce: proof, t: 2, n: 3, progress: 0 }
    expect((await root.get('/v1/sys/rekey/verify')).body).toEqual(awaited)
    expect((await root.get('/v1/sys/rekey/init')).body).toMatchObject({ progress: 0, verification_nonce: proof })
    expect(await give(root, keys.slice(0, 1), nonce)).toMatchObject({ status: 400 })
    await root.put('/v1/sys/seal')
    expect(await unseal(app, keys)).toMatchObject({ sealed: false, t: 3, n: 5 })

    expect((await give(root, [made.keys[0]], proof, 'verify')).body).toEqual({ ...awaited, progress: 1 })
    const { status, body: again } = await root.delete('/v1/sys/rekey/verify')
    expect([status, again]).toEqual([200, { ...awaited, nonce: expect.any(String) }])
    expect((await root.get('/v1/sys/rekey/verify')).body).toEqual(again)
    expect(again.nonce).not.toBe(proof)
    expect((await give(root, [made.keys[0]], proof, 'verify')).status).toBe(400)
    expect((await give(root, keys.slice(0, 2), again.nonce, 'verify')).status).toBe(400)
    expect((await root.get('/v1/sys/rekey/verify')).body.progress).toBe(0)
    const done = await give(root, made.keys_base64.slice(1), again.nonce, 'verify')
    expect(done).toMatchObject({ status: 200, body: { nonce: again.nonce, complete: true } })
    expect((await root.get('/v1/sys/rekey/verify')).body).toEqual({
      started: false,
      nonce: '',
      t: 0,
      n: 0,
      progress: 0,
    })
    await root.put('/v1/sys/seal')
    expect(await unseal(app, keys)).toMatchObject({ sealed: true })
    expect(await unseal(app, made.keys)).toMatchObject({ sealed: false, t: 2, n: 3 })
  })

  test('rekey: wrong shares change nothing, and all of them have to be given again', async () => {
    const { app, root, keys } = await openShamirStore({ engine })
    const nonce = await start(root, three)
    const wrong = Buffer.from(keys[0] ?? '', 'hex')
    wrong[3] = (wrong[3] ?? 0) ^ 1
    const answer = await give(root, [wrong.toString('hex'), keys[1] ?? '', keys[2] ?? ''], nonce)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toContain('not those of this store')
    expect((await root.get('/v1/sys/rekey/init')).body).toMatchObject({ started: true, nonce, progress: 0 })
    await root.put('/v1/sys/seal')
    expect(await unseal(app, keys)).toMatchObject({ sealed: false, n: 5 })
    expect((await give(root, keys, nonce)).status).toBe(400)
    expect((await root.get('/v1/sys/rekey/init')).body).toMatchObject({ started: false, required: 2 })
  })

  test('rekey: other nodes go on working with the new root key, and take part', async () => {
    const { app, token, root, keys } = await openShamirStore({ engine })
    const other = await ownApp({ settings: shamir, engine, beside: app })
    await unseal(other, keys)
    const there = other.root.as(token)
    const nonce = await start(root, three)
    await there.put('/v1/sys/rotate')
    await give(there, [keys[0] ?? ''], nonce)
    await give(root, [keys[1] ?? ''], nonce)
    const made = (await give(there, [keys[2] ?? ''], nonce)).body
    for (const client of [root, there, root]) expect((await client.put('/v1/sys/rotate')).status).toBe(204)
    await root.post('/v1/cubbyhole/new', { a: 1 })
    expect((await there.get('/v1/cubbyhole/new')).body.data).toEqual({ a: 1 })
    expect(await sealStatus(app)).toMatchObject({ sealed: false, t: 2, n: 3 })
    expect(await sealStatus(other)).toMatchObject({ sealed: false, t: 2, n: 3 })
    await root.put('/v1/sys/seal')
    expect(await unseal(app, made.keys)).toMatchObject({ sealed: false })
  })

  test('rekey: a node that has missed the new root key for too long is sealed', async () => {
    const { log, text } = recordingLog()
    const { app, token, root, keys } = await openShamirStore({ engine })
    const other = await ownApp({ settings: shamir, engine, beside: app, log })
    await unseal(other, keys)
    const held = Promise.withResolvers<void>()
    const blocked = sealNode(other.deps).oneByOne(() => held.promise)
    const made = (await give(root, keys.slice(0, 3), await start(root, three))).body
    app.clock.advance('61m')
    await rekeyRestsJob.run(app.deps, {} as never)
    held.resolve()
    await blocked
    await adoptRotatedKeys(other.deps)
    expect(await sealStatus(other)).toMatchObject({ sealed: true })
    expect(text()).toContain('the keys of the store have changed')
    expect(await unseal(other, made.keys)).toMatchObject({ sealed: false })
    expect((await other.root.as(token).get('/v1/sys/mounts')).status).toBe(200)
  })

  test('rekey: of several that start at the same moment one does; shares given together all count', async () => {
    const { root, keys } = await openShamirStore({ engine })
    const begun = await Promise.all(Array.from({ length: 5 }, () => root.put('/v1/sys/rekey/init', three)))
    expect(begun.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400, 400])
    const { nonce } = (await root.get('/v1/sys/rekey/init')).body
    const given = await Promise.all(keys.map((key) => root.put('/v1/sys/rekey/update', { key, nonce })))
    expect(given.filter(({ body }) => body.complete)).toHaveLength(1)
    expect(given.filter(({ status }) => status === 200)).toHaveLength(3)
  })

  test('rekey: a snapshot from before still restores, and holds nothing of what is going on', async () => {
    const { app, token, root, keys } = await openShamirStore({ engine })
    await root.post('/v1/cubbyhole/a', { kept: 'before' })
    const nonce = await start(root, three)
    await give(root, [keys[0] ?? ''], nonce)
    const snapshot = await saveSnapshot(app, token)
    const made = (await give(root, keys.slice(1, 3), nonce)).body
    await root.post('/v1/cubbyhole/a', { kept: 'after' })
    expect(await sendSnapshot(app, snapshot, { token })).toMatchObject({ status: 200 })
    expect((await root.get('/v1/cubbyhole/a')).body.data).toEqual({ kept: 'before' })
    expect((await root.get('/v1/sys/rekey/init')).body).toMatchObject({ started: false, required: 2 })
    await root.put('/v1/sys/seal')
    expect(await unseal(app, made.keys)).toMatchObject({ sealed: false, t: 2, n: 3 })
  })

  test('rekey: a restore of the keys of another store that has begun before does not end what the new shares open', async () => {
    const { app, root, keys } = await openShamirStore({ engine })
    const snapshot = await saveSnapshot(shared)
    let made: { keys: string[] } = { keys: [] }
    const prepare = async () => {
      made = (await give(root, keys.slice(0, 3), await start(root, three))).body
    }
    const key = { kind: 'root', key: shared.deps.keyring.rootKey() } as const
    await expect(
      restoreArchive(app.deps, Readable.from([snapshot]), { force: true, key, prepare }),
    ).rejects.toMatchObject({
      code: 'archive.restored-meanwhile',
    })
    await root.put('/v1/sys/seal')
    expect(await unseal(app, made.keys)).toMatchObject({ sealed: false, t: 2, n: 3 })
  })
})

test('rekey: new shares are shown even if the server is sealed at the moment they replace the others', async () => {
  const { app, root, keys } = await openShamirStore()
  const nonce = await start(root, three)
  await give(root, keys.slice(0, 2), nonce)
  const stop = app.deps.store.versions.onChange('keyring', () => sealNow(app.deps))
  const made = await give(root, keys.slice(2, 3), nonce)
  stop()
  expect(made).toMatchObject({ status: 200, body: { complete: true } })
  expect(await sealStatus(app)).toMatchObject({ sealed: true, n: 3 })
  expect(await unseal(app, made.body.keys)).toMatchObject({ sealed: false })
})

test('rekey: to a single share, and from that to several', async () => {
  const { app, root, keys } = await openShamirStore()
  const single = { secret_shares: 1, secret_threshold: 1 }
  const [sole] = (await give(root, keys.slice(0, 3), await start(root, single))).body.keys
  expect(sole).toHaveLength(64)
  const nonce = await start(root, verified)
  expect((await give(root, [keys[0] ?? ''], nonce)).status).toBe(400)
  const made = (await give(root, [sole], nonce)).body
  expect(await give(root, made.keys.slice(0, 2), made.verification_nonce, 'verify')).toMatchObject({
    body: { complete: true },
  })
  await root.put('/v1/sys/seal')
  expect(await unseal(app, [sole])).toMatchObject({ sealed: true, progress: 0 })
  expect(await unseal(app, made.keys)).toMatchObject({ sealed: false })
})

test('rekey: with PGP keys only the holders can decrypt the new shares', async () => {
  const { app, root, keys } = await openShamirStore()
  const names = ['rsa', 'curve', 'nist']
  const pgp_keys = names.map((name) => pgpKey(`${name}.pub`))
  const nonce = await start(root, { ...three, pgp_keys })
  const { pgp_fingerprints } = (await root.get('/v1/sys/rekey/init')).body
  expect(pgp_fingerprints).toEqual(names.map(() => expect.stringMatching(/^[0-9a-f]{40}$/)))
  const made = (await give(root, keys.slice(0, 3), nonce)).body
  expect(made.pgp_fingerprints).toEqual(pgp_fingerprints)
  const shares = names.map((name, index) => decryptPgp(`${name}.sec`, Buffer.from(made.keys[index], 'hex')))
  await root.put('/v1/sys/seal')
  expect(await unseal(app, shares)).toMatchObject({ sealed: false, n: 3 })
})

const pgpKeys = ['rsa', 'curve', 'nist'].map((name) => pgpKey(`${name}.pub`))
const kept = { ...three, pgp_keys: pgpKeys, backup: true }

test('rekey: reading and removing the kept shares takes sudo, and there are none at first', async () => {
  const store = await openShamirStore()
  const may = 'path "sys/rekey/*" { capabilities = ["create", "read", "update", "delete"] }'
  const holder = await callerWith(store, 'holder', may)
  for (const path of ['/v1/sys/rekey/backup', '/v1/sys/rekey/recovery-key-backup']) {
    expect((await store.app.anonymous.get(path)).status).toBe(403)
    expect(await holder.get(path)).toMatchObject(deniedAnswer)
    expect(await holder.delete(path)).toMatchObject(deniedAnswer)
    expect(await store.root.get(path)).toMatchObject({ status: 400, body: { errors: ['no backed-up keys found'] } })
    expect((await store.root.delete(path)).status).toBe(204)
  }
})

eachEngine((engine) => {
  test('rekey: encrypted shares are kept by the keys of their holders, and go when other shares replace them', async () => {
    const { app, token, root, keys } = await openShamirStore({ engine })
    const nonce = await start(root, kept)
    expect((await root.get('/v1/sys/rekey/init')).body.backup).toBe(true)
    const made = (await give(root, keys.slice(0, 3), nonce)).body
    expect(made.backup).toBe(true)
    const { body } = await root.get('/v1/sys/rekey/backup')
    const [first, second, third] = made.pgp_fingerprints
    const [a, b, c] = made.keys
    expect(body.data).toEqual({
      nonce,
      keys: { [first]: [a], [second]: [b], [third]: [c] },
      keys_base64: Object.fromEntries(
        made.pgp_fingerprints.map((name: string, index: number) => [name, [made.keys_base64[index]]]),
      ),
    })
    const shares = ['rsa.sec', 'curve.sec', 'nist.sec'].map((file, index) =>
      decryptPgp(file, Buffer.from(made.keys[index], 'hex')),
    )
    const snapshot = await saveSnapshot(app, token)
    expect((await root.get('/v1/sys/rekey/backup')).body.keys).toEqual(body.data.keys)
    expect((await sendSnapshot(app, snapshot, { token })).status).toBe(200)
    expect((await root.get('/v1/sys/rekey/backup')).body.keys).toEqual(body.data.keys)
    await give(root, shares.slice(0, 2), await start(root, three))
    expect((await root.get('/v1/sys/rekey/backup')).status).toBe(400)
  })

  test('rekey: while new shares await verification theirs are shown, and cancelling brings back those in force', async () => {
    const { root, keys } = await openShamirStore({ engine })
    const open = { ...kept, pgp_keys: [pgpKey('rsa.pub')], secret_shares: 1, secret_threshold: 1 }
    const inForce = await start(root, open)
    const made = (await give(root, keys.slice(0, 3), inForce)).body
    const share = decryptPgp('rsa.sec', Buffer.from(made.keys[0], 'hex'))
    const pending = await start(root, { ...open, require_verification: true })
    await give(root, [share], pending)
    expect((await root.get('/v1/sys/rekey/backup')).body.data.nonce).toBe(pending)
    await root.delete('/v1/sys/rekey/init')
    expect((await root.get('/v1/sys/rekey/backup')).body.data.nonce).toBe(inForce)
    const third = await start(root, { ...open, require_verification: true })
    const again = (await give(root, [share], third)).body
    const proof = decryptPgp('rsa.sec', Buffer.from(again.keys[0], 'hex'))
    expect((await give(root, [proof], again.verification_nonce, 'verify')).body.complete).toBe(true)
    expect((await root.get('/v1/sys/rekey/backup')).body.data.nonce).toBe(third)
    expect((await root.delete('/v1/sys/rekey/backup')).status).toBe(204)
    expect((await root.get('/v1/sys/rekey/backup')).status).toBe(400)
  })
})

test('rekey: what is cancelled, or not finished within a day, is forgotten', async () => {
  const { app, root, keys } = await openShamirStore()
  const nonce = await start(root, three)
  await give(root, keys.slice(0, 2), nonce)
  expect((await root.delete('/v1/sys/rekey/init')).status).toBe(204)
  expect((await root.delete('/v1/sys/rekey/init')).status).toBe(204)
  expect((await give(root, keys.slice(2, 3), nonce)).status).toBe(400)
  const second = await start(root, three)
  expect((await give(root, keys.slice(2, 3), second)).body).toMatchObject({ progress: 1 })
  app.clock.advance('25h')
  expect((await root.get('/v1/sys/rekey/init')).body).toMatchObject({ started: false })
  expect((await give(root, keys.slice(0, 1), second)).status).toBe(400)
  await rekeyRestsJob.run(app.deps, {} as never)
  expect(await app.deps.db.selectFrom('rekey').selectAll().execute()).toEqual([])
  await start(root, three)
})

test.each<[string, object, string]>([
  ['no shares', { secret_shares: 0, secret_threshold: 1 }, 'shares must be at least 1'],
  ['no threshold', { secret_shares: 3 }, 'threshold must be at least 1'],
  ['more needed than made', { secret_shares: 2, secret_threshold: 3 }, 'must not exceed'],
  ['several shares, each enough', { secret_shares: 2, secret_threshold: 1 }, 'at least 2'],
  ['too few PGP keys', { ...three, pgp_keys: [pgpKey('rsa.pub')] }, 'as many pgp_keys as shares'],
  ['a PGP key that is none', { secret_shares: 1, secret_threshold: 1, pgp_keys: ['AAAA'] }, 'pgp_keys, number 1'],
  ['a copy of shares that everybody could read', { ...three, backup: true }, 'send pgp_keys with backup'],
])('rekey: %s is refused, and nothing begins', async (_what, body, text) => {
  const { root } = await openShamirStore()
  const answer = await root.put('/v1/sys/rekey/init', body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toContain(text)
  expect((await root.get('/v1/sys/rekey/init')).body.started).toBe(false)
})

test.each<[string, object, string]>([
  ['no key', { nonce: 'n' }, "as 'key'"],
  ['no nonce', { key: 'abcd' }, "as 'nonce'"],
  ['the wrong nonce', { key: 'ab'.repeat(33), nonce: 'other' }, 'nonce is not'],
  ['no share at all', { key: 'no key!', nonce: '' }, 'hex or base64'],
  ['a share of another length', { key: 'ab'.repeat(32), nonce: '' }, '33 bytes'],
])('rekey: %s is refused', async (_what, body, text) => {
  const { root } = await openShamirStore()
  const nonce = await start(root, three)
  const answer = await root.put(
    '/v1/sys/rekey/update',
    'nonce' in body && body.nonce === '' ? { ...body, nonce } : body,
  )
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toContain(text)
  expect((await root.get('/v1/sys/rekey/init')).body.progress).toBe(0)
})

test('rekey: a store that unseals itself has no shares to renew', async () => {
  for (const answer of [
    await shared.root.get('/v1/sys/rekey/init'),
    await shared.root.put('/v1/sys/rekey/init', three),
  ])
    expect(answer).toMatchObject({ status: 404, body: { errors: [expect.stringContaining('unseals itself')] } })
})

test('rekey: to start and to cancel takes sudo, to give a share takes a policy, and nothing works without a token', async () => {
  const store = await openShamirStore()
  const { app, root, keys } = store
  const may = (path: string) => `path "${path}" { capabilities = ["create", "read", "update", "delete"] }`
  const holder = await callerWith(store, 'holder', may('sys/rekey/*'))
  const nobody = await callerWith(store, 'nobody', may('cubbyhole/*'))
  expect(await holder.put('/v1/sys/rekey/init', three)).toMatchObject(deniedAnswer)
  const nonce = await start(root, three)
  const share = { key: keys[0], nonce }
  expect(await holder.delete('/v1/sys/rekey/init')).toMatchObject(deniedAnswer)
  for (const caller of [nobody, app.anonymous]) {
    expect((await caller.get('/v1/sys/rekey/init')).status).toBe(403)
    expect((await caller.delete('/v1/sys/rekey/init')).status).toBe(403)
    expect((await caller.put('/v1/sys/rekey/update', share)).status).toBe(403)
    expect((await caller.put('/v1/sys/rekey/verify', share)).status).toBe(403)
  }
  expect((await holder.put('/v1/sys/rekey/update', share)).body).toMatchObject({ progress: 1 })
  await root.put('/v1/sys/seal')
  expect((await root.put('/v1/sys/rekey/update', share)).status).toBe(503)
})

test('rekey: shares are neither in the log nor, in the open, in audit records or the database', async () => {
  const { log, text } = recordingLog()
  const { app, root, keys } = await openShamirStore({ log })
  const file = auditFile('rekey.log')
  await root.put('/v1/sys/audit/rekey', { type: 'file', options: { file_path: file } })
  const nonce = await start(root, verified)
  const made = (await give(root, keys.slice(0, 3), nonce)).body
  await give(root, [made.keys[0]], made.verification_nonce, 'verify')
  const records = await recordsOf(file, 'sys/rekey/update')
  expect(records).toHaveLength(6)
  const stored = await app.deps.db.selectFrom('rekey').selectAll().executeTakeFirstOrThrow()
  const written = `${text()}${JSON.stringify(records)}${Buffer.from(stored.given).toString('hex')}`
  for (const share of [...keys, ...made.keys, ...made.keys_base64]) expect(written).not.toContain(share)
  await give(root, [made.keys[1]], made.verification_nonce, 'verify')
  expect(text()).toContain('key shares replaced')
})
