import { expect, test } from 'vitest'
import type { Client } from '../../../../../test/support/client.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme-search'))

const search = async (caller: Client, query: string): Promise<string[]> =>
  mustBe(await caller.get(`/api/v2/search?${query}`), 200).body.data.map(
    ({ id, attributes }: { id: string; attributes: { kind: string; name: string; organization: string } }) => {
      expect(id.startsWith(`${attributes.kind}/`)).toBe(true)
      return `${attributes.organization}: ${attributes.kind} ${attributes.name}`
    },
  )

test('search: strangers get 401, and others do not find what they may not see', async () => {
  mustBe(await app.anonymous.get('/api/v2/search?q=net'), 401)
  await workspaceIn(acme, { name: 'network-hidden' })
  expect(await search(await person(app, 'eve'), 'q=network')).toEqual([])
})

test('search: finds workspaces, projects, teams and organizations by a part of the name in any case', async () => {
  await workspaceIn(acme, { name: 'payments-prod' })
  const projects = '/api/v2/organizations/acme-search/projects'
  mustBe(await ann.post(projects, doc('projects', { name: 'Payments' })), 201)
  await team(acme, 'payments-team')
  await organization(ann, 'payments-inc')
  expect(await search(ann, 'q=PAYMENTS')).toEqual([
    'acme-search: teams payments-team',
    'acme-search: workspaces payments-prod',
    'acme-search: projects Payments',
    'payments-inc: organizations payments-inc',
  ])
  expect(await search(ann, 'q=payments&filter[organization]=Payments-Inc')).toEqual([
    'payments-inc: organizations payments-inc',
  ])
})

test('search: nothing is found without a text, and % and _ stand for themselves', async () => {
  for (const query of ['', 'q=', 'q=%20', 'q=%25', 'q=_x_']) expect(await search(ann, query), query).toEqual([])
})

test('search: at most eight of a kind', async () => {
  for (let n = 1; n <= 10; n++) await workspaceIn(acme, { name: `many-${n}` })
  expect(await search(ann, 'q=many-')).toHaveLength(8)
})
