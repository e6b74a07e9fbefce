import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { testClock } from '../../../../../test/support/clock.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp, shared, sharedApp } from '../../../../../test/support/shared.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import type { Workspace, WorkspaceId } from '../workspace.ts'
import { toRow } from '../workspace-row-store.ts'
import { loadWorkspace } from '../workspace-store.ts'

type Result = { id: string; attributes: { name: string; result: string; detail: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const path = '/api/v2/organizations/acme/workspaces/actions/bulk'

  /** Three workspaces, of which the query finds only the first two. */
  const fleet = async () => {
    const word = `fleet${++count}`
    const make = (name: string): Promise<string> => workspaceIn(org, { name })
    const ids = [await make(`${word}-a`), await make(`${word}-b`), await make(`other-${count}`)] as const
    return { ids, query: `?search[name]=${word}` }
  }
  const bulk = async (caller: Client, query: string, body: object) => {
    const answer = mustBe(await caller.post(`${path}${query}`, body), 200).body
    const results = answer.data.map(({ attributes }: Result) => attributes.result)
    return { data: answer.data as Result[], meta: answer.meta, results }
  }
  const attributesOf = async (id: string) => mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes

  test('bulk: strangers get 404, anonymous callers 401, and nothing changes', async () => {
    const { ids } = await fleet()
    mustBe(await bob.post(path, { action: 'lock' }), 404)
    mustBe(await app.anonymous.post(path, { action: 'lock' }), 401)
    expect((await attributesOf(ids[0])).locked).toBe(false)
  })

  test('bulk: applies the permissions of each workspace; those the caller cannot see are not counted', async () => {
    const { ids, query } = await fleet()
    const ops = await team(org, `ops-${count}`)
    await inTransaction(app.deps.db, async (tx) => {
      const details = { runs: 'read', variables: 'none', state_versions: 'none', sentinel_mocks: 'none' }
      const row = { id: randomIds.newId('tws'), team_id: ops.id, workspace_id: ids[0], access: 'read' }
      const flags = { workspace_locking: 0, run_tasks: 0, policy_overrides: 0 }
      await tx
        .insertInto('team_workspace_access')
        .values({ ...row, ...details, ...flags })
        .execute()
      bumpVersion(tx, 'permissions')
    })
    for (const action of ['lock', 'add-tags', 'add-bindings']) {
      const body = { action, tags: ['x'], bindings: [{ key: 'a', value: 'b' }] }
      const { data, meta } = await bulk(ops, query, body)
      expect(data.map(({ id }) => id)).toEqual([ids[0]])
      expect(meta).toMatchObject({ matched: 1, changed: 0, refused: 1 })
    }
    expect(await attributesOf(ids[0])).toMatchObject({ locked: false, 'tag-names': [] })
  })

  test('bulk: a dry run reports the same results as the real run and changes nothing', async () => {
    const { ids, query } = await fleet()
    mustBe(await ann.post(`/api/v2/workspaces/${ids[1]}/actions/lock`), 200)
    const dry = await bulk(ann, query, { action: 'lock', dry_run: true })
    expect([dry.results, dry.meta]).toEqual([
      ['changed', 'refused'],
      { 'dry-run': true, matched: 2, changed: 1, unchanged: 0, refused: 1, remaining: 0 },
    ])
    expect((await attributesOf(ids[0])).locked).toBe(false)
    const wet = await bulk(ann, query, { action: 'lock', reason: 'freeze', 'expires-after': '1h' })
    expect(wet.results).toEqual(dry.results)
    expect(wet.data[1]?.attributes.detail).toContain('already locked')
    expect(await attributesOf(ids[0])).toMatchObject({ locked: true, 'locked-reason': 'freeze' })
    expect((await attributesOf(ids[2])).locked).toBe(false)
  })

  test('bulk: a dry run of unlock reports workspaces with a pending state as refused', async () => {
    const { ids, query } = await fleet()
    await bulk(ann, query, { action: 'lock' })
    const announced = { serial: 1, md5: 'd41d8cd98f00b204e9800998ecf8427e' }
    mustBe(await ann.post(`/api/v2/workspaces/${ids[0]}/state-versions`, doc('state-versions', announced)), 201)
    const foreseen = await bulk(ann, query, { action: 'unlock', 'dry-run': true })
    expect(foreseen.results).toEqual(['refused', 'changed'])
    expect(foreseen.data[0]?.attributes.detail).toContain('latest state version is still pending')
    expect((await bulk(ann, query, { action: 'unlock' })).data).toEqual(foreseen.data)
    const forced = await bulk(ann, query, { action: 'force-unlock', 'dry-run': true })
    expect(forced.results).toEqual(['changed', 'refused'])
  })

  test('bulk: unlock releases only locks of the caller, force-unlock those of others', async () => {
    const { ids, query } = await fleet()
    const ops = await team(org, `holders-${count}`, { 'organization-access': { 'manage-workspaces': true } })
    mustBe(await ann.post(`/api/v2/workspaces/${ids[0]}/actions/lock`), 200)
    mustBe(await ops.post(`/api/v2/workspaces/${ids[1]}/actions/lock`), 200)
    expect((await bulk(ann, query, { action: 'unlock' })).results).toEqual(['changed', 'refused'])
    expect((await bulk(ann, query, { action: 'force-unlock' })).results).toEqual(['refused', 'changed'])
    for (const id of ids) expect((await attributesOf(id)).locked).toBe(false)
  })

  test('bulk: a dry run of add-tags reports a workspace that would have too many as refused', async () => {
    const { ids, query } = await fleet()
    const data = Array.from({ length: 1_000 }, (_, number) => ({ type: 'tags', attributes: { name: `t${number}` } }))
    mustBe(await ann.post(`/api/v2/workspaces/${ids[0]}/relationships/tags`, { data }), 204)
    const foreseen = await bulk(ann, query, { action: 'add-tags', tags: ['T1', 'new'], 'dry-run': true })
    expect(foreseen.results).toEqual(['refused', 'changed'])
    const { data: outcomes } = await bulk(ann, query, { action: 'add-tags', tags: ['T1', 'new'] })
    expect(outcomes).toEqual(foreseen.data)
  })

  test('bulk: adds and removes tags, adds bindings, and reports what is already so as unchanged', async () => {
    const { ids, query } = await fleet()
    const tags = { action: 'add-tags', tags: ['Core', 'net'] }
    expect((await bulk(ann, query, tags)).results).toEqual(['changed', 'changed'])
    expect((await bulk(ann, query, tags)).results).toEqual(['unchanged', 'unchanged'])
    expect((await attributesOf(ids[1]))['tag-names']).toEqual(['core', 'net'])
    expect((await bulk(ann, query, { action: 'remove-tags', tags: ['core'] })).meta.changed).toBe(2)
    expect((await attributesOf(ids[0]))['tag-names']).toEqual(['net'])
    const bindings = { action: 'add-bindings', bindings: [{ key: 'env', value: 'prod' }] }
    expect((await bulk(ann, query, bindings)).results).toEqual(['changed', 'changed'])
    expect((await bulk(ann, query, bindings)).results).toEqual(['unchanged', 'unchanged'])
    const oneMore = { ...bindings, bindings: [...bindings.bindings, { key: 'tier', value: '1' }], 'dry-run': true }
    expect((await bulk(ann, query, oneMore)).results).toEqual(['changed', 'changed'])
    const many = Array.from({ length: 10 }, (_, index) => ({ key: `k${index}`, value: '' }))
    const dry = await bulk(ann, query, { action: 'add-bindings', bindings: many, 'dry-run': true })
    expect(dry.results).toEqual(['refused', 'refused'])
    expect((await bulk(ann, query, { action: 'add-bindings', bindings: many })).results).toEqual(dry.results)
    const tagged = '?filter[tagged][0][key]=env&filter[tagged][0][value]=prod'
    expect((await bulk(ann, tagged, { action: 'lock', 'dry-run': true })).meta.matched).toBe(2)
  })

  /** An organization with so many workspaces, named by their numbers. */
  const many = async (name: string, size: number) => {
    const big = await organization(ann, name)
    const first = (await loadWorkspace(app.deps.db, await workspaceIn(big, { name: 'w0000' }))) as Workspace
    const copy = (index: number): Workspace => ({
      ...first,
      id: app.deps.ids.newId('ws') as WorkspaceId,
      name: `w${String(index).padStart(4, '0')}`,
    })
    await inTransaction(app.deps.db, async (tx) => {
      for (let from = 1; from < size; from += 250) {
        const rows = Array.from({ length: Math.min(250, size - from) }, (_, at) => toRow(copy(from + at)))
        await tx.insertInto('workspaces').values(rows).execute()
      }
      bumpVersion(tx, 'workspaces')
    })
    const names = Array.from({ length: size }, (_, index) => `w${String(index).padStart(4, '0')}`)
    return { path: `/api/v2/organizations/${big.name}/workspaces/actions/bulk`, names }
  }
  const namesOf = (data: readonly Result[]) => data.map(({ attributes }) => attributes.name)

  test('bulk: reaches every workspace, by name, however many there are', async () => {
    const { path, names } = await many('big', 1_050)
    const { data, meta, links } = mustBe(await ann.post(path, { action: 'lock', 'dry-run': true }), 200).body
    expect(namesOf(data)).toEqual(names)
    expect(meta).toMatchObject({ matched: 1_050, changed: 1_050, remaining: 0 })
    expect(links).toBeUndefined()
  })

  test('bulk: reaches every workspace, though the action itself changes what the filter finds', async () => {
    const { path, names } = await many('untagged', 250)
    const tag = async () =>
      mustBe(await ann.post(`${path}?search[exclude-tags]=core`, { action: 'add-tags', tags: ['core'] }), 200).body
    const { data, meta } = await tag()
    expect([namesOf(data), meta.changed]).toEqual([names, 250])
    expect((await tag()).data).toEqual([])
  })

  test('bulk: workspaces that are renamed or deleted while they are read keep no others from being reached', async () => {
    const { path, names } = await many('moving', 250)
    const rowOf = (name: string) => app.deps.db.selectFrom('workspaces').selectAll().where('name', '=', name)
    // One is the last of those that are read at once.
    const [renamed, deleted] = [
      await rowOf('w0199').executeTakeFirstOrThrow(),
      await rowOf('w0100').executeTakeFirstOrThrow(),
    ]
    let isOver = false
    const change = async () => {
      for (let revision = 1; !isOver; revision++) {
        const name = revision % 2 ? 'x' : renamed.name
        await inTransaction(app.deps.db, async (tx) => {
          await tx.updateTable('workspaces').set({ name, revision }).where('id', '=', renamed.id).execute()
          if (name === 'x') await tx.deleteFrom('workspaces').where('id', '=', deleted.id).execute()
          else
            await tx
              .insertInto('workspaces')
              .values({ ...deleted, revision })
              .execute()
        })
      }
    }
    const changing = change()
    onTestFinished(() => {
      isOver = true
      return changing
    })
    const others = names.filter((name) => name !== renamed.name && name !== deleted.name)
    for (let round = 0; round < 20; round++) {
      const { data } = mustBe(await ann.post(path, { action: 'lock', 'dry-run': true }), 200).body
      expect(namesOf(data).filter((name) => others.includes(name))).toEqual(others)
    }
  })

  test('bulk: when time is up, the answer says what was done, and links.next goes on with the rest', async () => {
    const { path, names } = await many('slow', 5)
    const hasty = await ownApp({
      beside: app,
      clock: { ...testClock(), monotonic: () => performance.now() * 1_000_000 },
    })
    const caller = hasty.anonymous.as(ann.token)
    const body = { action: 'add-tags', tags: ['core'] }
    const seen: string[] = []
    let next = `${path}?search[name]=w0`
    for (let left = names.length; left > 0; ) {
      const { data, meta, links } = mustBe(await caller.post(next, body), 200).body
      expect(data.length).toBeGreaterThan(0)
      expect(meta).toMatchObject({ matched: left, changed: data.length, remaining: left - data.length })
      left = meta.remaining
      seen.push(...namesOf(data))
      expect(links).toEqual(left > 0 ? { next: expect.stringContaining('page%5Bafter%5D=w000') } : undefined)
      next = left > 0 ? links.next.slice(hasty.url.length) : ''
    }
    expect(seen).toEqual(names)
  })

  test.each([
    ['a misspelt search', 'search[wildcardname]=fleet*', 'search[wildcardname]'],
    ['a filter without its member', 'filter[project]=prj-1', 'filter[project]'],
    ['an unknown member of a tag filter', 'filter[tagged][0][keys]=env', 'filter[tagged][0][keys]'],
    ['a search without a value', 'search[name]=', 'search[name]'],
    ['a search of blanks beside a good one', 'search[name]=fleet&search[tags]=%20,', 'search[tags]'],
    ['a tag filter of blanks', 'filter[tagged][0][key]=&filter[tagged][0][value]=', 'filter[tagged][0][key]'],
    ['a word that is not a parameter', 'fleet', 'fleet'],
    ['the size of a page', 'search[name]=fleet&page[size]=2', 'page[size]'],
    ['the number of a page', 'page[number]=1&search[name]=fleet', 'page[number]'],
    ['a place without a name', 'search[name]=fleet&page[after]=', 'page[after]'],
    ['an order', 'search[name]=fleet&sort=name', 'sort'],
    ['an inclusion', 'search[name]=fleet&include=project', 'include'],
    ['a choice of fields', 'search[name]=fleet&fields[workspaces]=name', 'fields[workspaces]'],
  ])('bulk: %s is 400 and does not select every workspace', async (_name, query, parameter) => {
    const { ids } = await fleet()
    const { body } = mustBe(await ann.post(`${path}?${query}`, { action: 'lock' }), 400)
    expect(body.errors[0].source).toEqual({ parameter })
    expect((await attributesOf(ids[2])).locked).toBe(false)
  })

  test.each([
    ['plain', { action: 'lock', dryrun: true }],
    ['in a document', { data: { attributes: { action: 'lock', dryrun: true } } }],
  ])('bulk: a misspelt attribute, %s, is 400 and changes nothing', async (_name, sent) => {
    const { ids, query } = await fleet()
    const { body, headers } = mustBe(await ann.post(`${path}${query}`, sent), 400)
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      expect.stringMatching(/'dryrun'.* is refused\. Did you mean 'dry-run'\? Nothing was changed\.$/),
    ])
    expect(headers.warning).toBeUndefined()
    expect((await attributesOf(ids[0])).locked).toBe(false)
  })

  test('bulk: takes a tag filter of which one half is blank, and no query at all', async () => {
    const { ids } = await fleet()
    const body = { action: 'add-bindings', bindings: [{ key: `half${count}`, value: 'x' }] }
    await bulk(ann, `?search[name]=fleet${count}-a`, body)
    const tagged = `?filter[tagged][0][key]=half${count}`
    const { data } = await bulk(ann, `${tagged}&filter[tagged][0][value]=`, { action: 'lock', 'dry-run': true })
    expect(data.map(({ id }) => id)).toEqual([ids[0]])
    const { meta } = await bulk(ann, '', { action: 'lock', 'dry-run': true })
    expect(meta.matched).toBeGreaterThan(2)
  })

  test.each([
    ['no action', {}, /^\/action$/],
    ['an unknown action', { action: 'delete' }, /^\/action$/],
    ['no tags', { action: 'add-tags' }, /^\/tags$/],
    ['a faulty tag', { action: 'add-tags', tags: ['ok', '!!'] }, /^\/tags/],
    ['no bindings', { action: 'add-bindings', bindings: [] }, /^\/bindings$/],
    ['a key twice', { action: 'add-bindings', bindings: [{ key: 'a' }, { key: 'a' }] }, /^\/bindings/],
    ['a faulty end', { action: 'lock', 'expires-after': 'soon' }, /^\/expires-after$/],
    ['a dry run of another type', { action: 'lock', 'dry-run': 'yes' }, /^\/dry-run$/],
  ])('bulk: %s is 422 with a pointer, sent plain or as a document', async (_name, attributes, place) => {
    const [plain] = pointers(mustBe(await ann.post(path, attributes), 422))
    expect(plain).toMatch(place)
    expect(pointers(mustBe(await ann.post(path, { data: { attributes } }), 422))).toEqual([`/data/attributes${plain}`])
  })
})
