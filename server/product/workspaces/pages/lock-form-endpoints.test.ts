import { expect, test } from 'vitest'
import { type Browser, noticeIn, siteWithAnn } from '../../../../test/support/browser.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import {
  doc,
  join,
  mustBe,
  organization,
  type Person,
  person,
  team,
  workspaceIn,
} from '../../../../test/support/platform.ts'
import { shared } from '../../../../test/support/shared.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import { forceUnlockShown, loadWorkspace } from '../workspaces/index.ts'

eachEngine((engine) => {
  const site = siteWithAnn(engine)

  /** A workspace of ann, and ben who may do with it what the access of a team allows. */
  const at = shared(async () => {
    const org = await organization(site.ann, 'locks')
    const ben = await person(site.app, 'ben')
    const helpers = await team(org, 'helpers')
    await join(org, ben, [helpers.id])
    return { org, ben, helpersId: helpers.id }
  })

  let made = 0
  const workspaceWith = async (access: 'read' | 'write') => {
    const name = `made-${++made}`
    const id = await workspaceIn(at.org, { name })
    const linked = {
      workspace: { data: { type: 'workspaces', id } },
      team: { data: { type: 'teams', id: at.helpersId } },
    }
    mustBe(await site.ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access }, linked)), 201)
    const page = `/app/${at.org.name}/workspaces/${name}`
    const lock = async () => (await site.ann.get(`/api/v2/workspaces/${id}`)).body.data.attributes
    return { id, page, lock }
  }

  const signedIn = async (who: Person): Promise<Browser> => {
    const page = site.newBrowser()
    mustBe(await page.submit('/app/sign-in', { token: who.token }), 303)
    return page
  }

  const shownTo = async (browser: Browser, page: string): Promise<string> => mustBe(await browser.get(page), 200).text

  test('lock form: needs a session, the proof that it is ours, and the right', async () => {
    const { page, lock } = await workspaceWith('read')
    const asked = mustBe(await site.newBrowser().submit(`${page}/actions/lock`, {}), 303)
    expect(asked.headers.location).toBe(`/app/sign-in?next=${encodeURIComponent(page)}`)
    const ann = await signedIn(site.ann)
    mustBe(await ann.submit(`${page}/actions/lock`, {}), 403)
    const ben = await signedIn(at.ben)
    expect(await shownTo(ben, page)).not.toContain('/actions/')
    const csrf = await ben.csrf()
    for (const verb of ['lock', 'unlock', 'force-unlock']) {
      const refused = mustBe(await ben.submit(`${page}/actions/${verb}`, { csrf }), 403)
      expect(refused.text).toContain('You are not allowed to do this to the workspace.')
    }
    mustBe(await (await signedIn(await person(site.app, 'stranger'))).get(page), 404)
    expect((await lock()).locked).toBe(false)
  })

  test('lock form: locks with a reason and unlocks; a second click of either is no error', async () => {
    const { page, lock } = await workspaceWith('write')
    const ben = await signedIn(at.ben)
    const csrf = await ben.csrf()
    expect(await shownTo(ben, page)).toContain(`action="${page}/actions/lock"`)
    const send = (verb: string) => ben.submit(`${page}/actions/${verb}`, { csrf, reason: ' moving <b>house</b> ' })
    for (const answer of await Promise.all([send('lock'), send('lock')]))
      expect(mustBe(answer, 303).headers.location).toBe(page)
    expect(await lock()).toMatchObject({ locked: true, 'locked-reason': 'moving <b>house</b>' })
    const locked = await shownTo(ben, page)
    expect(locked).toContain('moving &lt;b&gt;house&lt;/b&gt;')
    expect(locked).toContain(`action="${page}/actions/unlock"`)
    for (const answer of await Promise.all([send('unlock'), send('unlock')])) mustBe(answer, 303)
    expect((await lock()).locked).toBe(false)
  })

  test('lock form: the lock of somebody else is only broken by force, in two steps, by who may, and as shown', async () => {
    const { id, page, lock } = await workspaceWith('write')
    mustBe(await at.ben.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'mine' }), 200)
    const ann = await signedIn(site.ann)
    const csrf = await ann.csrf()
    const send = (verb: string, fields = {}) => ann.submit(`${page}/actions/${verb}`, { csrf, ...fields })
    for (const verb of ['lock', 'unlock']) {
      const { text } = mustBe(await send(verb), 409)
      expect(text).toContain('role="alert" id="problem">Nothing was changed: somebody else holds the lock.')
      expect(text.match(/locked by ben since/g)).toHaveLength(1)
      const opened = mustBe(await ann.get(`${page}/actions/${verb}`), 303)
      expect(opened.headers.location).toBe(page)
      expect(text).toContain('<title>Error: ')
    }
    const shown = await shownTo(ann, page)
    expect(shown).toMatch(/<details><summary>Force unlock<\/summary>[\s\S]*class="grave"/)
    expect(shown).not.toContain('/actions/unlock"')
    const since = /name="since" value="([^"]+)"/.exec(shown)?.[1] as string
    expect(mustBe(await send('force-unlock', { since: '2020-01-01T00:00:00.000Z' }), 409).text).toContain(
      'Another lock was taken after this page was shown.',
    )
    expect((await lock()).locked).toBe(true)
    mustBe(await send('force-unlock', { since }), 303)
    mustBe(await send('force-unlock', { since }), 303)
    expect(noticeIn(await shownTo(ann, page))).toMatch(/^made-\d+ is unlocked by force\.$/)
    expect((await lock()).locked).toBe(false)
  })

  test('lock form: who may only lock and unlock cannot break the lock of somebody else', async () => {
    const { id, page, lock } = await workspaceWith('write')
    mustBe(await site.ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const ben = await signedIn(at.ben)
    expect(await shownTo(ben, page)).not.toContain('/actions/force-unlock')
    const refused = mustBe(await ben.submit(`${page}/actions/force-unlock`, { csrf: await ben.csrf() }), 403)
    expect(refused.text).toContain('You are not allowed to do this to the workspace.')
    expect((await lock()).locked).toBe(true)
  })

  test('lock form: a lock that is taken while the form is worked on is not broken', async () => {
    const { id, lock } = await workspaceWith('write')
    mustBe(await at.ben.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'first' }), 200)
    const { deps } = site.app
    const workspace = await loadWorkspace(deps.db, id)
    if (!workspace) throw new Error('The workspace is missing.')
    const shownSince = (await lock())['locked-at']
    mustBe(await at.ben.post(`/api/v2/workspaces/${id}/actions/unlock`), 200)
    site.app.clock.advance('1s')
    mustBe(await at.ben.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'second' }), 200)
    const force = () => forceUnlockShown(deps, serverAuthor, { workspace, allows: () => true }, shownSince)
    await expect(force()).rejects.toMatchObject({ kind: 'conflict', code: 'lock.another' })
    expect(await lock()).toMatchObject({ locked: true, 'locked-reason': 'second' })
  })

  test('lock form: a page says once what was done, has the focus there, and tells teams from people', async () => {
    const { id, page } = await workspaceWith('write')
    const ben = await signedIn(at.ben)
    const csrf = await ben.csrf()
    for (const [verb, text] of [
      ['lock', /^You have locked made-\d+\.$/],
      ['unlock', /^made-\d+ is unlocked\.$/],
    ] as const) {
      mustBe(await ben.submit(`${page}/actions/${verb}`, { csrf }), 303)
      const shown = await shownTo(ben, page)
      expect(noticeIn(shown)).toMatch(text)
      expect(shown).toContain('role="status" tabindex="-1" autofocus>')
      expect(noticeIn(await shownTo(ben, page))).toBeUndefined()
    }
    const token = mustBe(await site.ann.post(`/api/v2/teams/${at.helpersId}/authentication-token`, {}), 201)
    const helpers = site.ann.as(token.body.data.attributes.token)
    mustBe(await helpers.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    expect(await shownTo(ben, page)).toContain('locked by team helpers since')
    expect(await shownTo(ben, page.slice(0, page.lastIndexOf('/')))).toContain('</strong> by team helpers<')
  })

  test('lock form: leads back to the page that has it, and nowhere else', async () => {
    const { page } = await workspaceWith('write')
    const ben = await signedIn(at.ben)
    const csrf = await ben.csrf()
    const locations = []
    for (const back of ['/states', '/states/sv-2222222222222222', '/../../sign-in', '//evil.example', '/states/x?y'])
      locations.push((await ben.submit(`${page}/actions/lock`, { csrf, back })).headers.location)
    expect(locations).toEqual([`${page}/states`, `${page}/states/sv-2222222222222222`, page, page, page])
  })
})
