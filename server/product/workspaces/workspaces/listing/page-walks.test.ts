import { expect, onTestFinished, test } from 'vitest'
import { type Client, testClient } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { copyWorkspaces } from '../../../../../test/support/many-workspaces.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { type TestApp, testApp } from '../../../../../test/support/test-app.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'

type Listed = { readonly attributes: { readonly name: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))

  /** Five workspaces, listed by name on pages of two; `add` makes another one. */
  const pagesOfTwo = async () => {
    const pile = await organization(ann, `pile-${app.deps.ids.hex(8)}`)
    const add = (name: string) => workspaceIn(pile, { name })
    for (const name of ['b', 'c', 'd', 'e', 'f']) await add(name)
    const path = `/api/v2/organizations/${pile.name}/workspaces?sort=name&page[size]=2&page[number]=`
    const page = async (number: number, by: Client = ann): Promise<string[]> => {
      const { data } = mustBe(await by.as(ann.token).get(`${path}${number}`), 200).body
      return data.map((each: Listed) => each.attributes.name)
    }
    return { page, add }
  }

  test.each([[[1, 3, 2]], [[3, 2, 1]], [[2, 3, 1]]])(
    'paging again after a change, in the order %j: each workspace appears once',
    async (order) => {
      const { page, add } = await pagesOfTwo()
      for (const number of [1, 2, 3]) await page(number)
      await add('a')
      const seen: string[] = []
      for (const number of order) seen.push(...(await page(number)))
      expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    },
  )

  test('paging again after permissions changed: each workspace appears once', async () => {
    const pile = await organization(ann, `rights-${app.deps.ids.hex(8)}`)
    const readers = await team(pile, 'readers')
    const allow = async (workspaceId: string) => {
      const to = { workspace: { data: { type: 'workspaces', id: workspaceId } } }
      const by = { team: { data: { type: 'teams', id: readers.id } } }
      mustBe(
        await ann.post('/api/v2/team-workspaces', doc('team-workspaces', { access: 'read' }, { ...to, ...by })),
        201,
      )
    }
    const ids = new Map<string, string>()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.set(name, await workspaceIn(pile, { name }))
    for (const name of ['b', 'd', 'e', 'f']) await allow(ids.get(name) ?? '')
    const path = `/api/v2/organizations/${pile.name}/workspaces?sort=name&page[size]=2&page[number]=`
    const pages = async (...numbers: number[]): Promise<string[]> => {
      const answers = []
      for (const number of numbers) answers.push(mustBe(await readers.get(`${path}${number}`), 200))
      return answers.flatMap(({ body }) => body.data.map((each: Listed) => each.attributes.name))
    }
    expect(await pages(1, 2)).toEqual(['b', 'd', 'e', 'f'])
    for (const name of ['a', 'c']) await allow(ids.get(name) ?? '')
    expect(await pages(1, 2, 3)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  test('pages far from either end: each has the rows of its number, also when it is asked for again and after a change', async () => {
    const pile = await organization(ann, `far-${app.deps.ids.hex(8)}`)
    const id = await workspaceIn(pile, { name: 'first-one' })
    const copies = 20_100
    await inTransaction(app.deps.db, async (tx) => {
      await copyWorkspaces(tx, id, copies)
      bumpVersion(tx, 'workspaces')
    })
    const names = ['first-one', ...Array.from({ length: copies }, (_, at) => `ws-copy-${at + 1}`)].toSorted()
    const expectPages = async () => {
      for (const [sort, inOrder] of [
        ['', names],
        ['-name', names.toReversed()],
      ] as const)
        for (const number of [100, 102, 101, 100, 201]) {
          const path = `/api/v2/organizations/${pile.name}/workspaces?sort=${sort}&page[size]=100&page[number]=${number}`
          const { data } = mustBe(await ann.get(path), 200).body
          expect(data.map((each: Listed) => each.attributes.name)).toEqual(
            inOrder.slice(100 * (number - 1), 100 * number),
          )
        }
    }
    await expectPages()
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    names.shift()
    await expectPages()
  })

  /** Two nodes on the same data, as clients with a connection to each of them see them. */
  const twoNodes = async (): Promise<readonly [TestApp, TestApp]> => {
    const [one, other] = [await testApp({ engine, beside: app }), await testApp({ engine, beside: app })]
    onTestFinished(async () => {
      await one.close()
      await other.close()
    })
    return [one, other]
  }

  // SQLite belongs to one node.
  const nodesTest = test.runIf(engine === 'postgres')

  nodesTest('paging through two nodes after another client with the same token: each appears once', async () => {
    const [one, other] = await twoNodes()
    const { page, add } = await pagesOfTwo()
    expect(await page(1, one.anonymous)).toEqual(['b', 'c'])
    await add('a')
    const [toOne, toOther] = [testClient({ url: one.url }), testClient({ url: other.url })]
    onTestFinished(() => {
      for (const each of [toOne, toOther]) each.close()
    })
    expect(await page(1, toOther)).toEqual(['a', 'b'])
    expect(await page(2, toOne)).toEqual(['c', 'd'])
    expect(await page(3, toOther)).toEqual(['e', 'f'])
  })

  nodesTest('paging again through two nodes after 10 s and a change: each workspace appears once', async () => {
    const [one, other] = await twoNodes()
    const { page, add } = await pagesOfTwo()
    for (const from of [one, other]) expect(await page(1, from.anonymous)).toEqual(['b', 'c'])
    app.clock.advance('10s')
    await add('a')
    expect(await page(1, other.anonymous)).toEqual(['a', 'b'])
    expect(await page(2, one.anonymous)).toEqual(['c', 'd'])
    expect(await page(3, other.anonymous)).toEqual(['e', 'f'])
  })
})
