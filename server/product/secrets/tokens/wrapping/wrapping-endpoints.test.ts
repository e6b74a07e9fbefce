import { describe, expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

type WrapInfo = { token: string; accessor: string; ttl: number; creation_time: string; creation_path: string }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  const plain = shared(async () => calls.as(await calls.create({ policies: ['default'] })))

  const wrapped = (ttl: string) => ({ headers: { 'x-service-wrap-ttl': ttl } })
  const wrap = async (value: object = { a: 1 }, ttl = '5m', by: Client = plain): Promise<WrapInfo> => {
    const answer = await by.post('/v1/sys/wrapping/wrap', value, wrapped(ttl))
    expect(answer.status, answer.text).toBe(200)
    return answer.body.wrap_info as WrapInfo
  }
  const gone = { status: 400, body: { errors: ['wrapping token is not valid or does not exist'] } }

  describe('wrap', () => {
    test('the answer holds wrap_info and nothing of the wrapped value', async () => {
      const answer = await plain.post('/v1/sys/wrapping/wrap', { secret: 'x' }, wrapped('60'))
      expect(answer.body).toMatchObject({ request_id: '', data: {}, auth: null, lease_id: '', warnings: null })
      expect(answer.text).not.toContain('"secret"')
      expect(answer.body.wrap_info).toEqual({
        token: expect.stringMatching(/^hfs\./),
        accessor: expect.any(String),
        ttl: 60,
        creation_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
        creation_path: 'sys/wrapping/wrap',
      })
    })

    test('an object of many megabytes comes back as it was sent', async () => {
      const parts = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, at) => [`part-${at}`, 'x'.repeat(1024 * 1024)]))
      const { token } = await wrap(parts(8))
      expect((await plain.post('/v1/sys/wrapping/unwrap', { token })).body.data).toEqual(parts(8))
      expect((await plain.post('/v1/sys/wrapping/wrap', parts(33), wrapped('60'))).status).toBe(413)
    })

    test('a missing, negative or zero wrap TTL gets 400', async () => {
      expect((await plain.post('/v1/sys/wrapping/wrap', { a: 1 })).status).toBe(400)
      expect((await plain.post('/v1/sys/wrapping/wrap', { a: 1 }, wrapped('-5'))).status).toBe(400)
      expect((await plain.post('/v1/sys/wrapping/wrap', { a: 1 }, wrapped('0'))).status).toBe(400)
    })

    test('part of a second is rounded up', async () => {
      expect((await wrap({ a: 1 }, '500ms')).ttl).toBe(1)
    })

    test('wrapped numbers unwrap digit for digit as they were written', async () => {
      const raw = '{"id":12345678901234567890,"rates":[1e400,1.0]}'
      const { token } = (await plain.post('/v1/sys/wrapping/wrap', undefined, { raw, ...wrapped('60') })).body.wrap_info
      expect((await app.root.as(token).post('/v1/sys/wrapping/unwrap')).text).toContain(`"data":${raw}`)
    })

    test('the answer of token creation can be wrapped, with wrapped_accessor in wrap_info', async () => {
      const created = await app.root.post('/v1/auth/token/create', { policies: ['default'] }, wrapped('1m'))
      expect(created.body.auth).toBeNull()
      const { token, wrapped_accessor } = created.body.wrap_info
      const inside = (await app.root.as(token).post('/v1/sys/wrapping/unwrap')).body
      expect(inside.auth.accessor).toBe(wrapped_accessor)
      expect(inside.request_id).toMatch(/^[0-9a-f-]{36}$/)
      expect(await calls.isAlive(inside.auth)).toBe(true)
    })

    test('errors and answers without content are not wrapped', async () => {
      expect(await plain.get('/v1/sys/policies/acl/x', wrapped('1m'))).toMatchObject(deniedAnswer)
      expect((await plain.get('/v1/cubbyhole/none', wrapped('1m'))).body).toEqual({ errors: [] })
      expect((await plain.post('/v1/cubbyhole/some', { a: 1 }, wrapped('1m'))).status).toBe(204)
    })

    test('the wrap TTL is not capped by the maximum lease TTL of the server', async () => {
      expect((await wrap({ a: 1 }, '2000h')).ttl).toBe(7_200_000)
    })
  })

  describe('unwrap', () => {
    test('called with the wrapping token, it gives the original answer once, then 400', async () => {
      const { token } = await wrap({ secret: 'x', deep: { n: [1] } })
      const opened = await app.root.as(token).post('/v1/sys/wrapping/unwrap')
      expect(opened).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } })
      expect(opened.body.data).toEqual({ secret: 'x', deep: { n: [1] } })
      expect(opened.body.wrap_info).toBeNull()
      expect(await app.root.as(token).put('/v1/sys/wrapping/unwrap')).toMatchObject(gone)
    })

    test('a wrapping token in the body can be unwrapped by another caller, by nobody and by itself', async () => {
      const [one, two, three] = [await wrap(), await wrap(), await wrap()]
      const by = (client: Client, token: string) => client.post('/v1/sys/wrapping/unwrap', { token })
      expect((await by(plain, one.token)).body.data).toEqual({ a: 1 })
      expect(await by(plain, one.token)).toMatchObject(gone)
      expect((await by(app.anonymous, two.token)).body.data).toEqual({ a: 1 })
      expect(await by(app.anonymous, two.token)).toMatchObject(gone)
      expect((await by(app.root.as(three.token), three.token)).body.data).toEqual({ a: 1 })
      expect(await by(app.root.as(three.token), three.token)).toMatchObject(gone)
    })

    test('with a wrap TTL header the answer is wrapped again, and the old wrapping token is gone', async () => {
      const [one, two] = [await wrap(), await wrap()]
      const named = await plain.post('/v1/sys/wrapping/unwrap', { token: one.token }, wrapped('20s'))
      const own = await app.root.as(two.token).post('/v1/sys/wrapping/unwrap', undefined, wrapped('20s'))
      for (const [{ token }, answer] of [[one, named] as const, [two, own] as const]) {
        expect(answer).toMatchObject({ status: 200, body: { request_id: '', data: {} } })
        expect(answer.body.wrap_info).toMatchObject({ ttl: 20, creation_path: 'sys/wrapping/unwrap' })
        expect(await plain.post('/v1/sys/wrapping/unwrap', { token })).toMatchObject(gone)
        const opened = await plain.post('/v1/sys/wrapping/unwrap', { token: answer.body.wrap_info.token })
        expect(opened.body).toMatchObject({ data: { a: 1 }, wrap_info: null })
      }
    })

    test('a token that is no wrapping token gets 400 and loses no use', async () => {
      const auth = await calls.create({ policies: ['default'], num_uses: 1 })
      expect(await plain.post('/v1/sys/wrapping/unwrap', { token: auth.client_token })).toMatchObject(gone)
      expect(await plain.post('/v1/sys/wrapping/unwrap')).toMatchObject(gone)
      expect(await plain.post('/v1/sys/wrapping/unwrap', { token: 'hfs.unknown' })).toMatchObject(gone)
      expect(await app.anonymous.post('/v1/sys/wrapping/unwrap')).toMatchObject(gone)
      expect(await app.root.as('hfs.unknown').post('/v1/sys/wrapping/unwrap')).toMatchObject(gone)
      const naming = await app.root.as('hfs.unknown').post('/v1/sys/wrapping/unwrap', { token: auth.client_token })
      expect(naming.status).toBe(403)
      expect(await calls.lookup(auth)).toMatchObject({ num_uses: 1 })
    })

    test('a caller whose policy denies unwrap gets 403, and the wrapping token stays usable', async () => {
      await calls.policy('no-unwrap', 'path "sys/wrapping/unwrap" { capabilities = ["deny"] }')
      const barred = calls.as(await calls.create({ policies: ['default', 'no-unwrap'] }))
      const { token } = await wrap()
      expect(await barred.post('/v1/sys/wrapping/unwrap', { token })).toMatchObject(deniedAnswer)
      expect((await plain.post('/v1/sys/wrapping/unwrap', { token })).status).toBe(200)
    })

    test('of 50 concurrent callers exactly one gets the answer', async () => {
      const { token } = await wrap()
      const own = Array.from({ length: 25 }, () => app.root.as(token).post('/v1/sys/wrapping/unwrap'))
      const named = Array.from({ length: 25 }, () => plain.post('/v1/sys/wrapping/unwrap', { token }))
      const answers = await Promise.all([...own, ...named])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    })

    test('after its TTL a wrapping token gets 400', async () => {
      const { token } = await wrap({ a: 1 }, '10s')
      app.clock.advance('10s')
      expect(await app.root.as(token).post('/v1/sys/wrapping/unwrap')).toMatchObject(gone)
      expect(await plain.post('/v1/sys/wrapping/lookup', { token })).toMatchObject(gone)
    })

    test('a wrapping token gets 403 on lookup-self', async () => {
      const { token } = await wrap()
      expect((await app.root.as(token).get('/v1/auth/token/lookup-self')).status).toBe(403)
    })

    test('a wrapping token can read its answer once from cubbyhole/response', async () => {
      const { token } = await wrap({ secret: 'x' })
      const answer = await app.root.as(token).get('/v1/cubbyhole/response')
      expect(JSON.parse(answer.body.data.response).data).toEqual({ secret: 'x' })
      expect(await plain.post('/v1/sys/wrapping/unwrap', { token })).toMatchObject(gone)
    })
  })

  describe('lookup and rewrap', () => {
    test('lookup shows TTL, time and path to any caller and does not use up the wrapping token', async () => {
      const info = await wrap({ a: 1 }, '5m')
      const expected = { creation_ttl: 300, creation_time: info.creation_time, creation_path: 'sys/wrapping/wrap' }
      const { token } = info
      expect((await app.anonymous.post('/v1/sys/wrapping/lookup', { token })).body.data).toEqual(expected)
      expect((await app.root.as(token).post('/v1/sys/wrapping/lookup')).body.data).toEqual(expected)
      expect((await app.root.as(token).get('/v1/sys/wrapping/lookup')).body.data).toEqual(expected)
      const asToken = await app.root.post('/v1/auth/token/lookup', { token })
      expect(asToken.body.data).toMatchObject({ policies: ['response-wrapping'], num_uses: 1, renewable: false })
      expect((await app.root.as(token).post('/v1/sys/wrapping/unwrap')).status).toBe(200)
      expect(await app.anonymous.post('/v1/sys/wrapping/lookup', {})).toMatchObject(gone)
    })

    test('rewrap replaces the wrapping token by a new one with the same TTL and creation path', async () => {
      const old = await wrap({ a: 1 }, '5m')
      app.clock.advance('1m')
      const answer = await app.root.as(old.token).post('/v1/sys/wrapping/rewrap')
      const fresh = answer.body.wrap_info as WrapInfo
      expect(fresh).toMatchObject({ ttl: 300, creation_path: 'sys/wrapping/wrap' })
      expect(fresh.token).not.toBe(old.token)
      expect(await app.root.as(old.token).post('/v1/sys/wrapping/unwrap')).toMatchObject(gone)
      const again = (await app.root.post('/v1/sys/wrapping/rewrap', { token: fresh.token })).body.wrap_info
      expect(await app.root.post('/v1/sys/wrapping/rewrap', { token: fresh.token })).toMatchObject(gone)
      expect((await plain.post('/v1/sys/wrapping/unwrap', { token: again.token })).body.data).toEqual({ a: 1 })
      expect(await plain.post('/v1/sys/wrapping/rewrap', { token: again.token })).toMatchObject(deniedAnswer)
    })
  })
})
