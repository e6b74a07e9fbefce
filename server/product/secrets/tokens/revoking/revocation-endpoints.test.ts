import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { finishRemovals, holdRemovals } from '../../../../../test/support/removals.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { type Auth, deniedAnswer, invalidTokenAnswer, tokenCalls } from '../../../../../test/support/token-calls.ts'
import { Stopwatch, storeChildTokens } from '../../../../../test/support/token-families.ts'
import type { JobRun } from '../../../../kit/job.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { findToken, findTokenByAccessor, insertToken, lockAncestryForShare } from '../records/token-store.ts'
import { revocationJobs, revokeAndOrphanChildren, revokeToken } from './revocation-actions.ts'
import { countLiving, markDead } from './revocation-store.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))

  /** Runs a job as the job runner would. */
  const runJob = async (name: string, key = ''): Promise<void> => {
    const job = revocationJobs.find((each) => each.name === name)
    await job?.run(app.deps, { kind: name, key } as JobRun)
  }
  const scheduled = async (kind: string): Promise<string[]> => {
    const rows = await app.deps.db.selectFrom('jobs').select('key').where('kind', '=', kind).execute()
    return rows.map((row) => row.key)
  }
  const tokenIdOf = async ({ accessor }: Auth): Promise<string> =>
    (await findTokenByAccessor(app.deps.db, accessor))?.id ?? ''
  const countRows = async (): Promise<number> => (await app.deps.db.selectFrom('tokens').select('id').execute()).length
  const accessors = async (): Promise<string[]> => (await app.root.list('/v1/auth/token/accessors')).body.data.keys

  describe('permissions', () => {
    test('a token with the default policy gets 403 for revoking, renewing or reading other tokens', async () => {
      const auth = await calls.create({ policies: ['default'] })
      const other = await calls.create({ policies: ['default'] })
      const token = calls.as(auth)
      expect(await token.post('/v1/auth/token/revoke', { token: other.client_token })).toMatchObject(deniedAnswer)
      const accessor = { accessor: other.accessor }
      for (const call of ['revoke-accessor', 'lookup-accessor', 'renew-accessor']) {
        expect(await token.post(`/v1/auth/token/${call}`, accessor)).toMatchObject(deniedAnswer)
      }
      expect(await token.list('/v1/auth/token/accessors')).toMatchObject(deniedAnswer)
      expect(await calls.isAlive(other)).toBe(true)
    })

    test('listing accessors and revoke-orphan need sudo', async () => {
      const maker = calls.as(await calls.create({ policies: ['maker'] }))
      const chief = calls.as(await calls.create({ policies: ['chief'] }))
      const victim = await calls.create({ policies: ['default'] })
      const token = { token: victim.client_token }
      expect(await maker.post('/v1/auth/token/revoke-orphan', token)).toMatchObject(deniedAnswer)
      expect(await maker.list('/v1/auth/token/accessors')).toMatchObject(deniedAnswer)
      expect((await chief.list('/v1/auth/token/accessors')).body.data.keys).toContain(victim.accessor)
      expect((await chief.post('/v1/auth/token/revoke-orphan', token)).status).toBe(204)
    })
  })

  describe('revoke', () => {
    test('a batch token gets 400', async () => {
      const batch = await calls.create({ policies: ['default'], type: 'batch' })
      const refused = { status: 400, body: { errors: ['batch tokens cannot be revoked'] } }
      expect(await app.root.post('/v1/auth/token/revoke', { token: batch.client_token })).toMatchObject(refused)
      expect(await calls.as(batch).post('/v1/auth/token/revoke-self')).toMatchObject(refused)
    })

    test('revoke-accessor of an unknown accessor gives a warning; without an accessor it gets 400', async () => {
      const auth = await calls.create({ policies: ['default'] })
      const revoke = (body: object) => app.root.post('/v1/auth/token/revoke-accessor', body)
      expect((await revoke({ accessor: auth.accessor })).status).toBe(204)
      expect(await calls.as(auth).get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
      const again = await revoke({ accessor: auth.accessor })
      expect(again).toMatchObject({ status: 200, body: { warnings: [expect.stringContaining('accessor')] } })
      expect((await revoke({})).status).toBe(400)
    })

    test('revoking a parent kills its batch child; an orphan batch token lives on', async () => {
      const parent = await calls.create({ policies: ['maker'] })
      const batch = await calls.create({ type: 'batch' }, calls.as(parent))
      const orphan = await calls.create({ type: 'batch' }, calls.as(parent), 'create-orphan')
      expect(await Promise.all([batch, orphan].map(calls.isAlive))).toEqual([true, true])
      await app.root.post('/v1/auth/token/revoke', { token: parent.client_token })
      expect(await Promise.all([batch, orphan].map(calls.isAlive))).toEqual([false, true])
    })

    test('revoke-orphan leaves the children alive, as orphans', async () => {
      const parent = await calls.create({ policies: ['maker'] })
      const child = await calls.create({}, calls.as(parent))
      const grandchild = await calls.create({}, calls.as(child))
      const call = () => app.root.post('/v1/auth/token/revoke-orphan', { token: parent.client_token })
      expect((await call()).status).toBe(204)
      expect(await Promise.all([parent, child, grandchild].map(calls.isAlive))).toEqual([false, true, true])
      expect(await calls.lookup(child)).toMatchObject({ orphan: true })
      expect((await call()).status).toBe(400)
      expect((await app.root.post('/v1/auth/token/revoke-orphan', {})).status).toBe(400)
    })

    test('revoke-orphan of a dead token gets 400, and its descendants stay dead', async () => {
      const dead = [await calls.create({ policies: ['maker'], ttl: '1m' }), await calls.create({ policies: ['maker'] })]
      const heir = await calls.create({}, calls.as(dead[0] as Auth))
      const children = [heir, await calls.create({}, calls.as(heir)), await calls.create({}, calls.as(dead[1] as Auth))]
      // More children than a request deletes: the token is marked as revoked, and the job deletes them later.
      await storeChildTokens(app, dead[1] as Auth, 250)
      await app.root.post('/v1/auth/token/revoke', { token: dead[1]?.client_token })
      app.clock.advance('2m')
      for (const { client_token: token } of [...dead, heir]) {
        expect((await app.root.post('/v1/auth/token/revoke-orphan', { token })).status).toBe(400)
      }
      expect(await Promise.all(children.map(calls.isAlive))).toEqual([false, false, false])
      await runJob('tokens.expire')
    })

    /** Revokes a token while a child of it is being created; returns both once all is done. */
    async function revokedWhileMaking(revoke: (parentId: string) => Promise<unknown>) {
      const parent = await findTokenByAccessor(app.deps.db, (await calls.create({ policies: ['maker'] })).accessor)
      if (!parent) throw new Error('the token is not there')
      const id = `child-of-${parent.accessor}`
      const child = { ...parent, id, accessor: id, parentId: parent.id, orphan: false }
      const [held, revoking] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const making = inTransaction(app.deps.db, async (tx) => {
        expect(await lockAncestryForShare(tx, parent.id)).toMatchObject({ intact: true })
        await insertToken(tx, child)
        held.resolve()
        await revoking.promise
      })
      await held.promise
      const revoked = revoke(parent.id)
      // Long enough for the revocation to finish if it did not wait.
      await Promise.race([revoked, setTimeout(80)])
      revoking.resolve()
      await Promise.all([making, revoked])
      return { parent, child }
    }

    test('revoke waits for a child that is being created and revokes it too', async () => {
      const { child } = await revokedWhileMaking((id) => revokeToken(app.deps, id))
      expect(await findToken(app.deps.db, child.id)).toBeUndefined()
      expect(await accessors()).not.toContain(child.accessor)
    })

    test('revoke-orphan waits for a child that is being created and keeps it alive as an orphan', async () => {
      const { parent, child } = await revokedWhileMaking((id) => revokeAndOrphanChildren(app.deps, id))
      expect(await findToken(app.deps.db, child.id)).toMatchObject({ parentId: '', orphan: true })
      expect(await inTransaction(app.deps.db, (tx) => lockAncestryForShare(tx, parent.id))).toMatchObject({
        intact: false,
      })
    })

    test('a child created during revoke-orphan of its parent is alive if its creation got 200', async () => {
      for (let round = 0; round < 15; round++) {
        const parent = await calls.create({ policies: ['maker'] })
        const make = () => calls.as(parent).post('/v1/auth/token/create', {})
        const revoke = () => app.root.post('/v1/auth/token/revoke-orphan', { token: parent.client_token })
        const [one, , other] = await Promise.all([make(), revoke(), make()])
        const made = [one, other].filter(({ status }) => status === 200).map(({ body }) => body.auth as Auth)
        expect(await Promise.all(made.map(calls.isAlive))).toEqual(made.map(() => true))
      }
    })

    test('revoking a parent of 150 children deletes all rows at once', async () => {
      const before = await countRows()
      const parent = await calls.create({ policies: ['maker'] })
      await storeChildTokens(app, parent, 150)
      await app.root.post('/v1/auth/token/revoke', { token: parent.client_token })
      expect(await countRows()).toBe(before)
    })

    test('revoking a parent of 1200 children kills all of them at once; their rows follow, as is shown', async () => {
      await finishRemovals(app)
      const before = await countRows()
      const parent = await calls.create({ policies: ['maker'] })
      const children = await storeChildTokens(app, parent, 1_200)
      const last = app.root.as(children.at(-1) ?? '')
      const grandchild = await calls.create({}, last)
      const seen = await accessors()
      expect(seen).toContain(grandchild.accessor)
      const mend = holdRemovals(app, 'tokens')
      expect((await app.root.post('/v1/auth/token/revoke', { token: parent.client_token })).status).toBe(204)
      expect((await app.root.get('/v1/sys/removals')).body.data.removals).toMatchObject([
        { kind: 'tokens', name: 'children of a revoked token', requested_by: 'root', rows_left: 1_200 },
      ])
      expect(await countRows()).toBe(before + 1_202)
      expect(await last.get('/v1/auth/token/lookup-self')).toMatchObject(invalidTokenAnswer)
      expect(await calls.isAlive(grandchild)).toBe(false)
      expect(await last.post('/v1/auth/token/create', {})).toMatchObject(invalidTokenAnswer)
      for (const call of ['lookup-accessor', 'renew-accessor']) {
        const answer = await app.root.post(`/v1/auth/token/${call}`, { accessor: grandchild.accessor })
        expect(answer.status).toBe(400)
      }
      expect(await accessors()).toHaveLength(before)
      mend()
      await finishRemovals(app)
      expect((await app.root.get('/v1/sys/removals')).body.data.removals).toEqual([])
      // What is below the children is left to another job.
      expect(await scheduled('tokens.sweep')).toEqual([''])
      await runJob('tokens.sweep')
      expect(await countRows()).toBe(before)
    })

    test('while a job deletes 10000 revoked children, other requests are answered promptly', async () => {
      const parent = await calls.create({ policies: ['maker'] })
      const texts = await storeChildTokens(app, parent, 10_000)
      const watch = new Stopwatch()
      const token = { token: parent.client_token }
      expect((await watch.time(() => app.root.post('/v1/auth/token/revoke', token))).status).toBe(204)
      let isDone = false
      const cleaning = finishRemovals(app).finally(() => {
        isDone = true
      })
      for (let index = 0; !isDone; index++) {
        const child = app.root.as(texts[index * 37] ?? '')
        expect((await watch.time(() => child.get('/v1/auth/token/lookup-self'))).status).toBe(403)
        expect((await watch.time(() => app.root.post('/v1/auth/token/create', {}))).status).toBe(200)
      }
      await cleaning
      expect(watch.longest).toBeLessThan(5_000)
      expect(await app.deps.db.selectFrom('tokens').select('id').where('revoked', '=', 1).execute()).toEqual([])
    })

    test('children created while their parent is being revoked are all dead, and no rows are left', async () => {
      const parent = await calls.create({ policies: ['maker'] })
      const creations = Array.from({ length: 30 }, () => calls.as(parent).post('/v1/auth/token/create', {}))
      const revocation = app.root.post('/v1/auth/token/revoke', { token: parent.client_token })
      const answers = await Promise.all([...creations, revocation])
      const made = answers.flatMap(({ body }) => (body?.auth ? [body.auth as Auth] : []))
      expect(await Promise.all(made.map(calls.isAlive))).toEqual(made.map(() => false))
      await runJob('tokens.tidy')
      const left = await app.deps.db.selectFrom('tokens').select('accessor').execute()
      const rows = left.map(({ accessor }) => accessor)
      expect(made.filter(({ accessor }) => rows.includes(accessor))).toEqual([])
    })

    test('concurrent revocations of one token all get 204', async () => {
      const auth = await calls.create({ policies: ['default'] })
      const token = { token: auth.client_token }
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.root.post('/v1/auth/token/revoke', token)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
    })
  })

  describe('expiry', () => {
    test('the job deletes expired tokens with their descendants and counts them', async () => {
      // Those that other tests left would be deleted, too.
      for (const job of ['tokens.expire', 'tokens.tidy']) await runJob(job)
      const before = await countRows()
      const parent = await calls.create({ policies: ['maker'], ttl: '1m' })
      await calls.create({ ttl: '1h' }, calls.as(parent))
      const later = await calls.create({ policies: ['default'], ttl: '1h' })
      app.clock.advance('61s')
      expect(await accessors()).toHaveLength(before + 1)
      await runJob('tokens.expire')
      expect(await countRows()).toBe(before + 1)
      expect(await calls.isAlive(later)).toBe(true)
      const metrics = await app.deps.metrics.render()
      expect(metrics).toMatch(/^holdfast_tokens_expired_total [1-9]/m)
      expect(metrics).toContain(`holdfast_tokens_active ${before + 1}`)
    })
  })

  test('tokens that are expired, revoked, or both, and still stored, are not counted as living', async () => {
    const living = () => countLiving(app.deps.db, app.clock.now())
    const before = await living()
    const ends = async (ttl: string) => tokenIdOf(await calls.create({ policies: ['default'], ttl }))
    await ends('1h')
    await ends('1m')
    const revoked = [await ends('1h'), await ends('1m')]
    expect(await living()).toBe(before + 4)
    await inTransaction(app.deps.db, (tx) => markDead(tx, revoked))
    expect(await living()).toBe(before + 2)
    app.clock.advance('61s')
    expect(await living()).toBe(before + 1)
  })

  test('tidy answers 202 and schedules a job', async () => {
    const answer = await app.root.post('/v1/auth/token/tidy')
    expect(answer).toMatchObject({ status: 202, body: { warnings: [expect.stringContaining('background')] } })
    expect(await scheduled('tokens.tidy')).toEqual([''])
  })
})
