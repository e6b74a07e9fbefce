import { expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  join,
  mustBe,
  organization,
  type Person,
  person,
  team,
  workspaceIn,
} from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const cid = shared(() => person(app, 'cid'))
  /** An organization of ann's in which this person has locked the only workspace. */
  const lockedBy = async (holder: Person, name: string) => {
    const org = await organization(ann, name)
    const writers = await team(org, 'writers', { 'organization-access': { 'manage-workspaces': true } })
    const membership = await join(org, holder, [writers.id])
    await join(org, cid, [writers.id])
    const id = await workspaceIn(org, { name: 'network' })
    mustBe(await holder.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const holderSeenBy = async (caller: Client) => {
      const [included] = mustBe(await caller.get(`/api/v2/workspaces/${id}?include=locked_by`), 200).body.included
      const list = mustBe(await caller.get(`/api/v2/organizations/${name}/workspaces?include=locked_by`), 200)
      expect(list.body.included).toEqual([included])
      return [included.attributes.username, included.attributes.email]
    }
    return { membership, holderSeenBy }
  }

  test('include=locked_by: the address of the holder is seen by those who see it at the user', async () => {
    const { holderSeenBy } = await lockedBy(bob, 'acme')
    expect(await holderSeenBy(cid)).toEqual(['bob', null])
    for (const caller of [cid, bob, ann]) {
      const shown = mustBe(await caller.get(`/api/v2/users/${bob.id}`), 200).body.data.attributes
      expect(await holderSeenBy(caller)).toEqual(['bob', shown.email])
    }
    expect(await holderSeenBy(bob)).toEqual(['bob', 'bob@example.com'])
    expect(await holderSeenBy(ann)).toEqual(['bob', 'bob@example.com'])
  })

  test('include=locked_by: the address of a holder who left is hidden from those who managed the person', async () => {
    const { membership, holderSeenBy } = await lockedBy(await person(app, 'dan'), 'left')
    mustBe(await ann.delete(`/api/v2/organization-memberships/${membership}`), 204)
    expect(await holderSeenBy(ann)).toEqual(['dan', null])
  })
})
