import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(() => organization(ann, 'acme'))

  const policyOf = (path: string) => `/api/v2/${path}/relationships/data-retention-policy`
  const days = (number: number) => doc('data-retention-policy-delete-olders', { 'delete-older-than-n-days': number })

  test('retention: no policy is left for a workspace deleted while the policy is being set', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await workspaceIn(org)
      const [gone, set] = await Promise.all([
        ann.delete(`/api/v2/workspaces/${id}`),
        ann.post(policyOf(`workspaces/${id}`), days(7)),
      ])
      mustBe(gone, 204)
      expect([200, 404]).toContain(set.status)
      const left = await app.deps.db
        .selectFrom('data_retention_policies')
        .select('id')
        .where('target_id', '=', id)
        .execute()
      expect(left).toEqual([])
    }
  })

  test('retention: concurrent writes all return the id of the policy that is stored', async () => {
    for (const target of [`workspaces/${await workspaceIn(org)}`, 'organizations/acme']) {
      const sent = await Promise.all([1, 2, 3, 4].map((number) => ann.post(policyOf(target), days(number))))
      const ids = sent.map((answer) => mustBe(answer, 200).body.data.id)
      const { id } = mustBe(await ann.get(policyOf(target)), 200).body.data
      expect(ids).toEqual([id, id, id, id])
    }
  })
})
