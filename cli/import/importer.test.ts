import { expect, test } from 'vitest'
import { importClient } from '../../test/support/fakes/import-source.ts'
import { serveDuringTest } from '../../test/support/fakes/loopback.ts'
import { mustBe, organization, type Person, person } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import { stateOf } from '../../test/support/states.ts'
import { importOrganizations } from './importer.ts'
import { Report } from './report.ts'

const organizationOf = (name: string) => ({ id: name, type: 'organizations', attributes: { name } })

/** A source that answers these paths, and everything else with 404. */
const sourceOf = (known: Record<string, object>): Promise<string> =>
  serveDuringTest((request, response) => {
    const data = known[request.url?.split('?')[0] ?? '']
    response.writeHead(data ? 200 : 404, { 'content-type': 'application/vnd.api+json' })
    if (Buffer.isBuffer(data)) response.end(data)
    else response.end(JSON.stringify(data ? { data } : { errors: [{ status: '404', title: 'not found' }] }))
  })

type Target = { readonly url: string; readonly owner: Person }

async function emptyTarget(): Promise<Target> {
  const app = await ownApp()
  return { url: app.url, owner: await person(app, 'owner') }
}

async function importAll(known: Record<string, object>, { url, owner }: Target, dryRun = false, update = false) {
  const told: string[] = []
  const report = new Report((line) => told.push(line))
  const from = importClient(await sourceOf(known), 'theirs')
  await importOrganizations({ from, to: importClient(url, owner.token), dryRun, update, report }, [])
  return { report, told }
}

/** An organization `old` with one workspace. */
const oneWorkspace = (attributes: object, more: Record<string, object> = {}): Record<string, object> => ({
  '/api/v2/organizations': [organizationOf('old')],
  '/api/v2/organizations/old/workspaces': [{ id: 'ws-1', type: 'workspaces', attributes }],
  '/api/v2/workspaces/ws-1/vars': [],
  ...more,
})

const state = stateOf({ serial: 7, resources: 2 })
const withState = {
  '/api/v2/workspaces/ws-1/current-state-version': {
    id: 'sv-1',
    type: 'state-versions',
    attributes: { serial: 7, 'hosted-state-download-url': '/files/7' },
  },
  '/files/7': state,
}

test('import: a source without projects, tag bindings and consumers is imported without them', async () => {
  const target = await emptyTarget()
  const attributes = { name: 'network', 'tag-names': ['core'], 'global-remote-state': false, 'execution-mode': 'local' }
  const { report } = await importAll(oneWorkspace(attributes), target)
  expect([report.failures, report.notes]).toEqual([0, []])
  const made = mustBe(await target.owner.get('/api/v2/organizations/old/workspaces/network'), 200).body.data
  expect(made.attributes).toMatchObject({ 'execution-mode': 'local', 'tag-names': ['core'] })
})

test('import: refused tags and variables are named, and the rest of the workspace is copied', async () => {
  const target = await emptyTarget()
  const variable = (key: string) => ({
    id: `var-${key}`,
    type: 'vars',
    attributes: { key, value: '1', category: 'env' },
  })
  const source = oneWorkspace(
    { name: 'network', 'tag-names': ['not this', 'core'] },
    { ...withState, '/api/v2/workspaces/ws-1/vars': [variable('not this'), variable('REGION')] },
  )
  const { report } = await importAll(source, target)
  const { id, attributes } = mustBe(await target.owner.get('/api/v2/organizations/old/workspaces/network'), 200).body
    .data
  expect(attributes).toMatchObject({ 'tag-names': ['core'], 'resource-count': 2, locked: false })
  const { data } = mustBe(await target.owner.get(`/api/v2/workspaces/${id}/vars`), 200).body
  expect(data.map((each: { attributes: { key: string } }) => each.attributes.key)).toEqual(['REGION'])
  expect(report.failures).toBe(2)
  expect(report.notes).toEqual([
    expect.stringMatching(/^Tag not this of network was not copied: .+ 422\.\n.+ may contain only/),
    expect.stringMatching(/^Variable not this of network was not copied: .+ 422\.\n.+ must not contain spaces/),
  ])
  expect(report.counts()).toEqual(
    ['organization', 'workspace', 'tag', 'variable', 'state'].map((kind) => ({
      kind,
      copied: 1,
      updated: 0,
      there: 0,
    })),
  )
})

test('import: an organization or workspace whose name is refused does not stop the others', async () => {
  const target = await emptyTarget()
  const workspace = (name: string) => ({ id: `ws-${name}`, type: 'workspaces', attributes: { name } })
  const { report } = await importAll(
    {
      '/api/v2/organizations': [organizationOf('dot.org'), organizationOf('old')],
      '/api/v2/organizations/old/workspaces': [workspace('dot.name'), workspace(''), workspace('network')],
      '/api/v2/workspaces/ws-network/vars': [],
    },
    target,
  )
  mustBe(await target.owner.get('/api/v2/organizations/old/workspaces/network'), 200)
  expect(report.notes).toEqual([
    expect.stringMatching(/^Organization dot\.org was not copied: /),
    expect.stringMatching(/^Workspace dot\.name was not copied: /),
    expect.stringMatching(/^Workspace ws- was not copied: /),
  ])
})

