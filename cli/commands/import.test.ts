import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CommandResult, clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { doc, mustBe, organization, type Person, person } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import { type StateBench, stateBench, stateDocument, stateOf } from '../../test/support/states.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

let source: StateBench
let target: TestApp
let owner: Person
const bound = (key: string, value: string) => ({ data: [{ type: 'tag-bindings', attributes: { key, value } }] })
const state = stateOf({ serial: 3, resources: 2, outputs: { ip: '10.0.0.1' } })

beforeAll(async () => {
  source = await stateBench('sqlite')
  target = await testApp()
  owner = await person(target, 'owner')
  const { ann } = source
  const at = '/api/v2/organizations/acme'
  const project = mustBe(await ann.post(`${at}/projects`, doc('projects', { name: 'edge' })), 201).body.data.id
  mustBe(await ann.patch(`/api/v2/projects/${project}/tag-bindings`, bound('cost', '7')), 200)
  const settings = { name: 'network', description: 'the network', 'auto-apply': true, 'working-directory': 'infra' }
  const relationships = {
    project: { data: { type: 'projects', id: project } },
    'tag-bindings': bound('env', 'prod'),
  }
  const made = mustBe(await ann.post(`${at}/workspaces`, doc('workspaces', settings, relationships)), 201).body.data
  const tags = { data: [{ type: 'tags', attributes: { name: 'core' } }] }
  mustBe(await ann.post(`/api/v2/workspaces/${made.id}/relationships/tags`, tags), 204)
  for (const variable of [
    { key: 'region', value: 'eu', category: 'terraform' },
    { key: 'SECRET', value: 'x', category: 'env', sensitive: true },
  ]) {
    mustBe(await ann.post(`/api/v2/workspaces/${made.id}/vars`, doc('vars', variable)), 201)
  }
  mustBe(await ann.post(`/api/v2/workspaces/${made.id}/actions/lock`), 200)
  mustBe(await source.announceWithContent(made.id, state, { serial: 3 }), 201)
  mustBe(await source.unlock(made.id), 200)
  const reader = doc('workspaces', { name: 'reader', 'setting-overwrites': { 'execution-mode': false } })
  const consumer = mustBe(await ann.post(`${at}/workspaces`, reader), 201).body.data
  const consumers = { data: [{ type: 'workspaces', id: consumer.id }] }
  mustBe(await ann.post(`/api/v2/workspaces/${made.id}/relationships/remote-state-consumers`, consumers), 204)
  mustBe(await ann.patch(at, doc('organizations', { 'default-execution-mode': 'local' })), 200)
  await organization(ann, 'other')
})
afterAll(async () => {
  await source.app.close()
  await target.close()
})

const run = (...args: string[]): Promise<CommandResult> => runInto({ url: target.url, token: owner.token }, args)

const runInto = (into: { url: string; token: string }, args: readonly string[]): Promise<CommandResult> =>
  runCommand(['import', 'tfe', '--from', source.app.url, ...args], {
    environment: { ...clientEnvironment(into.url, into.token), HOLDFAST_IMPORT_TOKEN: source.ann.token },
    directory: '/',
  })

/** A target that holds nothing yet. */
async function emptyTarget() {
  const app = await ownApp()
  const owner = await person(app, 'owner')
  return { app, owner, run: (...args: string[]) => runInto({ url: app.url, token: owner.token }, args) }
}

test('dry run: says what would be copied, and copies nothing', async () => {
  const { owner, run } = await emptyTarget()
  const { code, err } = await run('--organization', 'acme', '--dry-run')
  expect([code, err]).toEqual([0, expect.stringContaining('+ workspace network')])
  mustBe(await owner.get('/api/v2/organizations/acme'), 404)
})

test('dry run: --format=json prints the counts', async () => {
  const { run } = await emptyTarget()
  const { out } = await run('--organization', 'acme', '--dry-run', '--format=json')
  expect(JSON.parse(out).counts).toContainEqual({ kind: 'organization', copied: 1, updated: 0, there: 0 })
})

test('import: a 401 of the source is reported as a refusal by the source', async () => {
  const { code, err } = await run('--from-token', 'hfu.wrong')
  expect([code, err]).toEqual([2, expect.stringMatching(/^holdfast: The source refused GET .+ with 401\./)])
})

