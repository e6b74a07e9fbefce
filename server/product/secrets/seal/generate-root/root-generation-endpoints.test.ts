import { expect, test } from 'vitest'
import { logFolder, recordsOf } from '../../../../../test/support/audit-devices.ts'
import type { Answer, Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { decryptPgp, pgpKey } from '../../../../../test/support/openpgp.ts'
import { recordingLog } from '../../../../../test/support/recording-log.ts'
import { callerWith, openShamirStore, sealStatus, shamir, unseal } from '../../../../../test/support/shamir-store.ts'
import { ownApp, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, noTokenAnswer } from '../../../../../test/support/token-calls.ts'
import { rekeyRestsJob } from '../seal-actions.ts'

const attempt = '/v1/sys/generate-root/attempt'
const update = '/v1/sys/generate-root/update'
const open = { settings: { openRootGeneration: true } } as const
const shared = sharedApp()
const auditFile = logFolder()

const idle = {
  started: false,
  nonce: '',
  progress: 0,
  required: 3,
  complete: false,
  encoded_token: '',
  encoded_root_token: '',
  pgp_fingerprint: '',
  otp: '',
  otp_length: 28,
}

async function start(caller: Client, body: object = {}): Promise<{ nonce: string; otp: string }> {
  const begun = await caller.put(attempt, body)
  expect(begun.status, begun.text).toBe(200)
  return begun.body
}

/** Gives shares one after another; returns the last answer. */
async function give(caller: Client, keys: readonly string[], nonce: string): Promise<Answer> {
  let last: Answer | undefined
  for (const key of keys) last = await caller.put(update, { key, nonce })
  if (!last) throw new Error('no shares to give')
  return last
}

/** What the client does with the token that it is shown. */
const decode = async (caller: Client, encoded: string, otp: string): Promise<string> =>
  (await caller.post('/v1/sys/decode-token', { encoded_token: encoded, otp })).body.data.token

const lookup = (caller: Client) => caller.get('/v1/auth/token/lookup-self')

test('root token: nothing works without a token, starting and cancelling takes sudo, giving a share a policy', async () => {
  const store = await openShamirStore()
  const { app, root, keys } = store
  const may = (path: string) => `path "${path}" { capabilities = ["create", "read", "update", "delete"] }`
  const holder = await callerWith(store, 'holder', may('sys/generate-root/*'))
  const nobody = await callerWith(store, 'nobody', may('cubbyhole/*'))
  expect(await holder.put(attempt, {})).toMatchObject(deniedAnswer)
  const { nonce } = await start(root)
  const share = { key: keys[0], nonce }
  expect(await holder.delete(attempt)).toMatchObject(deniedAnswer)
  for (const [caller, answer] of [
    [nobody, deniedAnswer],
    [app.anonymous, noTokenAnswer],
  ] as const) {
    expect(await caller.get(attempt)).toMatchObject(answer)
    expect(await caller.put(attempt, {})).toMatchObject(answer)
    expect(await caller.delete(attempt)).toMatchObject(answer)
    expect(await caller.put(update, share)).toMatchObject(answer)
  }
  expect((await root.get(attempt)).body).toMatchObject({ started: true, progress: 0 })
  expect((await holder.put(update, share)).body).toMatchObject({ progress: 1 })
  expect((await holder.get(attempt)).body).toMatchObject({ progress: 1 })
  await root.put('/v1/sys/seal')
  for (const caller of [root, app.anonymous]) {
    expect((await caller.get(attempt)).status).toBe(503)
    expect((await caller.put(attempt, {})).status).toBe(503)
    expect((await caller.put(update, share)).status).toBe(503)
  }
})

test.each<[string, object, string]>([
  ['a one-time password of another length', { otp: 'abc' }, '28 characters'],
  ['a one-time password and a PGP key', { otp: 'a'.repeat(28), pgp_key: pgpKey('rsa.pub') }, 'not both'],
  ['a PGP key that is none', { pgp_key: 'AAAA' }, 'pgp_key'],
])('root token: %s is refused, and nothing begins', async (_what, body, text) => {
  const answer = await shared.root.put(attempt, body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toContain(text)
  expect((await shared.root.get(attempt)).body.started).toBe(false)
})

test.each<[string, object, string]>([
  ['no key', { nonce: 'n' }, "as 'key'"],
  ['no nonce', { key: 'abcd' }, "as 'nonce'"],
  ['the wrong nonce', { key: 'ab'.repeat(33), nonce: 'other' }, 'nonce is not'],
  ['no share at all', { key: 'no key!', nonce: '' }, 'hex or base64'],
  ['a share of another length', { key: 'ab'.repeat(32), nonce: '' }, '33 bytes'],
])('root token: %s is refused', async (_what, body, text) => {
  const { root } = await openShamirStore()
  const { nonce } = await start(root)
  const answer = await root.put(update, 'nonce' in body && body.nonce === '' ? { ...body, nonce } : body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toContain(text)
  expect((await root.get(attempt)).body.progress).toBe(0)
})

test('root token: a share without an operation is refused', async () => {
  const answer = await shared.root.put(update, { key: 'ab'.repeat(32), nonce: 'n' })
  expect(answer).toMatchObject({ status: 400, body: { errors: [expect.stringContaining('start with')] } })
})

test.each<[string, object, string]>([
  ['no token', { otp: 'abc' }, "'encoded_token'"],
  ['no password', { encoded_token: 'YWJj' }, "'otp'"],
  ['a password of another length', { encoded_token: 'YWJj', otp: 'abcd' }, 'do not belong together'],
])('root token: decoding %s is refused', async (_what, body, text) => {
  const answer = await shared.anonymous.put('/v1/sys/decode-token', body)
  expect(answer.status).toBe(400)
  expect(answer.body.errors[0]).toContain(text)
})

eachEngine((engine) => {
  test('root token: enough shares make one, which only the password shows', async () => {
    const { root, app, keys } = await openShamirStore({ engine })
    expect((await root.get(attempt)).body).toEqual(idle)
    const begun = await start(root)
    const { nonce, otp } = begun
    const waiting = { ...idle, started: true, nonce }
    expect(begun).toEqual({ ...waiting, otp: expect.stringMatching(/^[0-9A-Za-z]{28}$/) })
    expect((await root.get(attempt)).body).toEqual(waiting)
    expect(await root.put(attempt, {})).toMatchObject({ status: 400, body: { errors: [/already/] } })
    expect((await give(root, [keys[4] ?? ''], nonce)).body).toEqual({ ...waiting, progress: 1 })
    expect((await give(root, [keys[4] ?? ''], nonce)).body).toEqual({ ...waiting, progress: 1 })
    const made = (await give(root, keys.slice(0, 2), nonce)).body
    expect(made).toEqual({
      ...waiting,
      progress: 3,
      complete: true,
      encoded_token: expect.stringMatching(/^[A-Za-z0-9+/]+$/),
      encoded_root_token: made.encoded_token,
    })
    expect((await root.get(attempt)).body).toEqual(idle)
    const token = await decode(app.anonymous, made.encoded_token, otp)
    expect(token).toMatch(/^hfs\.[0-9A-Za-z]{24}$/)
    const { data } = (await lookup(app.root.as(token))).body
    expect(data).toMatchObject({ policies: ['root'], ttl: 0, display_name: 'root' })
    expect((await give(root, keys.slice(0, 1), nonce)).status).toBe(400)
  })

  test('root token: wrong shares make none, and all of them have to be given again', async () => {
    const { root, keys } = await openShamirStore({ engine })
    const { nonce } = await start(root)
    const wrong = Buffer.from(keys[0] ?? '', 'hex')
    wrong[3] = (wrong[3] ?? 0) ^ 1
    const answer = await give(root, [wrong.toString('hex'), keys[1] ?? '', keys[2] ?? ''], nonce)
    expect(answer).toMatchObject({ status: 400, body: { errors: [/not those of this store/] } })
    expect((await root.get(attempt)).body).toMatchObject({ started: true, nonce, progress: 0 })
    expect((await give(root, keys.slice(0, 3), nonce)).body).toMatchObject({ complete: true })
  })

  test('root token: any node takes shares, and of those given together each counts', async () => {
    const { app, token, root, keys } = await openShamirStore({ engine })
    const other = await ownApp({ settings: shamir, engine, beside: app })
    await unseal(other, keys)
    const there = other.root.as(token)
    const begun = await Promise.all([root, there, root].map((caller) => caller.put(attempt, {})))
    expect(begun.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const { nonce, otp } = begun.find(({ status }) => status === 200)?.body ?? {}
    const given = await Promise.all(keys.map((key, index) => (index % 2 ? root : there).put(update, { key, nonce })))
    const made = given.filter(({ body }) => body.complete)
    expect(made).toHaveLength(1)
    expect(given.filter(({ status }) => status === 200)).toHaveLength(3)
    const made_token = await decode(other.anonymous, made[0]?.body.encoded_token, otp)
    expect((await lookup(app.root.as(made_token))).status).toBe(200)
  })

  test('root token: new key shares end what was given of the old ones', async () => {
    const { root, keys } = await openShamirStore({ engine })
    const { nonce } = await start(root)
    await give(root, keys.slice(0, 2), nonce)
    const rekey = (await root.put('/v1/sys/rekey/init', { secret_shares: 3, secret_threshold: 2 })).body
    for (const key of keys.slice(0, 3)) await root.put('/v1/sys/rekey/update', { key, nonce: rekey.nonce })
    expect((await root.get(attempt)).body).toMatchObject({ started: false, required: 2 })
  })

  test('root token: the recovery key makes one where the store unseals itself', async () => {
    const app = await ownApp({ engine })
    const recoveryKey = app.app.initialised?.recoveryKey?.toString('base64') ?? ''
    const { nonce, otp } = await start(app.root)
    expect((await app.root.get(attempt)).body).toMatchObject({ required: 1 })
    const rootKey = app.deps.keyring.rootKey().reveal().toString('hex')
    const refused = await give(app.root, [rootKey], nonce)
    expect(refused).toMatchObject({ status: 400, body: { errors: [/not the recovery key/] } })
    const made = (await give(app.root, [recoveryKey], nonce)).body
    expect(made).toMatchObject({ complete: true, progress: 1 })
    const token = await decode(app.anonymous, made.encoded_token, otp)
    expect((await lookup(app.root.as(token))).body.data.policies).toEqual(['root'])
  })
})

test('root token: with the setting, shares alone make one, whatever token comes along', async () => {
  const { app, root, keys } = await openShamirStore(open)
  await root.post('/v1/auth/token/revoke-self')
  const { nonce, otp } = await start(root)
  expect((await app.anonymous.get(attempt)).body).toMatchObject({ started: true, nonce })
  const made = (await give(app.anonymous, keys.slice(0, 3), nonce)).body
  const token = await decode(app.anonymous, made.encoded_token, otp)
  expect((await lookup(app.root.as(token))).status).toBe(200)
  expect((await app.anonymous.get('/v1/sys/rekey/init')).status).toBe(403)
})

test('root token: wrong shares from one address are slowed down', async () => {
  const { app, keys } = await openShamirStore(open)
  const { nonce } = await start(app.anonymous)
  for (let wrong = 0; wrong < 50; wrong++) await app.anonymous.put(update, { key: 'ab'.repeat(33), nonce: 'wrong' })
  const slowed = await give(app.anonymous, keys.slice(0, 1), nonce)
  expect(slowed).toMatchObject({ status: 429, body: { errors: [/Too many failed attempts/] } })
  let made: Answer | undefined
  for (const key of keys.slice(0, 3)) {
    app.clock.advance('2s')
    made = await give(app.anonymous, [key], nonce)
  }
  expect(made?.body).toMatchObject({ complete: true })
})

test('root token: one sent password masks it, and a PGP key encrypts it', async () => {
  const { app, root, keys } = await openShamirStore()
  const otp = 'ygs0vL8GIxu0AjRVEmJ5jLCVq8Ab'
  const own = await start(root, { otp })
  expect(own.otp).toBe('')
  const masked = (await give(root, keys.slice(0, 3), own.nonce)).body
  expect((await lookup(app.root.as(await decode(root, masked.encoded_token, otp)))).status).toBe(200)
  const { nonce } = await start(root, { pgp_key: pgpKey('curve.pub') })
  expect((await root.get(attempt)).body).toMatchObject({ pgp_fingerprint: expect.stringMatching(/^[0-9a-f]{40}$/) })
  const { encoded_token, pgp_fingerprint } = (await give(root, keys.slice(0, 3), nonce)).body
  expect(pgp_fingerprint).toMatch(/^[0-9a-f]{40}$/)
  const token = decryptPgp('curve.sec', Buffer.from(encoded_token, 'base64'))
  expect((await lookup(app.root.as(token))).body.data.policies).toEqual(['root'])
})

test('root token: what is cancelled, or not finished within a day, is forgotten', async () => {
  const { app, root, keys } = await openShamirStore()
  const first = await start(root)
  await give(root, keys.slice(0, 2), first.nonce)
  expect((await root.delete(attempt)).status).toBe(204)
  expect((await root.delete(attempt)).status).toBe(204)
  expect((await give(root, keys.slice(2, 3), first.nonce)).status).toBe(400)
  const second = await start(root)
  app.clock.advance('25h')
  expect((await root.get(attempt)).body).toMatchObject({ started: false })
  expect((await give(root, keys.slice(0, 1), second.nonce)).status).toBe(400)
  await rekeyRestsJob.run(app.deps, {} as never)
  expect(await app.deps.db.selectFrom('rekey').selectAll().execute()).toEqual([])
})

test('root token: new key shares can be made at the same time', async () => {
  const { app, root, keys } = await openShamirStore()
  const { nonce } = await start(root)
  const rekey = (await root.put('/v1/sys/rekey/init', { secret_shares: 3, secret_threshold: 2 })).body
  await root.put('/v1/sys/rekey/update', { key: keys[0], nonce: rekey.nonce })
  expect((await give(root, keys.slice(0, 3), nonce)).body).toMatchObject({ complete: true })
  expect((await root.get('/v1/sys/rekey/init')).body).toMatchObject({ started: true, progress: 1 })
  expect(await sealStatus(app)).toMatchObject({ sealed: false, n: 5 })
})

test('root token: neither shares nor password nor token are in the log, in the open, in records or the database', async () => {
  const { log, text } = recordingLog()
  const { app, root, keys } = await openShamirStore({ log })
  const file = auditFile('root.log')
  await root.put('/v1/sys/audit/root', { type: 'file', options: { file_path: file } })
  const { nonce, otp } = await start(root)
  await give(root, keys.slice(0, 2), nonce)
  const rows = JSON.stringify(await app.deps.db.selectFrom('rekey').selectAll().execute())
  const made = (await give(root, keys.slice(2, 3), nonce)).body
  const token = await decode(app.anonymous, made.encoded_token, otp)
  const records = await recordsOf(file, 'sys/generate-root/update')
  expect(records).toHaveLength(6)
  const all = [
    ...records,
    ...(await recordsOf(file, 'sys/generate-root/attempt')),
    ...(await recordsOf(file, 'sys/decode-token')),
  ]
  const written = `${text()}${JSON.stringify(all)}${rows}`
  for (const secret of [...keys, otp, token, made.encoded_token]) expect(written).not.toContain(secret)
  expect(text()).toContain('root token made from key shares')
})
