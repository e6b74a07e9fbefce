import { expect, test } from 'vitest'
import { siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, type Person, person } from '../../../../test/support/platform.ts'
import { secret } from '../../../kernel/secret.ts'
import { redeemLink, startSession } from '../users/index.ts'

const first = 'first password of everyone'
const second = 'second password of everyone'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  /** Holds the next call of a function of the password hasher until `letGo`; `reached` when its work is done. */
  const holdNext = (name: 'matches' | 'hash') => {
    const { passwords } = site.app.deps
    const reached = Promise.withResolvers<void>()
    const { promise: released, resolve: letGo } = Promise.withResolvers<void>()
    const real = passwords[name] as (...values: unknown[]) => Promise<unknown>
    const held = async (...values: unknown[]) => {
      Object.assign(passwords, { [name]: real })
      const result = await real.apply(passwords, values)
      reached.resolve()
      await released
      return result
    }
    Object.assign(passwords, { [name]: held })
    return { reached: reached.promise, letGo }
  }

  const changePassword = (who: Person, current: string, password: string) =>
    who.patch('/api/v2/account/password', doc('users', { 'current-password': current, password }))

  const resetLink = async (who: Person): Promise<string> => {
    const made = mustBe(await site.app.root.post(`/api/v2/admin/users/${who.id}/actions/reset-password`), 201).body.data
    return (made.attributes['reset-url'] as string).slice(site.app.url.length)
  }

  const signIn = (username: string, password: string) =>
    site.newBrowser().submit('/app/sign-in', { username, password })

  test('password change: a sign-in that checked the old password before it is 401', async () => {
    const bob = await person(site.app, 'bob', first)
    const held = holdNext('matches')
    const late = site.newBrowser()
    const signingIn = late.submit('/app/sign-in', { username: 'bob', password: first })
    await held.reached
    mustBe(await changePassword(bob, first, second), 200)
    held.letGo()
    const refused = mustBe(await signingIn, 401)
    expect(refused.text).toContain('Wrong username or password.')
    expect(late.cookie()).toBe('')
    mustBe(await signIn('bob', second), 303)
  })

  test('password change: a later one that checked the old password before it is 422', async () => {
    const cat = await person(site.app, 'cat', first)
    const held = holdNext('matches')
    const late = changePassword(cat, first, 'the password of a thief')
    await held.reached
    mustBe(await changePassword(cat, first, second), 200)
    held.letGo()
    const refused = mustBe(await late, 422).body.errors[0]
    expect(refused).toEqual(mustBe(await changePassword(cat, first, second), 422).body.errors[0])
    mustBe(await signIn('cat', 'the password of a thief'), 401)
    mustBe(await signIn('cat', second), 303)
  })

  test('first password: it does not replace one that a link has set meanwhile', async () => {
    const dan = await person(site.app, 'dan')
    const text = await startSession(site.app.deps, { userId: dan.id, remoteAddress: '127.0.0.1', userAgent: '' })
    const cookie = `holdfast_session=${text}`
    const session = mustBe(await site.app.anonymous.get('/app/session', { headers: { cookie } }), 200)
    const headers = { cookie, 'x-csrf-token': session.body.csrf_token }
    const link = await resetLink(dan)
    const held = holdNext('hash')
    const body = doc('users', { password: second })
    const late = site.app.anonymous.send('PATCH', '/api/v2/account/password', body, { headers })
    await held.reached
    mustBe(await site.newBrowser().submit(link, { password: first, password_confirmation: first }), 303)
    held.letGo()
    mustBe(await late, 422)
    mustBe(await signIn('dan', second), 401)
    mustBe(await signIn('dan', first), 303)
  })

  test('link: when its password is replaced before the session starts, no session starts', async () => {
    const { deps } = site.app
    const eve = await person(site.app, 'eve', 'forgotten password')
    const link = await resetLink(eve)
    const { user, claim } = await redeemLink(deps, 'reset', link.split('/').at(-1) ?? '', secret(first))
    const start = { userId: user.id, remoteAddress: '127.0.0.1', userAgent: '', claim }
    await startSession(deps, start)
    mustBe(await changePassword(eve, first, second), 200)
    await expect(startSession(deps, start)).rejects.toMatchObject({ kind: 'missing' })
    expect(await deps.db.selectFrom('sessions').select('id').where('user_id', '=', eve.id).execute()).toEqual([])
  })
})
