import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person } from '../../../../../test/support/platform.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { storeProject } from '../../../../../test/support/workspace-parts.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { maxBindings } from '../tagging/tag-binding.ts'
import { replaceBindings } from '../tagging/tag-binding-store.ts'

type Named = { readonly attributes: { readonly name: string } }

eachEngine((engine) => {
  const app = sharedApp({ engine })

  test('workspace list: tags are inherited from any number of projects with any number of keys', async () => {
    const ann = await person(app, 'ann')
    const org = await organization(ann, 'many-keys')
    const projects: string[] = []
    for (let number = 0; number < 60; number++) projects.push(await storeProject(app, org, `Project ${number}`))
    await inTransaction(app.deps.db, async (tx) => {
      for (const [number, projectId] of projects.entries()) {
        const bindings = Array.from({ length: maxBindings }, (_, each) => ({ key: `k${number}-${each}`, value: 'yes' }))
        const target = { organizationId: org.id, projectId }
        await replaceBindings(tx, randomIds, target, { bindings, at: app.clock.now() })
      }
    })
    const path = `/api/v2/organizations/${org.name}/workspaces`
    const make = async (name: string, projectId: string | undefined, bound: Readonly<Record<string, string>>) => {
      const data = Object.entries(bound).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } }))
      const project = projectId === undefined ? {} : { project: { data: { type: 'projects', id: projectId } } }
      app.clock.advance('1s')
      mustBe(await ann.post(path, doc('workspaces', { name }, { ...project, 'tag-bindings': { data } })), 201)
    }
    const no = (number: number) =>
      Object.fromEntries(Array.from({ length: maxBindings }, (_, each) => [`k${number}-${each}`, 'no']))
    await make('heir', projects[3], {})
    await make('direct', undefined, { x: 'yes' })
    await make('other-key', projects[3], { 'k4-0': 'no' })
    await make('one-replaced', projects[5], { 'k5-0': 'no' })
    await make('all-replaced', projects[6], no(6))
    const names = async (query: string): Promise<string[]> =>
      mustBe(await ann.get(`${path}?${query}`), 200).body.data.map(({ attributes }: Named) => attributes.name)
    const withYes = ['heir', 'direct', 'other-key', 'one-replaced']
    expect(await names('filter[tagged][0][value]=yes')).toEqual(withYes)
    expect(await names('filter[tagged][0][value]=yes&sort=-latest-change-at')).toEqual(withYes.toReversed())
    expect(await names('filter[tagged][0][value]=no')).toEqual(['other-key', 'one-replaced', 'all-replaced'])
    expect(await names('filter[tagged][0][key]=k5-0&filter[tagged][0][value]=yes')).toEqual([])
    expect(await names('search[tags]=k5-0')).toEqual(['one-replaced'])
    expect(await names('search[exclude-tags]=k3-1,k6-1')).toEqual(['direct', 'one-replaced'])
    expect(await names('search[exclude-tags]=k3-1&sort=latest-change-at')).toEqual([
      'direct',
      'one-replaced',
      'all-replaced',
    ])
  })
})
