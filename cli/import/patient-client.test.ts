import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { importClient } from '../../test/support/fakes/import-source.ts'
import { bodyOf, listenOnLoopback, serveDuringTest } from '../../test/support/fakes/loopback.ts'
import { doc, mustBe, organization, person } from '../../test/support/platform.ts'
import { ownApp } from '../../test/support/shared.ts'
import { stateBench, stateOf } from '../../test/support/states.ts'
import type { TestApp } from '../../test/support/test-app.ts'
import { importOrganizations } from './importer.ts'
import { Report } from './report.ts'

/** What becomes of a request: it is answered, its answer is lost, or it is lost on the way. */
type Fate = 'answered' | 'answer lost' | 'lost' | 503

/** A proxy that loses requests and responses. */
const shakyWayTo = (url: string, fateOf: (request: IncomingMessage) => Fate | Promise<Fate>): Promise<string> => {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fate = await fateOf(request)
    if (fate === 503) return void response.writeHead(503, { 'content-type': 'text/html' }).end('<p>away</p>')
    if (fate === 'lost') return void request.socket.destroy()
    const { method = '', headers } = request
    const { authorization = '', 'content-type': type = 'application/octet-stream' } = headers
    const body = await bodyOf(request)
    const sent = { method, headers: { authorization, 'content-type': type }, ...(body.length > 0 && { body }) }
    const answer = await fetch(`${url}${request.url}`, sent)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (fate === 'answer lost') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes)
  }
  return serveDuringTest((request, response) => void pass(request, response))
}

/** A source with one of everything that the import copies. */
async function fullSource() {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const { ann } = bench
  const at = '/api/v2/organizations/acme'
  const project = mustBe(await ann.post(`${at}/projects`, doc('projects', { name: 'edge' })), 201).body.data
  const within = { project: { data: { type: 'projects', id: project.id } } }
  const bound = { data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } }] }
  const relationships = { ...within, 'tag-bindings': bound }
  const id = mustBe(await ann.post(`${at}/workspaces`, doc('workspaces', { name: 'network' }, relationships)), 201).body
    .data.id
  const tags = { data: [{ type: 'tags', attributes: { name: 'core' } }] }
  mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/tags`, tags), 204)
  const variable = doc('vars', { key: 'region', value: 'eu', category: 'env' })
  mustBe(await ann.post(`/api/v2/workspaces/${id}/vars`, variable), 201)
  mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
  mustBe(await bench.announceWithContent(id, stateOf({ serial: 3, resources: 2 }), { serial: 3 }), 201)
  mustBe(await bench.unlock(id), 200)
  const reader = mustBe(await ann.post(`${at}/workspaces`, doc('workspaces', { name: 'reader' })), 201).body.data
  const consumers = { data: [{ type: 'workspaces', id: reader.id }] }
  mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/remote-state-consumers`, consumers), 204)
  return { url: bench.app.url, token: ann.token }
}

async function targetWithOwner() {
  const target = await ownApp()
  return { target, owner: await person(target, 'owner') }
}

type Ends = { from: string; fromToken: string; to: string; toToken: string }

async function importing({ from, fromToken, to, toToken }: Ends): Promise<{ report: Report; said: string[] }> {
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
  const report = new Report(say)
  const ends = { from: importClient(from, fromToken, say), to: importClient(to, toToken, say) }
  await importOrganizations({ ...ends, dryRun: false, update: false, report }, ['acme'])
  return { report, said }
}

const firstTimeOf = () => {
  const seen = new Set<string>()
  return ({ method, url }: IncomingMessage): boolean => {
    const key = `${method} ${url?.replace(/=[^&]+/g, '')}`
    return !seen.has(key) && seen.add(key).has(key)
  }
}

test.each<[string, Fate]>([
  ['each answer to a change is lost once', 'answer lost'],
  ['each change is lost once on its way', 'lost'],
  ['a proxy has nobody to ask, once for each call', 503],
])('import: %s, and everything arrives once', async (_name, fate) => {
  const source = await fullSource()
  const { target, owner } = await targetWithOwner()
  const isFirst = firstTimeOf()
  const fateOf = (request: IncomingMessage): Fate => {
    const isLook = request.method === 'GET'
    // The very first call shows that there is a server.
    if (isLook && (fate !== 503 || request.url === '/api/v2/account/details')) return 'answered'
    return isFirst(request) ? fate : 'answered'
  }
  const way = await shakyWayTo(target.url, fateOf)
  const { report, said } = await importing({ from: source.url, fromToken: source.token, to: way, toToken: owner.token })
  expect([report.failures, report.notes]).toEqual([0, []])
  expect(said).toContainEqual(expect.stringMatching(/^~ waiting for the server: /))
  expect(said).toContain('~ the server answers again')
  await expectWhole(target, owner.token)
  const again = await importing({ from: source.url, fromToken: source.token, to: target.url, toToken: owner.token })
  expect(again.said).toEqual([])
  expect(again.report.counts()).toContainEqual({ kind: 'consumer', copied: 0, updated: 0, there: 1 })
})