test('import: a source that does not answer is reported without an empty table', async () => {
  const { code, out, err } = await run('--from', 'http://127.0.0.1:1')
  expect([code, out, err]).toEqual([1, '', 'holdfast: No server answers at http://127.0.0.1:1.\n'])
})

test('import: everything is copied, sensitive variables are reported, and a second run changes nothing', async () => {
  const { app, owner, run } = await emptyTarget()
  const first = await run('--organization', 'acme')
  expect(first).toMatchObject({ code: 0, err: expect.stringContaining('Variable SECRET of network is sensitive') })
  expect(first.out.trim().split('\n').at(-1)).toBe('! Variable SECRET of network is sensitive; set its value again.')
  const { data } = mustBe(await owner.get('/api/v2/organizations/acme/workspaces/network?include=project'), 200).body
  expect(data.attributes).toMatchObject({
    description: 'the network',
    'auto-apply': true,
    'working-directory': 'infra',
    'tag-names': ['core'],
    'resource-count': 2,
    locked: false,
  })
  const bindings = mustBe(await owner.get(`/api/v2/workspaces/${data.id}/tag-bindings`), 200).body.data
  expect(bindings[0].attributes).toMatchObject({ key: 'env', value: 'prod' })
  const inForce = mustBe(await owner.get(`/api/v2/workspaces/${data.id}/effective-tag-bindings`), 200).body.data
  expect(inForce[1].attributes).toEqual({ key: 'cost', value: '7' })
  const consumers = await owner.get(`/api/v2/workspaces/${data.id}/relationships/remote-state-consumers`)
  const [reader] = mustBe(consumers, 200).body.data
  expect(reader.attributes).toMatchObject({
    name: 'reader',
    'execution-mode': 'local',
    'setting-overwrites': { 'execution-mode': false },
  })
  const vars = mustBe(await owner.get(`/api/v2/workspaces/${data.id}/vars`), 200).body.data
  expect(vars.map((each: { attributes: { key: string } }) => each.attributes.key).sort()).toEqual(['SECRET', 'region'])
  expect(vars[0].attributes.description).toBeNull()
  const current = mustBe(await owner.get(`/api/v2/workspaces/${data.id}/current-state-version`), 200).body.data
  expect(current.attributes.serial).toBe(3)
  const url = new URL(current.attributes['hosted-state-download-url'])
  expect((await app.anonymous.get(url.pathname)).text).toBe(state.toString())
  mustBe(await owner.get('/api/v2/organizations/other'), 404)
  const second = await run('--organization', 'acme')
  expect([second.code, second.err]).toEqual([0, ''])
  // The run that created it may have been killed before its report was read.
  expect(second.out.trim().split('\n').at(-1)).toMatch(
    /^! Variable SECRET of network is sensitive and was here already/,
  )
})

test('import: a tag changed in the target keeps its value, and that is said', async () => {
  const { owner, run } = await emptyTarget()
  expect((await run('--organization', 'acme')).code).toBe(0)
  const { id } = mustBe(await owner.get('/api/v2/organizations/acme/workspaces/network'), 200).body.data
  mustBe(await owner.patch(`/api/v2/workspaces/${id}/tag-bindings`, bound('env', 'ours')), 200)
  expect(await run('--organization', 'acme')).toMatchObject({
    code: 0,
    err: '! The tag env of network differs here: value. Use --update to overwrite it.\n',
  })
  const { data } = mustBe(await owner.get(`/api/v2/workspaces/${id}/tag-bindings`), 200).body
  expect(data[0].attributes).toMatchObject({ key: 'env', value: 'ours' })
})

test('import: a target with a rate limit still gets everything', async () => {
  const slow = await ownApp({ settings: { apiRateLimit: 10 } })
  const { token } = await person(slow, 'owner')
  const { code, err } = await runInto({ url: slow.url, token }, ['--organization', 'acme'])
  expect([code, err]).toEqual([0, expect.stringContaining('+ consumer reader of network')])
})

test('import: an unknown organization is reported before anything is copied', async () => {
  expect(await run('--organization', 'nowhere')).toMatchObject({ code: 1, err: expect.stringContaining('nowhere') })
})

