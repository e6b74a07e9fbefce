import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, type Person, person } from '../../../../test/support/platform.ts'
import { type StateBench, stateBench, stateOf } from '../../../../test/support/states.ts'

eachEngine((engine) => {
  let bench: StateBench
  let page: string
  let id: string

  /** The identifier and the page of a new workspace. */
  const make = async (name: string): Promise<[string, string]> => {
    const settings = doc('workspaces', { name, description: 'the <b>network</b>' })
    const made = await bench.ann.post(`/api/v2/organizations/${bench.org.name}/workspaces`, settings)
    const { data } = mustBe(made, 201).body
    return [data.id, data.links['self-html']]
  }

  beforeAll(async () => {
    bench = await stateBench(engine)
    ;[id, page] = await make('network')
  })
  afterAll(() => bench.app.close())

  /** Signs in as this user and returns the page. */
  const seenBy = async (reader: Person, path = page): Promise<Answer> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const raw = new URLSearchParams({ token: reader.token }).toString()
    const answer = mustBe(await bench.app.anonymous.post('/app/sign-in', undefined, { raw, headers }), 303)
    const cookie = String(answer.headers['set-cookie']).split(';')[0] as string
    return await bench.app.anonymous.get(path, { headers: { cookie } })
  }

  test('page: without a session it redirects to sign-in with the page as next, also with a bearer token', async () => {
    const answer = mustBe(await bench.app.anonymous.get(page), 303)
    expect(answer.headers.location).toBe(`/app/sign-in?next=${encodeURIComponent(page)}`)
    mustBe(await bench.app.anonymous.as(bench.ann.token).get(page), 303)
  })

  test('page: a stranger gets the same 404 page as for a missing workspace', async () => {
    const stranger = await person(bench.app, 'stranger')
    const main = ({ text }: Answer) => text.slice(text.indexOf('<main'))
    const hidden = main(mustBe(await seenBy(stranger), 404))
    mustBe(await bench.ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { name: 'moved' })), 200)
    expect(main(mustBe(await seenBy(bench.ann), 404))).toBe(hidden)
    mustBe(await bench.ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { name: 'network' })), 200)
  })

  test('page: shows lock, state and outputs, hides sensitive values and escapes markup', async () => {
    const [id, page] = await make('shown')
    const fresh = mustBe(await seenBy(bench.ann, page), 200).text
    expect(fresh).toContain('none yet')
    expect(fresh).not.toContain('Contact')
    mustBe(await bench.ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { contact: 'Ops <3' })), 200)
    expect(mustBe(await seenBy(bench.ann, page), 200).text).toContain('<dt>Contact</dt><dd>Ops &lt;3</dd>')
    expect(fresh).toContain(`<dt>Identifier</dt><dd><code>${id}</code></dd>`)
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'moving <i>house</i>' }), 200)
    const state = stateOf({ serial: 4, resources: 2, outputs: { ip: '10.0.0.1' }, secrets: { key: 'hush' } })
    mustBe(await bench.announceWithContent(id, state, { serial: 4 }), 201)
    const locked = mustBe(await seenBy(bench.ann, page), 200).text
    expect(locked).toMatch(/locked by ann since <time[^>]+>[^<]+ UTC<\/time>: moving &lt;i&gt;house/)
    mustBe(await bench.unlock(id), 200)
    const { text, headers } = mustBe(await seenBy(bench.ann, page), 200)
    expect(text).toMatch(/serial 4 of <time[^>]+>[^<]+ UTC<\/time>, managed resources: 2/)
    expect(text).toContain('<dt>ip</dt><dd><code>&quot;10.0.0.1&quot;</code></dd>')
    expect(text).toContain('<dt>key</dt><dd>(sensitive)</dd>')
    expect(text).toContain('the &lt;b&gt;network&lt;/b&gt;')
    expect(text).toContain('<title>shown of acme – Holdfast</title>')
    expect(text).toContain('workspaces { name = &quot;shown&quot; }')
    expect(text).toContain('HTTPS address')
    expect(text).not.toContain('hush')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('page: a long output is shortened between characters, and shown in full on demand', async () => {
    const [id, page] = await make('long')
    const outputs = { cut: `${'x'.repeat(198)}😀${'y'.repeat(20)}`, huge: 'z'.repeat(20_000) }
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    mustBe(await bench.announceWithContent(id, stateOf({ serial: 5, outputs }), { serial: 5 }), 201)
    mustBe(await bench.unlock(id), 200)
    const { text } = mustBe(await seenBy(bench.ann, page), 200)
    expect(text).toContain(`<code>&quot;${'x'.repeat(198)}…</code> <details><summary>Show all</summary>`)
    expect(text).toContain(`<pre><code>&quot;${outputs.cut}&quot;</code></pre>`)
    expect(text).toContain('(shortened; a command line shows all 20,002 characters)')
  })

  test('page: the organization is linked below the prefix that the page was opened with', async () => {
    const { text } = mustBe(await seenBy(bench.ann, page.replace('/app/', '/ui/')), 200)
    expect(text).toContain(`<dt>Organization</dt><dd><a href="/ui/${bench.org.name}/workspaces">`)
  })

  test('page: shows when a lock expires', async () => {
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/lock`, { 'expires-after': '2h', reason: 'tea' }), 200)
    const { text } = mustBe(await seenBy(bench.ann), 200)
    mustBe(await bench.unlock(id), 200)
    expect(text).toMatch(/locked by ann since <time[^>]+>[^<]+ UTC<\/time> until <time[^>]+>[^<]+ UTC<\/time>: tea/)
  })

  test('page: shows flat tags, tag bindings and bindings inherited from the project', async () => {
    const at = (path: string) => `/api/v2/${path}`
    const { project } = mustBe(await bench.ann.get(at(`workspaces/${id}`)), 200).body.data.relationships
    const bindings = (...tags: [string, string][]) => ({
      data: tags.map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
    })
    mustBe(await bench.ann.patch(at(`workspaces/${id}/tag-bindings`), bindings(['env', 'prod'], ['plain', ''])), 200)
    mustBe(await bench.ann.patch(at(`projects/${project.data.id}/tag-bindings`), bindings(['team', 'core'])), 200)
    const flat = { data: [{ type: 'tags', attributes: { name: 'flat' } }] }
    mustBe(await bench.ann.post(at(`workspaces/${id}/relationships/tags`), flat), 204)
    const shown = /<dt>Tags<\/dt><dd>(.*)<\/dd>/.exec(mustBe(await seenBy(bench.ann), 200).text)?.[1] ?? ''
    const link = (tag: string) =>
      `<a href="/app/${bench.org.name}/workspaces?tags=${encodeURIComponent(tag)}">${tag}</a>`
    expect(new Set(shown.split(', '))).toEqual(new Set(['flat', 'env=prod', 'plain', 'team=core'].map(link)))
  })
})