async function expectWhole(target: TestApp, token: string): Promise<void> {
  const owner = target.root.as(token)
  const at = '/api/v2/organizations/acme'
  const { data } = mustBe(await owner.get(`${at}/workspaces`), 200).body
  expect(data).toHaveLength(2)
  const { id, attributes } = mustBe(await owner.get(`${at}/workspaces/network`), 200).body.data
  expect(attributes).toMatchObject({ 'resource-count': 2, locked: false, 'tag-names': ['core'] })
  expect(mustBe(await owner.get(`${at}/projects`), 200).body.data).toHaveLength(2)
  const here = `/api/v2/workspaces/${id}`
  for (const list of ['vars', 'tag-bindings', 'relationships/remote-state-consumers']) {
    expect([list, mustBe(await owner.get(`${here}/${list}`), 200).body.data.length]).toEqual([list, 1])
  }
  const versions = '/api/v2/state-versions?filter[organization][name]=acme&filter[workspace][name]=network'
  const states = mustBe(await owner.get(versions), 200).body.data
  const statuses: string[] = states.map((each: { attributes: { status: string } }) => each.attributes.status)
  expect(statuses.filter((status) => status !== 'discarded')).toEqual(['finalized'])
}

test('import: the first attempt of every request to the source is lost, and everything still arrives', async () => {
  const source = await fullSource()
  const { target, owner } = await targetWithOwner()
  const isFirst = firstTimeOf()
  const fateOf = (request: IncomingMessage): Fate =>
    request.url !== '/api/v2/organizations?page%5Bnumber%5D=1&page%5Bsize%5D=100' && isFirst(request)
      ? 'lost'
      : 'answered'
  const way = await shakyWayTo(source.url, fateOf)
  await importing({ from: way, fromToken: source.token, to: target.url, toToken: owner.token })
  await expectWhole(target, owner.token)
})

test('import: an organization created by somebody else while a request was lost is not adopted', async () => {
  const source = await fullSource()
  const { target, owner } = await targetWithOwner()
  const fateOf = async ({ method, url }: IncomingMessage): Promise<Fate> => {
    if (method !== 'POST' || url !== '/api/v2/organizations') return 'answered'
    if ((await target.root.get('/api/v2/admin/users?q=another')).body.data.length > 0) return 'answered'
    await organization(await person(target, 'another'), 'acme')
    return 'lost'
  }
  const to = await shakyWayTo(target.url, fateOf)
  const ends = { from: source.url, fromToken: source.token, to, toToken: owner.token }
  const { report } = await importing(ends)
  expect(report.failures).toBe(1)
  expect(report.notes).toEqual([expect.stringMatching(/has already been taken\n {2}An earlier attempt was cut off/)])
})

test('patience: a server that does not come back is reported, with what to do', async () => {
  const server = await listenOnLoopback((_request, response) => void response.writeHead(204).end())
  const said: string[] = []
  const client = importClient(`http://127.0.0.1:${server.port}`, 'x', (line) => void said.push(line))
  await client.call({ method: 'GET', path: '/api/v2/ping' })
  await server.close()
  const last = client.call({ method: 'GET', path: '/api/v2/ping' })
  await expect(last).rejects.toThrow(/The server did not come back within 2 seconds; run the import again/)
  expect(said).toEqual([
    expect.stringMatching(/^~ waiting for the server: .* (?:answers at|closes the connection)\b.*[^?]$/),
  ])
})

test('patience: it does not wait for a server that never answered', async () => {
  const server = await listenOnLoopback((_request, response) => void response.end())
  await server.close()
  const said: string[] = []
  const client = importClient(`http://127.0.0.1:${server.port}`, 'x', (line) => void said.push(line))
  await expect(client.call({ method: 'GET', path: '/api/v2/ping' })).rejects.toThrow('No server answers at')
  expect(said).toEqual([])
})

test('patience: a call that is not answered in time is repeated, but not for ever', async () => {
  let silent = 0
  const address = await serveDuringTest((request, response) => {
    if (request.url === '/api/v2/slow' && silent-- > 0) return
    response.writeHead(204).end()
  })
  const said: string[] = []
  const client = importClient(address, 'x', (line) => void said.push(line), 100)
  await client.call({ method: 'GET', path: '/api/v2/ping' })
  silent = 2
  expect(await client.ask({ method: 'POST', path: '/api/v2/slow' })).toMatchObject({ status: 204, isRepeated: true })
  expect(said).toEqual(Array(2).fill('~ the server did not answer in time; asking again'))
  silent = 9
  await expect(client.call({ method: 'GET', path: '/api/v2/slow' })).rejects.toThrow(/ did not answer in time\.$/)
  expect(silent).toBe(6)
})
