import { expect, test } from 'vitest'
import { importClient } from '../../test/support/fakes/import-source.ts'
import { doc, mustBe, type Organization, organization, type Person, person, team } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import type { TestApp } from '../../test/support/test-app.ts'
import { importOrganizations } from './importer.ts'
import { Report } from './report.ts'

const at = '/api/v2/organizations/acme'

type Side = { readonly app: TestApp; readonly owner: Person }

async function side(): Promise<Side> {
  const app = await ownApp()
  return { app, owner: await person(app, 'owner') }
}

/** A source with an organization, and an empty target. */
async function twoServers(): Promise<{ source: Side & { org: Organization }; target: Side }> {
  const source = await side()
  return { source: { ...source, org: await organization(source.owner, 'acme') }, target: await side() }
}

type Options = { dryRun?: boolean; update?: boolean; fromToken?: string; toToken?: string }

async function imported(source: Side, target: Side, options: Options = {}) {
  const { dryRun = false, update = false, fromToken = source.owner.token, toToken = target.owner.token } = options
  const said: string[] = []
  const report = new Report((line) => said.push(line), dryRun)
  const from = importClient(source.app.url, fromToken)
  await importOrganizations({ from, to: importClient(target.app.url, toToken), dryRun, update, report }, [])
  return { said, notes: report.notes, failures: report.failures, counts: report.counts() }
}

const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } })

async function make(owner: Person, list: string, type: string, attributes: object, relationships?: object) {
  return mustBe(await owner.post(list, doc(type, attributes, relationships)), 201).body.data
}

const change = async (owner: Person, path: string, type: string, attributes: object): Promise<void> =>
  void mustBe(await owner.patch(path, doc(type, attributes)), 200)

test('import: a token of the target that is wrong, or of an organization, is refused at once', async () => {
  const { source, target } = await twoServers()
  await expect(imported(source, target, { toToken: 'wrong' })).rejects.toThrow(/account\/details with 401/)
  await organization(target.owner, 'acme')
  const issued = mustBe(await target.owner.post(`${at}/authentication-token`), 201).body.data
  const { token: toToken } = issued.attributes
  await expect(imported(source, target, { toToken })).rejects.toThrow(/belongs to an organization.+ Use one of a user/)
})

test('import: whoever may not see or create the organization here is told so', async () => {
  const { source, target } = await twoServers()
  await organization(target.owner, 'acme')
  const { token: toToken } = await person(target.app, 'stranger')
  const refused = await imported(source, target, { toToken })
  expect(refused.failures).toBe(1)
  expect(refused.notes).toEqual([expect.stringMatching(/already been taken\n {2}It exists here, .+ may not see it/)])
  const other = await team(await organization(target.owner, 'other'), 'movers')
  expect((await imported(source, target, { toToken: other.token, dryRun: true })).notes).toEqual([
    'Organization acme cannot be copied: This token sees no organization of this name here, and may not create one.',
  ])
})

test('import: a workspace whose project the token does not see is not put into another one', async () => {
  const { source, target } = await twoServers()
  const edge = await make(source.owner, `${at}/projects`, 'projects', { name: 'edge' })
  const { id } = await make(source.owner, `${at}/workspaces`, 'workspaces', { name: 'network' }, inProject(edge.id))
  const readers = await team(source.org, 'readers')
  const relationships = {
    team: { data: { type: 'teams', id: readers.id } },
    workspace: { data: { type: 'workspaces', id } },
  }
  await make(source.owner, '/api/v2/team-workspaces', 'team-workspaces', { access: 'read' }, relationships)
  const { failures, notes } = await imported(source, target, { fromToken: readers.token })
  expect([failures, notes]).toEqual([1, ['Workspace network was not copied: This token may not see its project.']])
  mustBe(await target.owner.get(`${at}/workspaces/network`), 404)
})

