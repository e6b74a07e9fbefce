import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { copyWorkspaces } from '../../../../../test/support/many-workspaces.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot } from '../../../../../test/support/snapshot-calls.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'

type Named = { readonly attributes: { readonly name: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  // So many that SQLite looks up names by their parts, in threads.
  const copies = engine === 'sqlite' ? 20_100 : 2_100
  const large = shared(async () => {
    const made = await organization(ann, 'large')
    const id = await workspaceIn(made, { name: 'first-one' })
    await inTransaction(app.deps.db, async (tx) => {
      await copyWorkspaces(tx, id, copies)
      bumpVersion(tx, 'workspaces')
    })
    return made
  })

  const find = async (query: string): Promise<[number, ...string[]]> => {
    const { body } = mustBe(
      await ann.get(`/api/v2/organizations/large/workspaces?page[size]=3&sort=name&${query}`),
      200,
    )
    return [body.meta.pagination['total-count'], ...body.data.map(({ attributes }: Named) => attributes.name)]
  }
  const names = ['first-one', ...Array.from({ length: copies }, (_, at) => `ws-copy-${at + 1}`)].toSorted()
  const first = (meets: (name: string) => boolean) => {
    const found = names.filter(meets)
    return [found.length, ...found.slice(0, 3)]
  }
  const expectCopies = async () => {
    for (const part of ['copy', 'y-2009', 'copy-20100', 'st-', '99', '7', 'zzz', 'ws-copy-'])
      expect(await find(`search[name]=${part}`)).toEqual(first((name) => name.includes(part)))
    expect(await find('search[name]=COPY-99')).toEqual(first((name) => name.includes('copy-99')))
    expect(await find('search[wildcard-name]=*-1234')).toEqual(first((name) => name.endsWith('-1234')))
    expect(await find('search[wildcard-name]=copy*')).toEqual([0])
  }

  test('search by name in a large organization: parts of any length are found', expectCopies)

  test('search by name in a large organization: a new name is found at once, and an old one never again', async () => {
    const id = await workspaceIn(large, { name: 'quartz' })
    expect(await find('search[name]=uart')).toEqual([1, 'quartz'])
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', { name: 'basalt' })), 200)
    expect(await find('search[name]=uart')).toEqual([0])
    expect(await find('search[name]=Basal')).toEqual([1, 'basalt'])
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
    expect(await find('search[name]=basal')).toEqual([0])
  })

  test('search by name after a restore: finds what the snapshot has, and nothing else', async () => {
    const deleted = await workspaceIn(large, { name: 'deleted-after' })
    const snapshot = await saveSnapshot(app)
    mustBe(await ann.delete(`/api/v2/workspaces/${deleted}`), 204)
    await workspaceIn(large, { name: 'created-after' })
    expect((await sendSnapshot(app, snapshot)).status).toBe(200)
    await expectCopies()
    expect(await find('search[name]=after')).toEqual([1, 'deleted-after'])
    await workspaceIn(large, { name: 'thereafter' })
    expect(await find('search[name]=reaft')).toEqual([1, 'thereafter'])
  })

  test.runIf(engine === 'sqlite')('search by name after VACUUM: finds the same, though rows are missing', async () => {
    await app.deps.db.deleteFrom('workspaces').where('name', 'like', 'ws-copy-19%').execute()
    const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(app.deps.db)
    const database = new DatabaseSync(rows[0]?.file ?? '')
    database.exec('vacuum')
    database.close()
    const isLeft = (name: string) => name.includes('copy-20')
    expect(await find('search[name]=copy-20')).toEqual(first(isLeft))
    expect(await find('search[name]=copy-20100')).toEqual([1, 'ws-copy-20100'])
  })
})
