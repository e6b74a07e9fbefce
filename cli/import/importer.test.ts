import { expect, test } from 'vitest'
import { importClient } from '../../test/support/fakes/import-source.ts'
import { serveDuringTest } from '../../test/support/fakes/loopback.ts'
import { mustBe, person } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import { importOrganizations } from './importer.ts'
import { Report } from './report.ts'

test('import: a source without projects, tag bindings and consumers is imported without them', async () => {
  const target = await ownApp()
  const owner = await person(target, 'owner')
  const attributes = { name: 'network', 'tag-names': ['core'], 'global-remote-state': false, 'execution-mode': 'local' }
  const known: Record<string, object> = {
    '/api/v2/organizations': [{ id: 'old', type: 'organizations', attributes: { name: 'old' } }],
    '/api/v2/organizations/old/workspaces': [{ id: 'ws-1', type: 'workspaces', attributes }],
    '/api/v2/workspaces/ws-1/vars': [],
  }
  const source = await serveDuringTest((request, response) => {
    const data = known[request.url?.split('?')[0] ?? '']
    response.writeHead(data ? 200 : 404, { 'content-type': 'application/vnd.api+json' })
    response.end(JSON.stringify(data ? { data } : { errors: [{ status: '404', title: 'not found' }] }))
  })
  const report = new Report(() => undefined)
  const copy = {
    from: importClient(source, 'theirs'),
    to: importClient(target.url, owner.token),
    dryRun: false,
    report,
  }
  await importOrganizations(copy, [])
  expect([report.failures, report.notes]).toEqual([0, []])
  const made = mustBe(await owner.get('/api/v2/organizations/old/workspaces/network'), 200).body.data
  expect(made.attributes).toMatchObject({ 'execution-mode': 'local', 'tag-names': ['core'] })
})