/** Runs the import in a separate process, which is killed after so many reported copies. */
async function killedAfter(copies: number, org: string): Promise<void> {
  const words = ['import', 'tfe', '--from', source.app.url, '--organization', org]
  const env = { HOLDFAST_ADDR: target.url, HOLDFAST_TOKEN: owner.token, HOLDFAST_IMPORT_TOKEN: source.ann.token }
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...words], { env })
  let told = ''
  child.stderr.on('data', (text) => {
    told += text
    if (told.split('\n+ ').length > copies) child.kill('SIGKILL')
  })
  await once(child, 'close')
  expect([child.signalCode, told]).toEqual(['SIGKILL', expect.any(String)])
}

test('import: killed repeatedly, it continues where it stopped, and leaves no lock behind', async () => {
  const { ann } = source
  const org = `many-${Date.now()}`
  await organization(ann, org)
  const names = ['one', 'two', 'three', 'four']
  for (const [index, name] of names.entries()) {
    const path = `/api/v2/organizations/${org}/workspaces`
    const { id } = mustBe(await ann.post(path, doc('workspaces', { name })), 201).body.data
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    const brought = stateOf({ serial: index + 1, resources: index + 1 })
    mustBe(await source.announceWithContent(id, brought, { serial: index + 1 }), 201)
    mustBe(await source.unlock(id), 200)
  }
  // Reported are the organization, its project, and then workspaces and states in turn.
  for (const copies of [2, 2, 1]) await killedAfter(copies, org)
  const last = await run('--organization', org)
  expect(last.code).toBe(0)
  const notes = last.err.split('\n').filter((line) => line.startsWith('!'))
  expect(notes.filter((line) => !line.includes('was still locked by an earlier import'))).toEqual([])
  const { data } = mustBe(await owner.get(`/api/v2/organizations/${org}/workspaces`), 200).body
  const found = data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
    attributes.name,
    attributes['resource-count'],
    attributes.locked,
  ])
  expect(found.sort()).toEqual(names.map((name, index) => [name, index + 1, false]).sort())
})

test.each([
  ['before the state arrived', false],
  ['before it let go of the lock', true],
])('import: a run that was killed %s is completed by the next one', async (_name, arrived) => {
  const { ann } = source
  const org = `left-${arrived}`
  await organization(ann, org)
  const path = `/api/v2/organizations/${org}/workspaces`
  const { id } = mustBe(await ann.post(path, doc('workspaces', { name: 'w' })), 201).body.data
  mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
  mustBe(await source.announceWithContent(id, state, { serial: 3 }), 201)
  mustBe(await source.unlock(id), 200)
  await organization(owner, org)
  const here = mustBe(await owner.post(path, doc('workspaces', { name: 'w' })), 201).body.data.id
  mustBe(await owner.post(`/api/v2/workspaces/${here}/actions/lock`, { reason: 'Import of state' }), 200)
  const content = arrived ? { state: state.toString('base64') } : {}
  const versions = `/api/v2/workspaces/${here}/state-versions`
  mustBe(await owner.post(versions, stateDocument(state, { serial: 3, ...content })), 201)
  const { code, err } = await run('--organization', org)
  expect(code).toBe(0)
  expect(err.trim().split('\n')).toEqual([
    '! w was still locked by an earlier import; the lock is released.',
    ...(arrived ? [] : ['+ state w, serial 3']),
  ])
  const { attributes } = mustBe(await owner.get(`/api/v2/workspaces/${here}`), 200).body.data
  expect(attributes).toMatchObject({ locked: false, 'resource-count': 2 })
})

test('import: a workspace locked by somebody in the target is reported, and the others are copied', async () => {
  const { ann } = source
  await organization(ann, 'held')
  for (const name of ['a', 'b']) {
    const made = await ann.post('/api/v2/organizations/held/workspaces', doc('workspaces', { name }))
    const { id } = mustBe(made, 201).body.data
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
    mustBe(await source.announceWithContent(id, state, { serial: 3 }), 201)
    mustBe(await source.unlock(id), 200)
  }
  await organization(owner, 'held')
  const held = await owner.post('/api/v2/organizations/held/workspaces', doc('workspaces', { name: 'a' }))
  const { id } = mustBe(held, 201).body.data
  mustBe(await owner.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'mine' }), 200)
  const { code, err } = await run('--organization', 'held')
  expect([code, err]).toEqual([2, expect.stringContaining('State of a was not copied')])
  expect(err).toContain('+ state b, serial 3')
  expect(mustBe(await owner.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes.locked).toBe(true)
})
