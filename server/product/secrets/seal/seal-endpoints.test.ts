import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { decryptPgp, pgpKey } from '../../../../test/support/openpgp.ts'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp, sharedApp } from '../../../../test/support/shared.ts'
import { type TestApp, type TestAppOptions, testApp } from '../../../../test/support/test-app.ts'
import { tokenCalls } from '../../../../test/support/token-calls.ts'
import { sealsPerTerm } from '../../../crypto/keyring.ts'
import { unwrapRing, wrapRing } from '../../../crypto/ring.ts'
import { failure } from '../../../kernel/failure.ts'
import { defineFeature } from '../../../kit/feature.ts'
import { features } from '../../index.ts'
import { adoptRotatedKeys, saveKeyUsage } from './key-change-actions.ts'
import { sealNow, submitShare } from './seal-actions.ts'
import { requireSeal, sealNode } from './seal-node-actions.ts'
import { requestKeyUsage, swapSeal } from './seal-store.ts'

const shamir = { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } } as const

async function shamirApp(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await ownApp({ settings: shamir, ...options })
  return app
}

const init = (app: TestApp, body: object = { secret_shares: 5, secret_threshold: 3 }): Promise<Answer> =>
  app.anonymous.put('/v1/sys/init', body)

const unseal = (app: TestApp, body: object): Promise<Answer> => app.anonymous.put('/v1/sys/unseal', body)
const status = async (app: TestApp) => (await app.anonymous.get('/v1/sys/seal-status')).body

/** Rotates the key, then creates a batch token, which is sealed with the newest key the node knows. */
async function rotateAndSeal(app: TestApp): Promise<string> {
  const rotated = await app.root.put('/v1/sys/rotate')
  expect(rotated.status, rotated.text).toBe(204)
  const made = await app.root.post('/v1/auth/token/create', { policies: ['default'], type: 'batch' })
  return made.body.auth.client_token
}

