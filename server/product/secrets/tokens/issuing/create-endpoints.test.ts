import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { type Auth, deniedAnswer, noTokenAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { insertToken } from '../records/token-store.ts'
import { tokenId } from '../records/token-text-actions.ts'
import { blankToken } from './new-token-actions.ts'

const app = sharedApp()
const calls = shared(() => tokenCalls(app))
/** Callers that may create tokens: without sudo and with it. */
let maker: Client
let chief: Client
beforeAll(async () => {
  await calls.policy('web', 'path "secret/web" { capabilities = ["read"] }')
  maker = calls.as(await calls.create({ policies: ['maker', 'web'] }))
  chief = calls.as(await calls.create({ policies: ['chief'] }))
})

describe('permissions', () => {
  test('without the update capability, creating a token gets 403', async () => {
    const plain = calls.as(await calls.create({ policies: ['web'] }))
    for (const path of ['create', 'create-orphan', 'create/role']) {
      expect(await plain.post(`/v1/auth/token/${path}`, {})).toMatchObject(deniedAnswer)
      expect(await app.anonymous.post(`/v1/auth/token/${path}`, {})).toMatchObject(noTokenAnswer)
    }
  })

  test('GET and DELETE get 405', async () => {
    expect((await app.root.get('/v1/auth/token/create')).status).toBe(405)
    expect((await app.root.delete('/v1/auth/token/create')).status).toBe(405)
  })
})

describe('refused with 400', () => {
  test.each([
    ['batch with an explicit maximum', { type: 'batch', explicit_max_ttl: '1h' }, 'explicit_max_ttl'],
    ['batch with uses', { type: 'batch', num_uses: 1 }, 'num_uses'],
    ['batch with a period', { type: 'batch', period: '1h' }, 'period'],
    ['unknown type', { type: 'recovery' }, "unknown token type 'recovery'"],
    ['negative uses', { num_uses: -1 }, 'negative'],
    ['alias without role', { entity_alias: 'ann' }, 'entity_alias'],
    ['id with a dot', { id: 'hfs.chosen' }, 'without blanks and dots'],
    ['root on batch', { type: 'batch', policies: ['root'] }, 'batch tokens cannot be root'],
    ['the wrapping policy', { policies: ['response-wrapping'] }, 'response-wrapping'],
    ['unreadable lifetime', { ttl: '1w' }, "'ttl'"],
    ['negative lifetime', { ttl: -1 }, "'ttl'"],
    ['fraction without a unit', { explicit_max_ttl: '1.5' }, "'explicit_max_ttl'"],
    ['negative period', { period: '-1h' }, "'period'"],
    ['uses that are no number', { num_uses: 'many' }, "'num_uses'"],
  ])('%s', async (_case, fields, text) => {
    expect(await calls.refusal({ policies: ['web'], ...fields })).toContain(text)
  })

  test.each([
    ['a chosen id', { id: 'chosen' }, 'root or sudo'],
    ['an orphan', { no_parent: true }, 'root or sudo'],
    ['a period', { period: '1h' }, 'root or sudo'],
    ['a policy the caller lacks', { policies: ['chief'] }, 'subset'],
    ['root', { policies: ['root'] }, 'subset'],
    ['root in other letters', { policies: [' RoOt '] }, 'subset'],
  ])('without sudo: %s', async (_case, fields, text) => {
    expect(await calls.refusal(fields, maker)).toContain(text)
  })

  test('a caller with sudo cannot create root tokens but may grant any other policy, orphan and period', async () => {
    expect(await calls.refusal({ policies: ['root'] }, chief)).toContain('only be created by root')
    expect(await calls.create({ policies: ['anything'], no_parent: true, period: '1h' }, chief)).toMatchObject({
      policies: ['anything', 'default'],
      orphan: true,
    })
  })

  test('batch tokens and tokens with limited uses cannot create children', async () => {
    const batch = await calls.create({ type: 'batch', policies: ['maker'] })
    expect(await calls.refusal({}, calls.as(batch))).toContain('batch tokens cannot create')
    const counted = await calls.create({ policies: ['maker'], num_uses: 5 })
    expect(await calls.refusal({}, calls.as(counted))).toContain('limited number of uses')
  })

  test('renewable: null means the default', async () => {
    expect(await calls.create({ ttl: '1h', renewable: null })).toMatchObject({ renewable: true })
    expect(await calls.create({ ttl: '1h', renewable: false })).toMatchObject({ renewable: false })
  })

  test('an expiring root token cannot create a root token that never expires', async () => {
    const root = await calls.create({ policies: ['root'], ttl: '1h' })
    expect(root).toMatchObject({ lease_duration: 3600, renewable: true })
    expect(await calls.refusal({ policies: ['root'] }, calls.as(root))).toContain('expires')
    expect(await calls.create({ policies: ['root'], ttl: '30m' }, calls.as(root))).toMatchObject({
      lease_duration: 1800,
    })
  })
})

describe('policies', () => {
  test.each([
    ['none asked: those of the parent', {}, () => maker, ['default', 'maker', 'web']],
    ['a part of the parent’s', { policies: ['web'] }, () => maker, ['default', 'web']],
    ['without default', { policies: ['web'], no_default_policy: true }, () => maker, ['web']],
    ['none asked and without default', { no_default_policy: true }, () => maker, ['maker', 'web']],
    ['in other letters, twice, with blanks', { policies: ['WEB', ' web ', ''] }, () => maker, ['default', 'web']],
    ['as one text', { policies: 'web, maker' }, () => maker, ['default', 'maker', 'web']],
    ['anything with sudo', { policies: ['other'] }, () => chief, ['default', 'other']],
    ['root swallows the rest', { policies: ['web', 'root'] }, () => app.root, ['root']],
    ['a look-alike of root is an unknown policy', { policies: ['rоot'] }, () => app.root, ['default', 'rоot']],
  ] as const)('%s', async (_case, fields, by, policies) => {
    expect((await calls.create(fields, by())).policies).toEqual(policies)
  })

  test('the default policy is added to a child only if its parent has it', async () => {
    const bare = await calls.create({ policies: ['maker', 'web'], no_default_policy: true })
    expect((await calls.create({ policies: ['web'] }, calls.as(bare))).policies).toEqual(['web'])
  })

  test('a policy that does not exist gives a warning', async () => {
    const answer = await app.root.post('/v1/auth/token/create', { policies: ['nobody-wrote-it'] })
    expect(answer.body.warnings).toEqual([expect.stringContaining("'nobody-wrote-it' does not exist")])
  })
})

describe('fields', () => {
  const made = async (fields: object, by: Client = app.root) => await calls.lookup(await calls.create(fields, by))

  test('empty strings, as Terraform sends them, mean unset', async () => {
    const auth = await calls.create({
      display_name: 'terraform',
      ttl: '1200s',
      explicit_max_ttl: '1200s',
      renewable: false,
      num_uses: 0,
      type: '',
      entity_alias: '',
      period: '',
      id: '',
    })
    expect(auth).toMatchObject({ lease_duration: 1200, renewable: false, policies: ['root'] })
    expect(await calls.lookup(auth)).toMatchObject({ display_name: 'token-terraform', explicit_max_ttl: 1200 })
  })

  test.each([
    ['ttl as a number', { ttl: 90 }, { ttl: 90, creation_ttl: 90 }],
    ['ttl as digits', { ttl: '90' }, { ttl: 90 }],
    ['the old name of ttl', { lease: '2m' }, { ttl: 120 }],
    ['ttl wins over its old name', { ttl: '1m', lease: '2m' }, { ttl: 60 }],
    ['no ttl: the default', {}, { ttl: 2_764_800 }],
    ['above the maximum', { ttl: '1000h' }, { ttl: 2_764_800 }],
    ['explicit maximum below ttl', { ttl: '2h', explicit_max_ttl: '1h' }, { ttl: 3600, explicit_max_ttl: 3600 }],
    ['period', { period: '1h', ttl: '5m' }, { ttl: 3600, period: 3600 }],
    ['period above the maximum', { period: '1000h' }, { ttl: 2_764_800 }],
    ['display name', { display_name: 'a b/c_d' }, { display_name: 'token-a-b-c-d' }],
    ['metadata', { meta: { a: 'b' } }, { meta: { a: 'b' } }],
    ['metadata as texts', { meta: 'a=b' }, { meta: { a: 'b' } }],
    ['orphan', { no_parent: true }, { orphan: true }],
    ['orphan as text', { no_parent: 'true' }, { orphan: true }],
    ['uses as text', { num_uses: '3' }, { num_uses: 3 }],
  ])('%s', async (_case, fields, expected) => {
    expect(await made({ policies: ['web'], ...fields })).toMatchObject(expected)
  })

  test('a lowered lifetime gives a warning', async () => {
    const answer = await app.root.post('/v1/auth/token/create', { policies: ['web'], ttl: '1000h' })
    expect(answer.body.warnings).toEqual([expect.stringContaining('lowered')])
  })

  test('a root token without a lifetime never expires and is not renewable', async () => {
    const root = await calls.create({ policies: ['root'] })
    expect(root).toMatchObject({ lease_duration: 0, renewable: false })
    expect(await calls.lookup(root)).toMatchObject({ ttl: 0, expire_time: null, renewable: false })
  })

  test('a chosen id is used with a warning, and using it twice gets 400', async () => {
    const answer = await app.root.post('/v1/auth/token/create', { id: 'chosen-by-me', policies: ['web'] })
    expect(answer.body.auth.client_token).toBe('chosen-by-me')
    expect(answer.body.warnings).toEqual([expect.stringContaining('guess')])
    expect(await calls.refusal({ id: 'chosen-by-me', policies: ['web'] })).toContain('in use')
    expect(await calls.isAlive(answer.body.auth as Auth)).toBe(true)
  })

  test('concurrent creations and revocations of one chosen id get only 200, 204 or 400', async () => {
    const body = { id: 'come-and-go', policies: ['web'] }
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, turn) =>
        turn % 2 === 0
          ? app.root.post('/v1/auth/token/create', body)
          : app.root.post('/v1/auth/token/revoke', { token: body.id }),
      ),
    )
    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 400].includes(status))).toEqual([])
  })

  test('unknown fields are named in a warning', async () => {
    const answer = await app.root.post('/v1/auth/token/create', { policies: ['web'], color: 'red' })
    expect(answer.body.warnings).toEqual([expect.stringContaining('[color]')])
  })

  test('the configured default and maximum lease TTL of the server bound its tokens', async () => {
    const short = await ownApp({ settings: { defaultLeaseTtl: 600, maxLeaseTtl: 1200 } })
    const ttlOf = async (fields: object) =>
      (await short.root.post('/v1/auth/token/create', { policies: ['default'], ...fields })).body.auth.lease_duration
    expect(await ttlOf({})).toBe(600)
    expect(await ttlOf({ ttl: '1h' })).toBe(1200)
  })
})

test('a token with a thousand ancestors cannot create children; revoking the first kills the last', async () => {
  const { deps } = app
  const texts = Array.from({ length: 1_000 }, (_, generation) => `generation-${generation}`)
  await inTransaction(deps.db, async (tx) => {
    for (const [index, text] of texts.entries()) {
      const parent = texts[index - 1]
      const parentId = parent === undefined ? '' : tokenId(deps, parent)
      await insertToken(tx, { ...blankToken(deps, text), policies: ['maker'], parentId, orphan: index === 0 })
    }
  })
  const last = app.root.as(texts[999] ?? '')
  expect(await calls.refusal({}, last)).toContain('ancestors')
  expect((await app.root.as(texts[998] ?? '').post('/v1/auth/token/create', {})).status).toBe(200)
  expect((await app.root.post('/v1/auth/token/revoke', { token: texts[0] })).status).toBe(204)
  expect((await last.get('/v1/auth/token/lookup-self')).status).toBe(403)
})
