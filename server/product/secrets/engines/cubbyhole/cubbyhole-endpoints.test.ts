import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { deniedAnswer, invalidTokenAnswer, noTokenAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))

  const count = async (): Promise<number> =>
    (await app.deps.db.selectFrom('cubbyholes').select('path').execute()).length

  test('cubbyhole: values can be written, read, overwritten, listed and deleted', async () => {
    const token = calls.as(await calls.create({ policies: ['default'] }))
    expect((await token.list('/v1/cubbyhole')).status).toBe(404)
    expect((await token.post('/v1/cubbyhole/a', { n: 1, deep: { list: [true, null] } })).status).toBe(204)
    expect((await token.put('/v1/cubbyhole/b/c', { n: 2 })).status).toBe(204)
    expect((await token.post('/v1/cubbyhole/b/d/e', { n: 3 })).status).toBe(204)
    expect((await token.get('/v1/cubbyhole/a')).body.data).toEqual({ n: 1, deep: { list: [true, null] } })
    expect((await token.list('/v1/cubbyhole')).body.data.keys).toEqual(['a', 'b/'])
    expect((await token.list('/v1/cubbyhole/b')).body.data.keys).toEqual(['c', 'd/'])
    expect((await token.get('/v1/cubbyhole/b?list=true')).body.data.keys).toEqual(['c', 'd/'])
    await token.post('/v1/cubbyhole/a', { m: 1 })
    expect((await token.get('/v1/cubbyhole/a')).body.data).toEqual({ m: 1 })
    expect((await token.delete('/v1/cubbyhole/a')).status).toBe(204)
    expect((await token.delete('/v1/cubbyhole/a')).status).toBe(204)
    expect((await token.get('/v1/cubbyhole/a')).status).toBe(404)
    expect((await token.post('/v1/cubbyhole/a', {})).status).toBe(400)
  })

  test('cubbyhole: numbers come back to the last digit, as they were written', async () => {
    const token = calls.as(await calls.create({ policies: ['default'] }))
    const raw = '{"id":12345678901234567890,"rate":[0.12345678901234567890,1e400,1.0,-0,7],"text":"1.0"}'
    expect((await token.post('/v1/cubbyhole/exact', undefined, { raw })).status).toBe(204)
    expect((await token.get('/v1/cubbyhole/exact')).text).toContain(`"data":${raw}`)
  })

  test('cubbyhole: writes concurrent with the revocation of their token get 204 or 403 and leave no rows', async () => {
    for (let round = 0; round < 5; round++) {
      const token = await calls.create({ policies: ['default'] })
      const before = await count()
      const write = (number: number) => calls.as(token).post(`/v1/cubbyhole/${number}`, { number })
      const first = Array.from({ length: 10 }, (_, number) => write(number))
      const revoked = app.root.post('/v1/auth/token/revoke', { token: token.client_token })
      const later = Array.from({ length: 10 }, (_, number) => write(10 + number))
      for (const answer of await Promise.all([...first, ...later])) {
        if (answer.status !== 204) expect(answer).toMatchObject(invalidTokenAnswer)
      }
      await revoked
      expect(await count()).toBe(before)
    }
  })

  test('cubbyhole: a token sees only its own values; not even the root token sees those of others', async () => {
    const [one, two] = [await calls.create({ policies: ['default'] }), await calls.create({ policies: ['default'] })]
    await calls.as(one).post('/v1/cubbyhole/secret', { value: 'mine' })
    expect((await calls.as(two).get('/v1/cubbyhole/secret')).status).toBe(404)
    expect((await app.root.get('/v1/cubbyhole/secret')).status).toBe(404)
    expect(await app.anonymous.get('/v1/cubbyhole/secret')).toMatchObject(noTokenAnswer)
  })

  test('cubbyhole: deleting a value leaves other values and those of other tokens alone', async () => {
    const one = calls.as(await calls.create({ policies: ['default'] }))
    const two = calls.as(await calls.create({ policies: ['default'] }))
    for (const token of [one, two]) {
      for (const path of ['kept', 'secret']) await token.post(`/v1/cubbyhole/${path}`, { value: 'mine' })
    }
    expect((await one.delete('/v1/cubbyhole/secret')).status).toBe(204)
    expect((await one.list('/v1/cubbyhole')).body.data.keys).toEqual(['kept'])
    expect((await two.list('/v1/cubbyhole')).body.data.keys).toEqual(['kept', 'secret'])
  })

  test('cubbyhole: revoking a token deletes its values', async () => {
    const auth = await calls.create({ policies: ['default'] })
    const before = await count()
    await calls.as(auth).post('/v1/cubbyhole/secret', { value: 'mine' })
    expect(await count()).toBe(before + 1)
    await app.root.post('/v1/auth/token/revoke', { token: auth.client_token })
    expect(await count()).toBe(before)
  })

  test('cubbyhole: a first write takes `create`, another to the same path `update`', async () => {
    const granted = (words: string) => `path "cubbyhole/*" { capabilities = [${words}, "delete"] }`
    await calls.policy('creator', granted('"create"'))
    await calls.policy('updater', granted('"update"'))
    const creator = calls.as(await calls.create({ policies: ['creator'], no_default_policy: true }))
    expect((await creator.post('/v1/cubbyhole/a/b', { n: 1 })).status).toBe(204)
    expect(await creator.put('/v1/cubbyhole/a/b', { n: 2 })).toMatchObject(deniedAnswer)
    expect((await creator.delete('/v1/cubbyhole/a/b')).status).toBe(204)
    expect((await creator.put('/v1/cubbyhole/a/b', { n: 3 })).status).toBe(204)
    const updater = await calls.create({ policies: ['updater'], no_default_policy: true })
    expect(await calls.as(updater).post('/v1/cubbyhole/a', { n: 1 })).toMatchObject(deniedAnswer)
    await calls.policy('updater', granted('"create"'))
    expect((await calls.as(updater).post('/v1/cubbyhole/a', { n: 1 })).status).toBe(204)
    await calls.policy('updater', granted('"update"'))
    expect((await calls.as(updater).post('/v1/cubbyhole/a', { n: 2 })).status).toBe(204)
  })

  test('cubbyhole: a batch token gets 403', async () => {
    const batch = calls.as(await calls.create({ policies: ['default'], type: 'batch' }))
    const refused = { status: 403, body: { errors: [expect.stringContaining('only supported by service tokens')] } }
    expect(await batch.get('/v1/cubbyhole/a')).toMatchObject(refused)
    expect(await batch.post('/v1/cubbyhole/a', { a: 1 })).toMatchObject(refused)
    expect(await batch.list('/v1/cubbyhole')).toMatchObject(refused)
  })

  test('cubbyhole: values are stored encrypted', async () => {
    const token = calls.as(await calls.create({ policies: ['default'] }))
    await token.post('/v1/cubbyhole/sealed', { value: 'a-text-to-look-for' })
    const rows = await app.deps.db.selectFrom('cubbyholes').selectAll().where('path', '=', 'sealed').execute()
    expect(Buffer.from(rows[0]?.sealed ?? []).includes('a-text-to-look-for')).toBe(false)
  })

  test('cubbyhole: a value may have many megabytes, but no string of more than one', async () => {
    const token = calls.as(await calls.create({ policies: ['default'] }))
    const parts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`part-${at}`, `${at % 10}`.repeat(1024 * 1024)]))
    const value = parts(8)
    expect((await token.post('/v1/cubbyhole/big', value)).status).toBe(204)
    expect((await token.get('/v1/cubbyhole/big')).body.data).toEqual(value)
    const long = await token.post('/v1/cubbyhole/long', { value: 'x'.repeat(1024 * 1024 + 1) })
    expect([long.status, long.body.errors[0]]).toEqual([
      400,
      expect.stringContaining('a string has over 1048576 characters'),
    ])
    expect((await token.post('/v1/cubbyhole/big', parts(33))).status).toBe(413)
  })
})