eachEngine((engine) => {
  test('a shamir server is initialised sealed, opens with enough shares, and seals again', async () => {
    const app = await shamirApp({ engine })
    expect((await app.anonymous.get('/v1/sys/init')).body).toEqual({ initialized: false })
    expect((await app.anonymous.get('/v1/sys/health')).status).toBe(501)
    expect(await status(app)).toMatchObject({ type: 'shamir', initialized: false, sealed: true, t: 0, n: 0 })

    const made = await init(app)
    expect(made.status).toBe(200)
    const { keys, keys_base64, root_token } = made.body
    expect(Object.keys(made.body).sort()).toEqual(['keys', 'keys_base64', 'root_token'])
    expect(keys.map((key: string) => key.length)).toEqual([66, 66, 66, 66, 66])
    expect(keys_base64.map((key: string) => Buffer.from(key, 'base64').toString('hex'))).toEqual(keys)
    expect((await app.anonymous.get('/v1/sys/init')).body).toEqual({ initialized: true })
    expect(await init(app)).toMatchObject({ status: 400, body: { errors: ['Holdfast is already initialized'] } })
    expect((await app.anonymous.get('/v1/sys/health')).status).toBe(503)
    expect((await app.root.as(root_token).get('/v1/sys/mounts')).status).toBe(503)

    expect((await unseal(app, { key: keys[4] })).body).toMatchObject({ sealed: true, t: 3, n: 5, progress: 1 })
    const { nonce } = await status(app)
    expect(nonce).toMatch(/^[0-9a-f-]{36}$/)
    expect((await unseal(app, { key: keys[4] })).body).toMatchObject({ progress: 1, nonce })
    expect((await unseal(app, { Key: keys_base64[1] })).body).toMatchObject({ progress: 2, nonce })
    const opened = (await unseal(app, { key: keys[0] })).body
    expect(opened).toMatchObject({ sealed: false, progress: 0, nonce: '', cluster_id: expect.any(String) })
    const root = app.root.as(root_token)
    expect((await root.get('/v1/auth/token/lookup-self')).body.data.policies).toEqual(['root'])
    expect((await unseal(app, { key: keys[2] })).body).toMatchObject({ sealed: false })
    for (const body of [{ reset: true }, {}, { key: 'no key!' }, { key: 'abcd' }]) {
      expect((await unseal(app, body)).status, JSON.stringify(body)).toBe(400)
    }

    expect((await root.put('/v1/sys/seal')).status).toBe(204)
    expect(await status(app)).toMatchObject({ sealed: true, progress: 0 })
    expect(await status(app)).not.toHaveProperty('cluster_id')
    for (const key of [keys[1], keys[3], keys[2]]) await unseal(app, { key })
    expect((await root.get('/v1/auth/token/lookup-self')).status).toBe(200)
  })

  test('the log records initialising, unsealing and sealing, and holds no key', async () => {
    const { log, text } = recordingLog()
    const app = await shamirApp({ engine, log })
    const { keys, root_token } = (await init(app, { secret_shares: 2, secret_threshold: 2 })).body
    for (const key of keys) await unseal(app, { key })
    await app.root.as(root_token).put('/v1/sys/seal')
    const told = text()
      .split('\n')
      .map((line) => JSON.parse(line).message)
    expect(told.filter((message) => /^(initialised|unsealed|sealed)$/.test(message))).toEqual([
      'initialised',
      'unsealed',
      'sealed',
    ])
    for (const key of keys) expect(text()).not.toContain(key)
  })

  test('a node knows at once that another has initialised the store', async () => {
    const app = await shamirApp({ engine })
    const other = await ownApp({ settings: shamir, engine, beside: app })
    expect((await other.anonymous.get('/v1/sys/health')).status).toBe(501)
    await init(app)
    expect((await other.anonymous.get('/v1/sys/health')).status).toBe(503)
    expect(await status(other)).toMatchObject({ initialized: true, sealed: true })
  })

  test('keys rotated concurrently on several nodes are all usable on every node afterwards', async () => {
    const app = await testApp({ engine })
    const nodes = [app, await testApp({ engine, beside: app })]
    try {
      const tokens = await Promise.all(Array.from({ length: 12 }, () => nodes.map(rotateAndSeal)).flat())
      nodes.push(await testApp({ engine, beside: app }))
      for (const node of nodes) {
        const answers = await Promise.all(tokens.map((token) => node.root.as(token).get('/v1/auth/token/lookup-self')))
        expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200))
        expect((await node.root.get('/v1/sys/key-status')).body.data.term).toBe(1 + tokens.length)
      }
    } finally {
      for (const node of nodes.toReversed()) await node.close()
    }
  })

  test('a request for data sealed with a key this node has not loaded yet waits for it', async () => {
    const app = await testApp({ engine })
    const other = await testApp({ engine, beside: app })
    try {
      let arrive = (): void => undefined
      const held = sealNode(other.deps).oneByOne(() => new Promise<void>((resolve) => (arrive = resolve)))
      await app.root.put('/v1/sys/rotate')
      await app.root.post('/v1/cubbyhole/new', { a: 1 })
      const asked = other.root.get('/v1/cubbyhole/new')
      await expect.poll(() => sealNode(other.deps).following !== undefined, { timeout: 20_000 }).toBe(true)
      arrive()
      expect((await asked).body.data).toEqual({ a: 1 })
      await held
    } finally {
      await other.close()
      await app.close()
    }
  })

  test('the number of encryptions per key is saved from all nodes', async () => {
    const app = await testApp({ engine })
    const nodes = [app, await testApp({ engine, beside: app })]
    try {
      const used = async (node: TestApp) => (await node.root.get('/v1/sys/key-status')).body.data.encryptions as number
      const before = await used(app)
      for (const node of nodes) {
        const body = { policies: ['default'], type: 'batch' }
        for (let n = 0; n < 5; n++) expect((await node.root.post('/v1/auth/token/create', body)).status).toBe(200)
      }
      await requestKeyUsage(app.deps.db)
      // A process is notified with its next request, at the latest.
      const isUnsaved = async (node: TestApp) => (await used(node)) > 0 && node.deps.keyring.hasUnsavedUsage
      for (const node of nodes) await expect.poll(() => isUnsaved(node)).toBe(false)
      const { revision } = await requireSeal(app.deps)
      await saveKeyUsage(app.deps)
      expect((await requireSeal(app.deps)).revision).toBe(revision)
      nodes.push(await testApp({ engine, beside: app }))
      expect(await used(nodes[2] as TestApp)).toBeGreaterThanOrEqual(before + 10)
    } finally {
      for (const node of nodes.toReversed()) await node.close()
    }
  })

  test('a key that reached its limit of encryptions is rotated once', async () => {
    const app = await ownApp({ engine })
    const { wrapped, revision } = await requireSeal(app.deps)
    const rootKey = app.deps.keyring.rootKey().reveal()
    const ring = unwrapRing(wrapped, rootKey)
    ring.active.seals = sealsPerTerm
    await swapSeal(
      app.deps.db,
      revision,
      { wrapped: wrapRing(ring, rootKey, app.deps.ids) },
      { operationId: app.deps.ids.uuid() },
    )
    await adoptRotatedKeys(app.deps)
    const before = app.deps.keyring.term
    await saveKeyUsage(app.deps)
    expect(app.deps.keyring.term).toBe(before + 1)
    await saveKeyUsage(app.deps)
    expect(app.deps.keyring.term).toBe(before + 1)
  })

  test('an initialisation that fails leaves nothing behind, so that the next one succeeds', async () => {
    const app = await shamirApp({ engine })
    const { schema } = app.deps.db
    await schema.alterTable('tokens').renameTo('tokens_away').execute()
    expect(await init(app)).toMatchObject({ status: 500 })
    await schema.alterTable('tokens_away').renameTo('tokens').execute()
    expect((await app.anonymous.get('/v1/sys/init')).body).toEqual({ initialized: false })
    expect(await status(app)).toMatchObject({ initialized: false, sealed: true })
    expect((await app.anonymous.get('/v1/sys/health')).status).toBe(501)

    const { keys, root_token } = (await init(app)).body
    for (const key of keys.slice(0, 3)) await unseal(app, { key })
    expect((await app.root.as(root_token).get('/v1/sys/mounts')).status).toBe(200)
  })

  test('of concurrent initialisations exactly one gets keys', async () => {
    const app = await shamirApp({ engine })
    const answers = await Promise.all(Array.from({ length: 4 }, () => init(app)))
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 400, 400, 400])
    const winner = answers.find(({ status: code }) => code === 200)?.body
    for (const key of winner.keys.slice(0, 3)) await unseal(app, { key })
    expect((await app.root.as(winner.root_token).get('/v1/sys/mounts')).status).toBe(200)
    for (const { status: code, body } of answers)
      if (code === 400) expect(body).toEqual({ errors: [expect.any(String)] })
  })
})

