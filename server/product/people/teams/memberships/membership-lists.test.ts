import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, join, mustBe, organization, person } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { explainStatements } from '../../../../../test/support/statements.ts'
import type { Tx } from '../../../../storage/open.ts'
import { listUsers } from '../../users/user-store.ts'
import { listMemberships } from './membership-store.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const acme = shared(() => organization(ann, 'acme'))
  const path = '/api/v2/organizations/acme/organization-memberships'
  const found = async (query: string): Promise<[string[], number]> => {
    const { data, meta } = mustBe(await ann.get(`${path}?${query}`), 200).body
    const emails = data.map(({ attributes }: { attributes: { email: string } }) => attributes.email)
    return [emails, meta.pagination['total-count']]
  }

  test('memberships: a search finds people by the names they have now, and by their addresses', async () => {
    const quill = await person(app, 'quill')
    await join(acme, quill)
    expect(await found('q=QUIL')).toEqual([['quill@example.com'], 1])
    mustBe(await app.root.patch(`/api/v2/admin/users/${quill.id}`, doc('users', { username: 'Feather' })), 200)
    expect(await found('q=feath')).toEqual([['quill@example.com'], 1])
    mustBe(await app.root.patch(`/api/v2/admin/users/${quill.id}`, doc('users', { email: 'down@example.com' })), 200)
    expect(await found('q=quill')).toEqual([[], 0])
    expect(await found('q=feather')).toEqual([['down@example.com'], 1])
    expect(await found('q=f_ather')).toEqual([[], 0])
  })

  test('memberships: somebody invited is found by the address, and by the name once the invitation is accepted', async () => {
    const email = 'nib@example.com'
    mustBe(await ann.post(path, doc('organization-memberships', { email })), 201)
    expect(await found('q=nib&filter[status]=invited')).toEqual([[email], 1])
    mustBe(await app.root.post('/api/v2/admin/users', doc('users', { username: 'penholder', email })), 201)
    expect(await found('q=penh')).toEqual([[email], 1])
    expect(await found('q=nib&filter[status]=invited')).toEqual([[], 0])
  })

  test('memberships: pages follow each other by address', async () => {
    for (const name of ['page-c', 'page-a', 'page-b']) await join(acme, await person(app, name))
    const pages = await Promise.all([1, 2, 3, 4].map((number) => found(`q=page-&page[size]=1&page[number]=${number}`)))
    expect(pages).toEqual([
      [['page-a@example.com'], 3],
      [['page-b@example.com'], 3],
      [['page-c@example.com'], 3],
      [[], 3],
    ])
  })

  type Page = { readonly offset: number; readonly limit: number }
  const membersAt = (tx: Tx, page: Page) =>
    listMemberships(tx, { organizationId: acme.id, status: 'active', search: 'ann' }, page)
  const peopleAt = (tx: Tx, page: Page) =>
    listUsers(tx, { siteAdmin: undefined, suspended: undefined, search: 'ann', ...page })

  test.each([
    ['members', 'organization_memberships_listed', membersAt],
    ['people', 'users_listed', peopleAt],
  ])(
    'a search for %s reads one index alone, in its order, and counts unless the page shows all',
    async (_, index, list) => {
      const searches = async (limit: number) => {
        const explained = await explainStatements(app.deps.db, async (tx) => {
          if (engine === 'postgres') {
            for (const other of ['seqscan', 'bitmapscan'])
              await sql`select set_config(${`enable_${other}`}, 'off', true)`.execute(tx)
          }
          expect((await list(tx, { offset: 0, limit })).total).toBe(1)
        })
        return explained.filter((statement) => statement.sql.includes(' like '))
      }
      const way = engine === 'sqlite' ? `COVERING INDEX ${index}` : `"Index Only Scan"[^}]*"${index}"`
      const otherPlans = async () => {
        // PostgreSQL reads an index alone only where rows are known to be visible to all transactions, also those elsewhere.
        if (engine === 'postgres') await sql`vacuum analyze users, organization_memberships`.execute(app.deps.db)
        const [full, short] = [await searches(1), await searches(2)]
        expect([full.length, short.length]).toEqual([2, 1])
        return [...full, ...short].map(({ plan }) => JSON.stringify(plan)).filter((plan) => !new RegExp(way).test(plan))
      }
      await expect.poll(otherPlans).toEqual([])
    },
  )
})
