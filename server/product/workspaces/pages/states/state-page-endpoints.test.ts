import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, team } from '../../../../../test/support/platform.ts'
import { main, rowsOf, shownTo, statePages } from '../../../../../test/support/state-pages.ts'
import { stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  const { bench, at, newWorkspace, allow, lock, send, release } = statePages(engine)

  test('state pages: without a session lists redirect to sign-in, and a download asks for it with 401', async () => {
    const { id, page } = await newWorkspace()
    const version = await release(id, stateOf({}))
    const nobody = bench.app.anonymous
    for (const path of [`${page}/states`, `${page}/states?page=2`, `${page.replace('/app/', '/ui/')}/resources`]) {
      const prefix = path.startsWith('/ui') ? '/ui' : '/app'
      const { headers } = mustBe(await nobody.get(path), 303)
      expect(headers.location).toBe(`${prefix}/sign-in?next=${encodeURIComponent(path)}`)
      mustBe(await nobody.as(bench.ann.token).get(path), 303)
    }
    const refused = mustBe(await nobody.get(`${page}/states/${version}/download`), 401)
    expect(refused.headers.location).toBeUndefined()
    expect(refused.text).toContain(`name="next" value="${page}/states"`)
  })

  test('state pages: a stranger gets the same 404 page as for a missing workspace', async () => {
    const { id, page } = await newWorkspace()
    const version = await release(id, stateOf({}))
    for (const below of ['/states', '/resources', `/states/${version}/download`]) {
      const hidden = main(mustBe(await at.stranger.get(`${page}${below}`), 404))
      expect(main(mustBe(await at.ann.get(`/app/${bench.org.name}/workspaces/nowhere${below}`), 404))).toBe(hidden)
    }
  })

  test('state pages: who may not read states gets 403, whether there are any or not, and no links', async () => {
    const { id, page } = await newWorkspace()
    await allow(id, at.helpersId, { access: 'custom', runs: 'read', 'state-versions': 'read-outputs' })
    const before = main(mustBe(await at.ben.get(`${page}/states`), 403))
    const version = await release(id, stateOf({ resources: 1 }))
    for (const below of ['/states', '/states?page=7', '/resources', `/states/${version}/download`])
      expect(main(mustBe(await at.ben.get(`${page}${below}`), 403))).toBe(before)
    expect(before).toContain('You are not allowed to read the state of this workspace.')
    const shown = await shownTo(at.ben, page)
    expect(shown).toContain('stored; you may not see its details')
    expect(shown).not.toContain(`${page}/`)
    expect(await shownTo(at.ann, page)).toMatch(/\/states">Versions<\/a>, <a [^>]+\/resources">resources</)
  })

  test('states page: versions newest first, with author, count and status; the current one is marked', async () => {
    const { id, page, name } = await newWorkspace()
    expect(await shownTo(at.ann, `${page}/states`)).toContain('There is no state yet.')
    const secret = await team(bench.org, 'hidden-ones', { visibility: 'secret' })
    await allow(id, secret.id, { access: 'write' })
    await allow(id, at.helpersId, { access: 'read' })
    const first = await release(id, stateOf({ serial: 1, resources: 3 }), 1, secret)
    const second = await release(id, stateOf({ serial: 2 }), 2)
    await release(id, Buffer.from(JSON.stringify({ serial: 3, lineage: 'one', meta: {}, encrypted_data: 'AA' })), 3)
    await lock(id)
    await send(id, stateOf({ serial: 4, resources: 4 }), 4)
    mustBe(await bench.announce(id, stateOf({ serial: 5 }), { serial: 5 }), 201)
    mustBe(await bench.ann.post(`/api/v2/state-versions/${first}/actions/soft_delete_backing_data`), 200)
    mustBe(await bench.ann.post(`/api/v2/state-versions/${second}/actions/permanently_delete_backing_data`), 200)
    const text = await shownTo(at.ben, `${page}/states`)
    const time = expect.stringMatching(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    const parts = rowsOf(text).map((row) => row.split(/ (?=\d{4}-)|(?<=UTC) /))
    expect(parts).toEqual([
      ['Serial 5 pending: its content has not arrived yet', time, 'ann unknown'],
      ['Serial 4 intermediate: sent before its writer was done', time, 'ann 4 Download serial 4'],
      ['Serial 3 current', time, 'ann unknown Download serial 3'],
      ['Serial 2 content deleted permanently', time, 'ann 0'],
      ['Serial 1 content deleted; it can be restored', time, 'not shown to you 3'],
    ])
    expect(text).toContain(`<title>State versions of ${name} of acme – Holdfast</title>`)
    expect(text).toContain(`download="${name}-3.tfstate"`)
    expect(rowsOf(await shownTo(at.ann, `${page}/states`))[4]).toContain('team hidden-ones 3')
    mustBe(await bench.ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`), 200)
    expect(await shownTo(at.ann, `${page}/states`)).toMatch(/Serial 5<\/a><div class="faint">discarded: /)
  })

  test('download: leads to a fresh signed address of this version, only below its own workspace', async () => {
    const [one, other] = [await newWorkspace(), await newWorkspace()]
    await allow(one.id, at.helpersId, { access: 'read' })
    const state = stateOf({ serial: 1, outputs: { here: 'yes' } })
    const version = await release(one.id, state)
    await release(one.id, stateOf({ serial: 2 }), 2)
    for (const id of [version, 'sv-SDboVZC8TCxXEneJ', 'x', '%3Cb%3E']) {
      const missing = mustBe(await at.ann.get(`${other.page}/states/${id}/download`), 404)
      expect(missing.text).toContain('No such state')
    }
    const [, address] = /<a href="([^"]+download)" download="[^"]+-1.tfstate"/.exec(
      await shownTo(at.ben, `${one.page.replace('/app/', '/ui/')}/states`),
    ) as unknown as [string, string]
    expect(address).toBe(`${one.page.replace('/app/', '/ui/')}/states/${version}/download`)
    const { headers } = mustBe(await at.ben.get(address), 303)
    expect(headers['cache-control']).toBe('no-store')
    expect(mustBe(await bench.get(String(headers.location)), 200).text).toBe(state.toString())
    mustBe(await bench.ann.post(`/api/v2/state-versions/${version}/actions/soft_delete_backing_data`), 200)
    mustBe(await at.ben.get(address), 404)
  })

  test('states page: next and previous links; a page beyond the end redirects to the last', async () => {
    const { id, page, name } = await newWorkspace()
    await lock(id)
    for (let serial = 1; serial <= 21; serial++) await send(id, stateOf({ serial }), serial)
    const first = await shownTo(at.ann, `${page}/states`)
    expect(rowsOf(first)).toHaveLength(20)
    expect(first).toMatch(/1 to 20 of 21<\/span><a href="[^"]+\/states\?page=2">Next<\/a><\/nav>/)
    const second = await shownTo(at.ann, `${page}/states?page=2`)
    expect(second).toMatch(/Serial 1<[\s\S]*21 to 21 of 21<\/span><a href="[^"]+\/states">Previous<\/a><\/nav>/)
    expect(second).toContain(`<title>State versions of ${name} of acme, page 2 – Holdfast</title>`)
    for (const number of ['9', '999999999'])
      expect(mustBe(await at.ann.get(`${page}/states?page=${number}`), 303).headers.location).toBe(
        `${page}/states?page=2`,
      )
    for (const below of ['states?page=0', 'states?page=x', 'states?page=9007199254740991', 'resources?page=-1']) {
      const { text } = mustBe(await at.ann.get(`${page}/${below}`), 400)
      expect(text).toContain('is not the number of a page.')
      expect(text).toContain('<title>Error: ')
      expect(text).toContain('Signed in as')
    }
  })

  test('resources page: what the current state manages, escaped and in pages; says why there is nothing', async () => {
    const { id, page, name } = await newWorkspace()
    const text = async (query = '') => await shownTo(at.ann, `${page}/resources${query}`)
    expect(await text()).toContain('There is no state yet.')
    await release(id, stateOf({ serial: 1 }), 1)
    expect(await text()).toContain('The current state, serial 1, has no resources.')
    const odd = {
      mode: 'data',
      type: 'aws_ami',
      name: 'pick',
      module: 'module.net["eu"].module.in',
      provider: 'provider["registry.opentofu.org/hashicorp/aws"]',
      instances: [{ index_key: '<b>' }],
    }
    const many = JSON.parse(stateOf({ serial: 2, resources: 50 }).toString())
    await release(id, Buffer.from(JSON.stringify({ ...many, resources: [odd, ...many.resources] })), 2)
    const first = await text()
    expect(rowsOf(first)[0]).toBe(
      'module.net[&quot;eu&quot;].module.in.data.aws_ami.pick[&quot;&lt;b&gt;&quot;] data.aws_ami hashicorp/aws net[&quot;eu&quot;].in',
    )
    expect(rowsOf(first)[1]).toBe('null_resource.r0 null_resource acme/null root')
    expect(first).toMatch(
      /In serial 2\. Managed resources: 50; that is without data[^<]+<\/caption>[\s\S]*1 to 50 of 51<\/span><a href="[^"]+\/resources\?page=2">Next</,
    )
    const second = await text('?page=2')
    expect(rowsOf(second)).toEqual(['null_resource.r49 null_resource acme/null root'])
    expect(second).toContain(`<title>Resources of ${name} of acme, page 2 – Holdfast</title>`)
    expect(mustBe(await at.ann.get(`${page}/resources?page=3`), 303).headers.location).toBe(`${page}/resources?page=2`)
    await release(id, Buffer.from(JSON.stringify({ serial: 3, lineage: 'one', meta: {}, encrypted_data: 'AA' })), 3)
    expect(await text()).toContain('The current state is encrypted: only its writer knows its resources.')
    await release(id, Buffer.from(JSON.stringify({ version: 3, serial: 4, lineage: 'one', modules: [] })), 4)
    expect(await text()).toContain('The current state is not of format 4, so its resources are not known here.')
  })

  test('resources page: says when it does not list all', async () => {
    const { id, page } = await newWorkspace()
    await release(id, stateOf({ resources: 2_001 }))
    expect(await shownTo(at.ann, `${page}/resources?page=40`)).toMatch(
      /In serial 1; at most 2000 are listed<[\s\S]*1951 to 2000 of 2000<\/span><a [^>]+>Previous<\/a><\/nav>/,
    )
  })

  test('state pages: a former name of the workspace leads to the present one', async () => {
    const { id, page, name: before } = await newWorkspace()
    const name = `moved-${before}`
    mustBe(await bench.ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { name })), 200)
    for (const below of ['/states?page=2', '/resources', '/states/sv-SDboVZC8TCxXEneJ/download'])
      expect(mustBe(await at.ann.get(`${page}${below}`), 303).headers.location).toBe(
        `/app/${bench.org.name}/workspaces/${name}${below}`,
      )
  })
})