test('a share that was on its way while the node was sealed does not open it', async () => {
  const app = await shamirApp()
  const { keys, root_token } = (await init(app, { secret_shares: 1, secret_threshold: 1 })).body
  await unseal(app, { key: keys[0] })
  expect((await app.root.as(root_token).put('/v1/sys/seal')).status).toBe(204)
  const late = submitShare(app.deps, keys[0])
  sealNow(app.deps)
  await late
  expect(await status(app)).toMatchObject({ sealed: true, progress: 0 })
  await submitShare(app.deps, keys[0])
  expect((await status(app)).sealed).toBe(false)
})

test('wrong shares get 400 and reset the progress', async () => {
  const [app, other] = [await shamirApp(), await shamirApp()]
  const { keys } = (await init(app)).body
  const foreign = (await init(other)).body.keys
  await unseal(app, { key: keys[0] })
  await unseal(app, { key: foreign[1] })
  const refused = await unseal(app, { key: keys[2] })
  expect(refused.status).toBe(400)
  expect(refused.text).not.toContain(keys[2])
  expect(await status(app)).toMatchObject({ sealed: true, progress: 0, nonce: '' })
  for (const key of keys.slice(0, 3)) await unseal(app, { key })
  expect((await status(app)).sealed).toBe(false)
})

