import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, join, mustBe, organization, type Person, person, team } from '../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let list: string

  const make = async (name: string, told: { description?: string; contact?: string } = {}): Promise<string> => {
    const settings = doc('workspaces', { name, ...told })
    return mustBe(await bench.ann.post(`/api/v2/organizations/${bench.org.name}/workspaces`, settings), 201).body.data
      .id
  }

  beforeAll(async () => {
    bench = await stateBench(engine)
    list = `/app/${bench.org.name}/workspaces`
  })
  afterAll(() => bench.app.close())

  /** Signs in as this user and returns the page at the path. */
  const seenBy = async (reader: Person, path: string): Promise<Answer> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = new URLSearchParams({ token: reader.token }).toString()
    const answer = mustBe(await bench.app.anonymous.post('/app/sign-in', undefined, { raw, headers }), 303)
    const cookie = String(answer.headers['set-cookie']).split(';')[0] as string
    return await bench.app.anonymous.get(path, { headers: { cookie } })
  }

  test('list page: without a session it redirects to sign-in with the page as next', async () => {
    for (const path of [list, `${list}?search=a+b&tags=env%3Dprod&page=2`, '/ui/workspaces']) {
      const answer = mustBe(await bench.app.anonymous.get(path), 303)
      const prefix = path.startsWith('/ui') ? '/ui' : '/app'
      expect(answer.headers.location).toBe(`${prefix}/sign-in?next=${encodeURIComponent(path)}`)
    }
  })

  test('list page: a stranger gets the same 404 page as for a missing organization', async () => {
    const stranger = await person(bench.app, 'stranger')
    const main = ({ text }: Answer) => text.slice(text.indexOf('<main'))
    const hidden = main(mustBe(await seenBy(stranger, list), 404))
    expect(main(mustBe(await seenBy(stranger, '/app/nowhere/workspaces'), 404))).toBe(hidden)
    expect(mustBe(await seenBy(stranger, '/app/workspaces'), 200).text).toContain('You belong to no organization yet')
  })

  test('list page: an empty list tells who may create workspaces how, and others whom to ask', async () => {
    const [owner, ben, cid] = [
      await person(bench.app, 'owner'),
      await person(bench.app, 'ben'),
      await person(bench.app, 'cid'),
    ]
    const empty = await organization(owner, 'empty')
    const makers = await team(empty, 'makers', { 'organization-access': { 'manage-workspaces': true } })
    await join(empty, ben, [(await team(empty, 'others')).id])
    await join(empty, cid, [makers.id])
    for (const maker of [owner, cid]) {
      expect(mustBe(await seenBy(maker, '/app/empty/workspaces'), 200).text).toContain('creates one on first use')
    }
    const { text } = mustBe(await seenBy(ben, '/app/empty/workspaces'), 200)
    expect(text).toContain('Ask an owner of empty for')
    expect(text).not.toMatch(/creates one|first-steps/)
  })

  test('list page: shows name, description, contact, lock and state, and finds by name', async () => {
    const id = await make('network-prod', { description: 'the <b>network</b>', contact: 'net@corp.example' })
    await make('billing')
    const fresh = mustBe(await seenBy(bench.ann, `${list}?search=network-prod`), 200).text
    expect(fresh).toContain(`<a href="${list}/network-prod">network-prod</a>`)
    expect(fresh).toContain('the &lt;b&gt;network&lt;/b&gt;')
    expect(fresh).toContain('Contact: net@corp.example')
    expect(fresh).toMatch(/not locked[\s\S]*no state yet/)
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 1, resources: 1 }), { serial: 1 }), 201)
    mustBe(await bench.unlock(id), 200)
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const found = mustBe(await seenBy(bench.ann, `${list}?search=WORK-p`), 200).text
    expect(found).toMatch(
      /<strong>locked<\/strong> by ann<[\s\S]*>1<\/td>[\s\S]*<time datetime="[^"]+Z">\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>/,
    )
    expect(found).not.toContain('billing')
    expect(found).toContain('1 to 1 of 1')
    const locked = mustBe(await seenBy(bench.ann, `${list}?locked=true`), 200).text
    expect(locked).toContain('<title>Workspaces of acme, locked – Holdfast</title>')
    expect(locked).toMatch(/type="checkbox" value="true" checked>[\s\S]*network-prod<[\s\S]*1 to 1 of 1/)
    expect(mustBe(await seenBy(bench.ann, `${list}?search=billing&locked=true`), 200).text).toContain(
      'No locked workspace has “billing” in its name.',
    )
    mustBe(await bench.unlock(id), 200)
    const free = mustBe(await seenBy(bench.ann, `${list}?locked=true`), 200).text
    expect(free).toContain('No locked workspace was found.')
    expect(free).toContain('role="search"')
    const none = mustBe(await seenBy(bench.ann, `${list}?search=${encodeURIComponent('<x>')}`), 200).text
    expect(none).toContain('No workspace has “&lt;x&gt;” in its name.')
    expect(none).toContain(`<a href="${list}">Show all</a>`)
  })

  test('list page: finds by tags of both kinds, and the window title tells searches and pages apart', async () => {
    const tagged = async (name: string, value: string) => {
      const id = await make(name)
      const data = [{ type: 'tag-bindings', attributes: { key: 'stage', value } }]
      mustBe(await bench.ann.patch(`/api/v2/workspaces/${id}/tag-bindings`, { data }), 200)
      return id
    }
    const id = await tagged('tagged-prod', 'prod')
    await tagged('tagged-dev', 'dev')
    const flat = { data: [{ type: 'tags', attributes: { name: 'flat' } }] }
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/relationships/tags`, flat), 204)
    const found = async (query: string) => {
      const { text } = mustBe(await seenBy(bench.ann, `${list}?${query}`), 200)
      const names = [...text.matchAll(/<th scope="row"><a [^>]+>([^<]+)</g)].map(([, name]) => name)
      return [/<title>(.*) – Holdfast/.exec(text)?.[1], ...names]
    }
    expect(await found('tags=stage%3Dprod')).toEqual(['Workspaces of acme, stage=prod', 'tagged-prod'])
    expect(await found('tags=stage+%3D+prod')).toEqual(['Workspaces of acme, stage = prod', 'tagged-prod'])
    expect(await found('tags=stage')).toEqual(['Workspaces of acme, stage', 'tagged-dev', 'tagged-prod'])
    expect(await found('tags=flat,+stage%3Dprod,')).toEqual(['Workspaces of acme, flat, stage=prod,', 'tagged-prod'])
    expect(await found('search=dev&tags=stage')).toEqual(['Workspaces of acme, “dev”, stage', 'tagged-dev'])
    expect(await found('search=dev&tags=stage%3Dprod')).toEqual(['Workspaces of acme, “dev”, stage=prod'])
    mustBe(await seenBy(bench.ann, `${list}?tags=${Array(21).fill('a').join()}`), 400)
  })

  test('list page: next and previous links keep the search; a page beyond the end redirects to the last', async () => {
    for (let number = 1; number <= 51; number++) await make(`many-${String(number).padStart(3, '0')}`)
    const first = mustBe(await seenBy(bench.ann, `${list}?search=many`), 200).text
    expect(first).toContain('1 to 50 of 51')
    expect(first).toContain(`<a href="${list}?search=many&amp;page=2">Next</a>`)
    expect(first).not.toContain('Previous')
    const second = mustBe(await seenBy(bench.ann, `${list}?search=many&page=2`), 200).text
    expect(second).toMatch(/many-051[\s\S]*51 to 51 of 51[\s\S]*search=many">Previous</)
    expect(second).not.toContain('Next')
    expect(second).toContain('<title>Workspaces of acme, “many”, page 2 – Holdfast</title>')
    expect(mustBe(await seenBy(bench.ann, `${list}?search=many&page=9`), 303).headers.location).toBe(
      `${list}?search=many&page=2`,
    )
    mustBe(await seenBy(bench.ann, `${list}?page=0`), 400)
  })

  test('list page: what is not the number of a page shows the first one and says so', async () => {
    for (const page of ['abc', '0', '-1', '1.5', '9'.repeat(30)]) {
      const { text } = mustBe(await seenBy(bench.ann, `${list}?page=${page}`), 400)
      expect(text).toContain('is not the number of a page.')
      expect(text).toContain('Signed in as')
      expect(text).toContain('role="search"')
    }
  })

  test('list page: more tags than can be searched for are left out, and the page says so', async () => {
    const tags = Array.from({ length: 21 }, (_, number) => `tag-${number}`).join(',')
    const { text } = mustBe(await seenBy(bench.ann, `${list}?tags=${tags}`), 400)
    expect(text).toContain('Only 20 tags can be searched for at a time')
    expect(text).toContain('Signed in as')
    expect(text).toContain(`name="tags" type="search" value="${tags}"`)
  })

  test('addresses that people shorten lead to the page they mean', async () => {
    for (const prefix of ['/app', '/ui']) {
      const leads = async (path: string) => mustBe(await seenBy(bench.ann, `${prefix}${path}`), 303).headers.location
      expect(await leads('/acme')).toBe(`${prefix}/acme/workspaces`)
      expect(await leads('/a%20b')).toBe(`${prefix}/a%20b/workspaces`)
      expect(await leads('/settings')).toBe(`${prefix}/settings/tokens`)
      expect(await leads('/sign-in')).toBe(`${prefix}/workspaces`)
    }
  })

  test('organizations page: with only one organization it redirects to the workspaces of that one', async () => {
    const answer = mustBe(await seenBy(bench.ann, '/app/workspaces'), 303)
    expect(answer.headers.location).toBe(list)
  })
})