test('import: a project whose name is refused costs only its own workspaces', async () => {
  const target = await emptyTarget()
  const project = (id: string, name: string) => ({ id, type: 'projects', attributes: { name } })
  const workspace = (name: string, projectId: string) => ({
    id: `ws-${name}`,
    type: 'workspaces',
    attributes: { name },
    relationships: { project: { data: { type: 'projects', id: projectId } } },
  })
  const { report } = await importAll(
    {
      '/api/v2/organizations': [organizationOf('old')],
      '/api/v2/organizations/old/projects': [project('prj-1', 'Dots...'), project('prj-2', 'Platform')],
      '/api/v2/organizations/old/workspaces': [workspace('lost', 'prj-1'), workspace('network', 'prj-2')],
      '/api/v2/workspaces/ws-network/vars': [],
    },
    target,
  )
  mustBe(await target.owner.get('/api/v2/organizations/old/workspaces/network'), 200)
  mustBe(await target.owner.get('/api/v2/organizations/old/workspaces/lost'), 404)
  expect(report.failures).toBe(2)
  expect(report.notes).toEqual([
    expect.stringMatching(
      /^Project Dots\.\.\. was not copied: Its name is not accepted here. Names have 3 to 40 letters/,
    ),
    'Workspace lost was not copied: Its project was not copied.',
  ])
})

test('import: two organizations whose names differ only in case are not mixed', async () => {
  const target = await emptyTarget()
  const source = {
    '/api/v2/organizations': [organizationOf('Old'), organizationOf('old')],
    '/api/v2/organizations/Old/workspaces': [],
    '/api/v2/organizations/old/workspaces': [{ id: 'ws-1', type: 'workspaces', attributes: { name: 'network' } }],
  }
  const { report } = await importAll(source, target)
  expect(report.notes).toEqual([
    'Organization old was not copied: The source also has Old, which is the same name here. Rename one of them.',
  ])
  mustBe(await target.owner.get('/api/v2/organizations/Old/workspaces/network'), 404)
})

test('import: an organization that is spelled differently here is named', async () => {
  const target = await emptyTarget()
  await organization(target.owner, 'OLD')
  const { report } = await importAll(oneWorkspace({ name: 'network' }), target)
  const differs = 'The organization old differs here: default-tool. Use --update to overwrite it.'
  expect([report.failures, report.notes]).toEqual([0, ['Organization old is called OLD here.', differs]])
  mustBe(await target.owner.get('/api/v2/organizations/OLD/workspaces/network'), 200)
})

test('import: a tag that differs only in case is there already', async () => {
  const target = await emptyTarget()
  const source = oneWorkspace({ name: 'network', 'tag-names': ['Team_A', 'team_a'] })
  expect((await importAll(source, target)).told.filter((line) => line.startsWith('+ tag'))).toHaveLength(1)
  expect((await importAll(source, target)).told).toEqual([])
})

test.each([false, true])(
  'import: a workspace that uses agents, or is locked, is listed; dry run: %s',
  async (dryRun) => {
    const attributes = { name: 'network', 'execution-mode': 'agent', 'agent-pool-id': '', locked: true }
    const { report } = await importAll(oneWorkspace(attributes, withState), await emptyTarget(), dryRun)
    expect(report.notes).toEqual([
      'network uses an agent pool; connect it here by hand.',
      'network is locked at the source; its state may still change there. The lock is not copied.',
    ])
  },
)

test('import: a change that is refused is named, and does not cost a workspace its state', async () => {
  const target = await emptyTarget()
  await importAll(oneWorkspace({ name: 'network' }), target)
  const variables = [{ id: 'var-1', type: 'vars', attributes: { key: 'A', value: '1', category: 'env' } }]
  const attributes = { name: 'network', 'auto-apply': true, 'terraform-version': '~> 99.0' }
  const source = oneWorkspace(attributes, { ...withState, '/api/v2/workspaces/ws-1/vars': variables })
  const { report } = await importAll(source, target, false, true)
  expect([report.failures, report.notes]).toEqual([
    0,
    [expect.stringMatching(/^network: terraform-version was left out: /)],
  ])
  const made = mustBe(await target.owner.get('/api/v2/organizations/old/workspaces/network'), 200).body.data
  expect(made.attributes).toMatchObject({ 'auto-apply': true, 'resource-count': 2 })
  const changed = [{ ...variables[0], attributes: { key: 'A', value: '1'.repeat(500_000), category: 'env' } }]
  const next = await importAll({ ...source, '/api/v2/workspaces/ws-1/vars': changed }, target, false, true)
  expect(next.report.notes).toContainEqual(
    expect.stringMatching(/^Change of variable A of network \(value\) was not copied: /),
  )
})