test('right shares get 503 and the node stays sealed if a feature fails to start; a retry succeeds', async () => {
  let broken = false
  const fragile = defineFeature({
    name: 'fragile',
    onUnsealed: async () => {
      if (broken) throw failure('unavailable', 'fragile.away', 'not now')
    },
  })
  const app = await shamirApp({ features: [...features, fragile] })
  const { keys } = (await init(app)).body
  for (const key of keys.slice(0, 2)) await unseal(app, { key })
  broken = true
  expect(await unseal(app, { key: keys[2] })).toMatchObject({ status: 503, body: { errors: ['not now'] } })
  expect(await status(app)).toMatchObject({ sealed: true, progress: 0 })
  broken = false
  for (const key of keys.slice(0, 3)) await unseal(app, { key })
  expect((await status(app)).sealed).toBe(false)
})

test('reset discards the shares entered so far', async () => {
  const app = await shamirApp()
  const { keys } = (await init(app)).body
  await unseal(app, { key: keys[0] })
  expect((await unseal(app, { reset: true })).body).toMatchObject({ progress: 0, nonce: '' })
  await unseal(app, { key: keys[1] })
  expect((await unseal(app, { key: keys[2] })).body).toMatchObject({ sealed: true, progress: 2 })
})

test('with one share and threshold one the share is the key itself', async () => {
  const app = await shamirApp()
  const { keys } = (await init(app, { secret_shares: 1, secret_threshold: 1 })).body
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
  expect((await unseal(app, { key: keys[0] })).body).toMatchObject({ sealed: false, t: 1, n: 1 })
})

test('init accepts number strings and empty optional fields', async () => {
  const app = await shamirApp()
  const body = {
    secret_shares: '3',
    secret_threshold: '2',
    stored_shares: 0,
    pgp_keys: null,
    recovery_shares: 0,
    recovery_threshold: 0,
    recovery_pgp_keys: null,
    root_token_pgp_key: '',
  }
  expect((await init(app, body)).status).toBe(200)
})

const oneShare = { secret_shares: 1, secret_threshold: 1 }
const rsa = pgpKey('rsa.pub')

test('with PGP keys each share and the root token can be decrypted only by the holder', async () => {
  const app = await shamirApp()
  const names = ['rsa', 'curve', 'nist']
  const { keys, keys_base64, root_token } = (
    await init(app, {
      secret_shares: 3,
      secret_threshold: 2,
      pgp_keys: names.map((name) => pgpKey(`${name}.pub`)),
      root_token_pgp_key: pgpKey('single.pub'),
    })
  ).body
  expect(keys).toEqual(keys_base64.map((each: string) => Buffer.from(each, 'base64').toString('hex')))
  const shares = names.map((name, index) => decryptPgp(`${name}.sec`, Buffer.from(keys[index], 'hex')))
  expect(shares).toEqual(Array(3).fill(expect.stringMatching(/^[0-9a-f]{66}$/)))
  await unseal(app, { key: shares[2] })
  expect((await unseal(app, { key: shares[0] })).body).toMatchObject({ sealed: false })
  const token = decryptPgp('single.sec', Buffer.from(root_token, 'base64'))
  expect((await app.anonymous.as(token).get('/v1/auth/token/lookup-self')).body.data.policies).toEqual(['root'])
})

