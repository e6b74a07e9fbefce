import { expect, test } from 'vitest'
import { eachEngine } from '../support/databases.ts'
import { tries } from '../support/fault-pace.ts'
import { ownApp } from '../support/shared.ts'
import { tokenCalls } from '../support/token-calls.ts'
import { Stopwatch, storeChildTokens } from '../support/token-families.ts'

const children = tries(100_000, 10_000)

eachEngine((engine) => {
  test(`revoking a parent of ${children} children delays no other request by a second`, async () => {
    const app = await ownApp({ engine, runJobs: true })
    const calls = await tokenCalls(app)
    const parent = await calls.create({ policies: ['maker'] })
    const texts = await storeChildTokens(app, parent, children)
    const child = app.root.as(texts.at(-1) ?? '')
    expect((await child.get('/v1/auth/token/lookup-self')).status).toBe(200)
    const isCleaning = async () =>
      (await app.deps.db.selectFrom('tokens').select('id').where('revoked', '=', 1).executeTakeFirst()) !== undefined
    const watch = new Stopwatch()
    const token = { token: parent.client_token }
    expect((await watch.time(() => app.root.post('/v1/auth/token/revoke', token))).status).toBe(204)
    expect((await child.get('/v1/auth/token/lookup-self')).status).toBe(403)
    let made = 0
    for (; await isCleaning(); made++) {
      const answer = await watch.time(() => app.root.post('/v1/auth/token/create-orphan', { policies: ['default'] }))
      expect(answer.status).toBe(200)
    }
    expect(made).toBeGreaterThan(10)
    expect(watch.longest).toBeLessThan(tries(1_000, 10_000))
    const left = await app.deps.db.selectFrom('tokens').select('id').where('parent_id', '<>', '').execute()
    expect(left.length).toBeLessThan(10)
  })
})