test('import: settings and variables that differ are named, and overwritten only if that is asked for', async () => {
  const { source, target } = await twoServers()
  const edge = await make(source.owner, `${at}/projects`, 'projects', { name: 'edge', description: 'old' })
  const bound = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'test' } }] }
  const { id } = await make(
    source.owner,
    `${at}/workspaces`,
    'workspaces',
    { name: 'network', description: 'old', 'trigger-prefixes': ['a'], 'auto-destroy-at': '2099-01-01T00:00:00Z' },
    { 'tag-bindings': bound },
  )
  const vars = `/api/v2/workspaces/${id}/vars`
  const region = await make(source.owner, vars, 'vars', { key: 'region', value: 'eu', category: 'env' })
  await make(source.owner, vars, 'vars', { key: 'secret', value: 's', category: 'env', sensitive: true })
  await imported(source, target)
  const same = await imported(source, target, { update: true })
  expect([same.said, same.failures]).toEqual([[], 0])

  await change(source.owner, at, 'organizations', { 'default-execution-mode': 'local' })
  await change(source.owner, `/api/v2/projects/${edge.id}`, 'projects', { description: 'new' })
  const moved = doc('workspaces', { description: '', 'auto-apply': true, 'trigger-prefixes': [] }, inProject(edge.id))
  mustBe(await source.owner.patch(`/api/v2/workspaces/${id}`, moved), 200)
  await change(source.owner, `${vars}/${region.id}`, 'vars', { value: 'us' })
  const tag = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] }
  mustBe(await source.owner.patch(`/api/v2/workspaces/${id}/tag-bindings`, tag), 200)

  const named = await imported(source, target)
  const differs = (what: string, names: string) => `The ${what} differs here: ${names}. Use --update to overwrite it.`
  expect(named.notes).toEqual([
    differs('organization acme', 'default-execution-mode'),
    differs('project edge', 'description'),
    differs('workspace network', 'description, auto-apply, trigger-prefixes, project'),
    differs('tag env of network', 'value'),
    differs('variable region of network', 'value'),
    expect.stringMatching(/^Variable secret of network is sensitive and was here already/),
  ])
  expect(named.failures).toBe(0)
  const foreseen = await imported(source, target, { update: true, dryRun: true })
  expect((await imported(source, target)).notes).toEqual(named.notes)
  const updated = await imported(source, target, { update: true })
  expect(updated.said).toEqual(foreseen.said)
  expect(updated.said).toEqual([
    '* organization acme: default-execution-mode',
    '* project edge: description',
    '* workspace network: description, auto-apply, trigger-prefixes, project',
    '* tag env of network: value',
    '* variable region of network: value',
  ])
  const again = await imported(source, target, { update: true })
  expect([again.said, again.notes.length]).toEqual([[], 1])
})

test('import: the tool of an organization and the default project arrive, also under another name', async () => {
  const { source, target } = await twoServers()
  await change(source.owner, at, 'organizations', { 'default-tool': 'terraform' })
  const own = { 'default-execution-mode': 'local', 'setting-overwrites': { 'default-execution-mode': true } }
  const settings = { name: 'Platform', description: 'ours', 'auto-destroy-activity-duration': '30d', ...own }
  await change(source.owner, `/api/v2/projects/${source.org.projectId}`, 'projects', settings)
  await make(source.owner, `${at}/projects`, 'projects', { name: 'Default Project' })
  await make(source.owner, `${at}/workspaces`, 'workspaces', { name: 'network', 'terraform-version': '1.6.0' })
  const foreseen = await imported(source, target, { dryRun: true })
  const { said, notes, counts } = await imported(source, target)
  expect([said, notes]).toEqual([foreseen.said, []])
  expect(counts).toContainEqual({ kind: 'project', copied: 1, updated: 1, there: 0 })
  const { attributes, relationships } = mustBe(await target.owner.get(at), 200).body.data
  expect(attributes['default-tool']).toBe('terraform')
  const { id } = relationships['default-project'].data
  expect(mustBe(await target.owner.get(`/api/v2/projects/${id}`), 200).body.data.attributes).toMatchObject(settings)
  const network = mustBe(await target.owner.get(`${at}/workspaces/network`), 200).body.data
  expect(network.attributes).toMatchObject({ 'tool-name': 'terraform', 'terraform-version': '1.6.0' })
  expect(network.relationships.project.data.id).toBe(id)
})

test('import: a default project that is in use stays as it is', async () => {
  const { source, target } = await twoServers()
  await change(source.owner, `/api/v2/projects/${source.org.projectId}`, 'projects', { description: 'theirs' })
  const { projectId } = await organization(target.owner, 'acme')
  await make(target.owner, `${at}/workspaces`, 'workspaces', { name: 'here' })
  const { notes } = await imported(source, target)
  expect(notes).toEqual(['The project Default Project differs here: description. Use --update to overwrite it.'])
  const kept = mustBe(await target.owner.get(`/api/v2/projects/${projectId}`), 200).body.data
  expect(kept.attributes.description).toBe('')
})