describe('refusals', () => {
  const app = sharedApp({ settings: shamir })

  test.each([
    ['no shares', {}, /shares/],
    ['no threshold', { secret_shares: 3 }, /threshold/],
    ['a threshold of 1 for several', { secret_shares: 3, secret_threshold: 1 }, /threshold/],
    ['too many shares', { secret_shares: 256, secret_threshold: 3 }, /255/],
    ['a threshold above the shares', { secret_shares: 2, secret_threshold: 3 }, /threshold/],
    ['negative shares', { secret_shares: -1, secret_threshold: 1 }, /shares/],
    ['recovery fields', { secret_shares: 1, secret_threshold: 1, recovery_shares: 3 }, /recovery_shares/],
    ['a PGP key too few', { secret_shares: 3, secret_threshold: 2, pgp_keys: [rsa, rsa] }, /2 keys for 3 shares/],
    [
      'a PGP key that is none',
      { secret_shares: 2, secret_threshold: 2, pgp_keys: [rsa, 'AAAA'] },
      /pgp_keys, number 2/,
    ],
    ['a PGP key that has expired', { ...oneShare, pgp_keys: [pgpKey('expiring.pub')] }, /pgp_keys, number 1.*expired/],
    ['a PGP key that is not base64', { ...oneShare, pgp_keys: ['-----BEGIN'] }, /base64/],
    ['a PGP key of many blanks', { ...oneShare, pgp_keys: [`${' '.repeat(500_000)}-`] }, /base64/],
    ['a bad PGP key for the token', { ...oneShare, root_token_pgp_key: 'AAAA' }, /^root_token_pgp_key: /],
  ])('init with %s gets 400 and initialises nothing', async (_what, body, text) => {
    const answer = await init(app, body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0]).toMatch(text)
    expect((await app.anonymous.get('/v1/sys/init')).body).toEqual({ initialized: false })
  })

  test('unseal before init gets 400', async () => {
    expect((await unseal(app, { key: 'ab'.repeat(33) })).status).toBe(400)
  })

  test.each([
    ['nothing', {}],
    ['an empty key', { key: '' }],
    ['neither hex nor base64', { key: 'not a key!' }],
    ['a key of another length', { key: 'abcd' }],
    ['a key that was not split', { key: 'ab'.repeat(32) }],
  ])('unseal with %s gets 400 and adds no progress', async (_what, body) => {
    const other = await shamirApp()
    await init(other)
    expect((await unseal(other, body)).status).toBe(400)
    expect((await status(other)).progress).toBe(0)
  })
})

describe('an automatic seal', () => {
  const app = sharedApp()

  test('opens by itself, returns a recovery key, and cannot be initialised again', async () => {
    expect(app.app.initialised).toMatchObject({ rootToken: app.rootToken, recoveryKey: expect.any(Buffer) })
    expect(await status(app)).toMatchObject({ type: 'auto', sealed: false, initialized: true, recovery_seal: true })
    expect((await init(app)).status).toBe(400)
  })

  test('seal and rotate need sudo, key-status does not; 20 concurrent rotations all get 204', async () => {
    const calls = await tokenCalls(app)
    await calls.policy('plain', 'path "sys/*" { capabilities = ["create", "read", "update"] }')
    const plain = calls.as(await calls.create({ policies: ['plain'] }))
    for (const path of ['seal', 'rotate', 'rotate/keyring', 'step-down'])
      expect((await plain.put(`/v1/sys/${path}`)).status, path).toBe(403)
    expect((await app.anonymous.put('/v1/sys/seal')).status).toBe(403)
    expect((await plain.get('/v1/sys/key-status')).body).toMatchObject({ term: 1, data: { term: 1 } })
    expect((await app.root.put('/v1/sys/rotate')).status).toBe(204)
    const crowd = await Promise.all(Array.from({ length: 20 }, () => app.root.put('/v1/sys/rotate')))
    expect(new Set(crowd.map(({ status }) => status))).toEqual(new Set([204]))
    expect((await app.root.get('/v1/sys/key-status')).body.data.term).toBe(22)
    expect((await app.root.post('/v1/sys/rotate/keyring')).status).toBe(204)
    expect((await app.root.get('/v1/sys/key-status')).body.data.term).toBe(23)
    expect((await status(app)).sealed).toBe(false)
  })

  test('seal-status shows the compatible version and the version of Holdfast', async () => {
    expect(await status(app)).toMatchObject({
      version: '1.21.0+ent',
      holdfast_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      migration: false,
      storage_type: 'raft',
      cluster_name: expect.stringMatching(/^holdfast-cluster-/),
    })
  })
})
