import { expect, test } from 'vitest'
import { type Browser, noticeIn } from '../../../../../test/support/browser.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe } from '../../../../../test/support/platform.ts'
import { main, rowsOf, shownTo, statePages } from '../../../../../test/support/state-pages.ts'
import { stateOf } from '../../../../../test/support/states.ts'

eachEngine((engine) => {
  const { bench, at, newWorkspace, allow, lock, unlock, send, release } = statePages(engine)

  /** Sends the rollback form of a page, as it was shown to this reader. */
  const sendForm = async (reader: Browser, page: string, version: string) => {
    const address = `${page}/states/${version}`
    const shown = await shownTo(reader, address)
    const newest = /name="newest" value="([^"]*)"/.exec(shown)?.[1] ?? ''
    return await reader.submit(`${address}/rollback`, { csrf: csrfIn(shown), newest })
  }
  const csrfIn = (shown: string): string => /name="csrf" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  const currentOf = async (id: string) =>
    mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data

  test('version page: without a session it redirects to sign-in, and so does its form', async () => {
    const { id, page } = await newWorkspace()
    const address = `${page}/states/${await release(id, stateOf({}))}`
    const nobody = bench.app.anonymous
    expect(mustBe(await nobody.get(address), 303).headers.location).toBe(
      `/app/sign-in?next=${encodeURIComponent(address)}`,
    )
    mustBe(await nobody.post(`${address}/rollback`, {}), 303)
    mustBe(await nobody.as(bench.ann.token).post(`${address}/rollback`, {}), 303)
  })

  test('version page: strangers, and those who may not read states, learn nothing about versions', async () => {
    const [{ id, page }, other] = [await newWorkspace(), await newWorkspace()]
    await allow(id, at.helpersId, { access: 'custom', runs: 'read', 'state-versions': 'read-outputs' })
    const version = await release(id, stateOf({}))
    const elsewhere = await release(other.id, stateOf({}))
    const hidden = main(mustBe(await at.stranger.get(`${page}/states/${version}`), 404))
    expect(hidden).toContain('No such workspace')
    const refused = main(mustBe(await at.ben.get(`${page}/states/${version}`), 403))
    expect(main(mustBe(await at.ben.get(`${page}/states/sv-nowhere`), 403))).toBe(refused)
    for (const foreign of [elsewhere, 'sv-2222222222222222', 'nonsense']) {
      expect(main(mustBe(await at.ann.get(`${page}/states/${foreign}`), 404))).toContain('No such state')
    }
  })

  test('version page: it shows the version, and what changed since the one before', async () => {
    const { id, page } = await newWorkspace()
    const first = await release(id, stateOf({ serial: 1, resources: 2, secrets: { key: 'hush' } }))
    const changed = Buffer.from(
      stateOf({ serial: 2, resources: 3, secrets: { key: 'psst' }, outputs: { url: 'x' } })
        .toString()
        .replace('"id": "1"', '"id": "<b>"'),
    )
    const second = await release(id, changed, 2)
    const shown = await shownTo(at.ann, `${page}/states/${second}`)
    expect(shown).toContain('<h1>Serial 2 of')
    expect(shown).toMatch(/<dt>Status<\/dt><dd>current<\/dd>/)
    for (const fact of [second, 'ann', '1.10.0', `${changed.length.toLocaleString('en')} bytes`]) {
      expect(shown).toContain(fact)
    }
    expect(shown).toContain('<h2>Changes since serial 1</h2>')
    expect(rowsOf(shown)).toEqual([
      'null_resource.r1 changed: id',
      'null_resource.r2 added',
      'key changed',
      'url added',
    ])
    expect(shown).not.toMatch(/hush|psst|<b>/)
    expect(await shownTo(at.ann, `${page}/states/${first}`)).not.toContain('Changes since')
    const same = await release(id, stateOf({ serial: 3, resources: 3 }), 3)
    mustBe(await bench.ann.post(`/api/v2/state-versions/${second}/actions/soft_delete_backing_data`), 200)
    const skipped = await shownTo(at.ann, `${page}/states/${same}`)
    expect(skipped).toContain('Changes since serial 1')
    expect(skipped).toContain('Serial 2 in between has no content.')
    expect(shown).not.toContain('in between')
    const deleted = await shownTo(at.ann, `${page}/states/${second}`)
    expect(deleted).toContain('content deleted; it can be restored')
    expect(deleted).not.toMatch(/Changes since|Roll back|Download/)
  })

  test('version page: states that cannot be compared say why', async () => {
    const { id, page } = await newWorkspace()
    await release(id, stateOf({ serial: 1 }))
    const sealed = await release(id, Buffer.from('{"serial":2,"lineage":"one","meta":{},"encrypted_data":"AA"}'), 2)
    expect(await shownTo(at.ann, `${page}/states/${sealed}`)).toContain('one of them is encrypted')
    const large = stateOf({ serial: 3, outputs: { text: 'x'.repeat(2 * 1024 * 1024) } })
    expect(await shownTo(at.ann, `${page}/states/${await release(id, large, 3)}`)).toContain('too large to be compared')
  })

  test('rollback form: it needs the lock, and makes the old content the current state once', async () => {
    const { id, page } = await newWorkspace()
    const first = await release(id, stateOf({ serial: 1, resources: 1 }))
    const second = await release(id, stateOf({ serial: 2, resources: 2 }), 2)
    const address = `${page}/states/${first}`
    const offered = await shownTo(at.ann, address)
    expect(offered).toContain('>Lock made-')
    expect(offered).toContain(`name="back" value="/states/${first}"`)
    expect(mustBe(await at.ann.get(`${address}/rollback`), 303).headers.location).toBe(address)
    const early = mustBe(await sendForm(at.ann, page, first), 409)
    expect(main(early)).toContain('role="alert"')
    await lock(id)
    expect(await shownTo(at.ann, `${page}/states/${second}`)).not.toContain('Roll back')
    const shown = await shownTo(at.ann, address)
    const form = { csrf: csrfIn(shown), newest: second }
    mustBe(await at.ann.submit(`${address}/rollback`, { ...form, csrf: 'forged' }), 403)
    expect((await currentOf(id)).id).toBe(second)
    const sent = await Promise.all([1, 2].map(() => at.ann.submit(`${address}/rollback`, form)))
    sent.push(await at.ann.submit(`${address}/rollback`, form))
    for (const answer of sent) expect(mustBe(answer, 303).headers.location).toBe(`${page}/states`)
    const current = await currentOf(id)
    expect(current.attributes).toMatchObject({ serial: 1, 'resource-count': 1 })
    expect(rowsOf(await shownTo(at.ann, `${page}/states`))).toHaveLength(3)
    await unlock(id)
    expect((await currentOf(id)).id).toBe(current.id)
  })

  test('rollback form: says who holds the lock, and whom to ask if the reader may not lock', async () => {
    const { id, page } = await newWorkspace()
    await allow(id, at.helpersId, {
      access: 'custom',
      runs: 'apply',
      'state-versions': 'write',
      'workspace-locking': false,
    })
    const first = await release(id, stateOf({ serial: 1 }))
    await release(id, stateOf({ serial: 2, resources: 1 }), 2)
    const asked = await shownTo(at.ben, `${page}/states/${first}`)
    expect(asked).toContain('You are not allowed to lock it; ask somebody who is.')
    expect(asked).not.toContain('/actions/lock')
    await lock(id)
    const held = await shownTo(at.ben, `${page}/states/${first}`)
    expect(held).toMatch(/It is locked by ann since <time/)
    expect(held).not.toContain('>Lock made-')
  })

  test('rollback: from the version by way of its lock to the unlocked list, in three forms', async () => {
    const { id, page } = await newWorkspace()
    const first = await release(id, stateOf({ serial: 1 }))
    await release(id, stateOf({ serial: 2, resources: 1 }), 2)
    const address = `${page}/states/${first}`
    const send = async (on: string, verb: string, back: string) => {
      const csrf = csrfIn(await shownTo(at.ann, on))
      return mustBe(await at.ann.submit(`${page}/actions/${verb}`, { csrf, back, reason: 'rollback' }), 303)
    }
    expect((await send(address, 'lock', `/states/${first}`)).headers.location).toBe(address)
    mustBe(await sendForm(at.ann, page, first), 303)
    const waiting = await shownTo(at.ann, `${page}/states`)
    expect(noticeIn(waiting)).toBe('Rolled back to serial 1.')
    expect(waiting).toContain('<button>Unlock made-')
    expect(await shownTo(at.ann, page)).toMatch(/<p>Serial 1 becomes the current state when[^<]*<\/p><form/)
    expect((await send(`${page}/states`, 'unlock', '/states')).headers.location).toBe(`${page}/states`)
    expect(await shownTo(at.ann, page)).not.toContain('becomes the current state')
    expect((await currentOf(id)).attributes.serial).toBe(1)
  })

  test('rollback form: another state written meanwhile, or no right to write, is refused and changes nothing', async () => {
    const { id, page } = await newWorkspace()
    await allow(id, at.helpersId, { access: 'read' })
    const first = await release(id, stateOf({ serial: 1 }))
    const second = await release(id, stateOf({ serial: 2, resources: 1 }), 2)
    const third = await release(id, stateOf({ serial: 3, resources: 2 }), 3)
    await lock(id)
    const csrf = csrfIn(await shownTo(at.ann, page))
    const late = await at.ann.submit(`${page}/states/${first}/rollback`, { csrf, newest: second })
    expect(main(mustBe(late, 409))).toContain('Another state was written in the meantime.')
    const shown = await shownTo(at.ben, `${page}/states/${first}`)
    expect(shown).not.toContain('Roll back')
    const form = { csrf: csrfIn(shown), newest: third }
    expect(main(mustBe(await at.ben.submit(`${page}/states/${first}/rollback`, form), 403))).toContain('not allowed')
    expect((await currentOf(id)).id).toBe(third)
  })

  test('rollback form: it shows what would change in the current state, with or without the lock', async () => {
    const { id, page } = await newWorkspace()
    const first = await release(id, stateOf({ serial: 1, resources: 1 }))
    await release(id, stateOf({ serial: 2, resources: 2 }), 2)
    const third = await release(id, stateOf({ serial: 3, resources: 3 }), 3)
    const seen = async () => (await shownTo(at.ann, `${page}/states/${first}`)).split('<h2>Roll back</h2>')[1] ?? ''
    const before = await seen()
    expect(before).toContain(`would change the current state, <a href="${page}/states/${third}">serial 3</a>`)
    expect(rowsOf(before)).toEqual(['null_resource.r1 removed', 'null_resource.r2 removed'])
    await lock(id)
    const between = await send(id, stateOf({ serial: 4, resources: 2 }), 4)
    const after = await seen()
    expect(after).toContain(`would change the newest state, <a href="${page}/states/${between}">serial 4</a>`)
    expect(rowsOf(after)).toEqual(['null_resource.r1 removed'])
    mustBe(await bench.ann.post(`/api/v2/state-versions/${between}/actions/soft_delete_backing_data`), 200)
    expect(await seen()).not.toContain('would change')
  })

  test('after a rollback, pages say what it copied, and until unlock that it waits for that', async () => {
    const { id, page } = await newWorkspace()
    const first = await release(id, stateOf({ serial: 1, resources: 1 }))
    await release(id, stateOf({ serial: 2, resources: 2 }), 2)
    await lock(id)
    mustBe(await sendForm(at.ann, page, first), 303)
    const made = (await currentOf(id)).id
    const waiting = await shownTo(at.ann, `${page}/states`)
    expect(waiting).toContain('Serial 1 becomes the current state when the workspace is unlocked')
    const [row] = rowsOf(waiting)
    expect(row).toContain('rolled back to an earlier serial 1 not current until the workspace is unlocked')
    const opened = await shownTo(at.ann, `${page}/states/${made}`)
    expect(opened).toContain('<dd>becomes the current state when the workspace is unlocked</dd>')
    expect(opened).toContain(`<dt>Rolled back to</dt><dd><a href="${page}/states/${first}">serial 1</a> of <time`)
    await unlock(id)
    const done = await shownTo(at.ann, `${page}/states`)
    expect(done).not.toContain('is unlocked')
    expect(rowsOf(done)[0]).toMatch(/^Serial 1 current rolled back to an earlier serial 1 \d{4}-/)
    expect(rowsOf(done).slice(1).join()).not.toContain('rolled back')
  })
})
