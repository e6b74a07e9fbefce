import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { importClient } from '../../../test/support/fakes/import-source.ts'
import { serveDuringTest } from '../../../test/support/fakes/loopback.ts'
import { mustBe, team } from '../../../test/support/platform.ts'
import { md5Of, type StateBench, stateBench, stateDocument, stateOf } from '../../../test/support/states.ts'
import type { PatientClient } from '../patient-client.ts'
import { Report } from '../report.ts'
import { copyState } from './state-import.ts'

/** A source of one workspace, with this state. */
const sourceOf = (state: Buffer): Promise<string> =>
  serveDuringTest((request, response) => {
    if (request.url === '/files/7') return void response.end(state)
    const attributes = { serial: 7, 'hosted-state-download-url': '/files/7' }
    response.setHeader('content-type', 'application/vnd.api+json')
    response.end(JSON.stringify({ data: { id: 'sv-1', type: 'state-versions', attributes } }))
  })

test('state: its download URL may be a path that redirects to another host, which gets no token', async () => {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const state = stateOf({ serial: 7, resources: 1 })
  const asked: string[] = []
  const note = (host: string, { url, headers }: IncomingMessage) =>
    asked.push(`${host} ${url} ${headers.authorization ?? 'nobody'}`)
  const store = await serveDuringTest((request, response) => {
    note('store', request)
    response.end(state)
  })
  const attributes = { serial: 7, 'hosted-state-download-url': '/files/7' }
  const source = await serveDuringTest((request, response) => {
    note('source', request)
    if (request.url === '/files/7') response.writeHead(307, { location: `${store}/7?signature=x` }).end()
    else {
      response.setHeader('content-type', 'application/vnd.api+json')
      response.end(JSON.stringify({ data: { id: 'sv-1', type: 'state-versions', attributes } }))
    }
  })
  const id = await bench.workspace()
  const copy = {
    from: importClient(source, 'theirs'),
    to: importClient(bench.app.url, bench.ann.token),
    dryRun: false,
    update: false,
    report: new Report(() => undefined),
  }
  const there = { id: 'ws-1', type: 'workspaces', attributes: { name: 'w' } }
  await copyState(copy, there, { ...there, id })
  const current = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
  expect(await bench.download(current)).toEqual(state)
  expect(asked.slice(1)).toEqual(['source /files/7 Bearer theirs', 'store /7?signature=x nobody'])
})

test('state: whoever takes over the lock during the import keeps it', async () => {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const id = await bench.workspace()
  const workspace = `/api/v2/workspaces/${id}`
  const to = importClient(bench.app.url, bench.ann.token)
  const takenOver: PatientClient['ask'] = async (call) => {
    if (call.method === 'PUT') {
      mustBe(await bench.ann.post(`${workspace}/actions/force-unlock`), 200)
      mustBe(await bench.ann.post(`${workspace}/actions/lock`, { reason: 'mine now' }), 200)
    }
    return to.ask(call)
  }
  const from = importClient(await sourceOf(stateOf({ serial: 7 })), 'theirs')
  const copy = {
    from,
    to: { ...to, ask: takenOver },
    dryRun: false,
    update: false,
    report: new Report(() => undefined),
  }
  const there = { id: 'ws-1', type: 'workspaces', attributes: { name: 'w' } }
  await expect(copyState(copy, there, { ...there, id })).rejects.toThrow('409')
  expect((await bench.workspaceOf(id)).attributes['locked-reason']).toBe('mine now')
})

test('state: after the target refused a state with 422 the workspace is unlocked', async () => {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const id = await bench.workspace()
  const from = importClient(await sourceOf(Buffer.from('{"version":4,"serial":7,"resources":{}}')), 'theirs')
  const to = importClient(bench.app.url, bench.ann.token)
  const there = { id: 'ws-1', type: 'workspaces', attributes: { name: 'w' } }
  const copy = { from, to, dryRun: false, update: false, report: new Report(() => undefined) }
  await expect(copyState(copy, there, { ...there, id })).rejects.toThrow('422')
  expect((await bench.workspaceOf(id)).attributes.locked).toBe(false)
})

test("state: a lock of somebody else with the import's own reason stays, and its announced state too", async () => {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const other = await team(bench.org, 'ops', { 'organization-access': { 'manage-workspaces': true } })
  const to = importClient(bench.app.url, bench.ann.token)
  const there = { id: 'ws-1', type: 'workspaces', attributes: { name: 'w' } }
  const state = stateOf({ serial: 7 })
  const nothing = await serveDuringTest((_request, response) => void response.writeHead(404).end())
  for (const [address, outcome] of [
    [nothing, 'done'],
    [await sourceOf(state), expect.stringContaining('409')],
  ] as const) {
    const id = await bench.workspace()
    const workspace = `/api/v2/workspaces/${id}`
    mustBe(await other.post(`${workspace}/actions/lock`, { reason: 'Import of state' }), 200)
    const announced = mustBe(await other.post(`${workspace}/state-versions`, stateDocument(state, { serial: 7 })), 201)
    const copy = {
      from: importClient(address, 'theirs'),
      to,
      dryRun: false,
      update: false,
      report: new Report(() => undefined),
    }
    const copying = copyState(copy, there, await bench.workspaceOf(id))
    expect(
      await copying.then(
        () => 'done',
        (thrown: Error) => thrown.message,
      ),
    ).toEqual(outcome)
    expect((await bench.workspaceOf(id)).attributes.locked).toBe(true)
    mustBe(await bench.ann.get(`/api/v2/state-versions/${announced.body.data.id}`), 200)
    expect(copy.report.notes).toEqual([])
  }
})

type Download = { readonly status?: number; readonly body?: Buffer }

/** Copies a state whose download is answered like this, one after the other, from a source that tells no digest. */
async function copyDownloaded(bench: StateBench, downloads: Download[], announced: object = {}) {
  const attributes = { serial: 7, 'hosted-state-download-url': '/files/7?signature=secret', ...announced }
  const from = await serveDuringTest((request, response) => {
    if (request.url?.startsWith('/files/')) {
      const { status = 200, body = '' } = downloads.shift() ?? {}
      return void response.writeHead(status).end(body)
    }
    response.setHeader('content-type', 'application/vnd.api+json')
    response.end(JSON.stringify({ data: { id: 'sv-1', type: 'state-versions', attributes } }))
  })
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
  const report = new Report(say)
  const to = importClient(bench.app.url, bench.ann.token)
  const copy = { from: importClient(from, 'theirs', say), to, dryRun: false, update: false, report }
  const there = { id: 'ws-1', type: 'workspaces', attributes: { name: 'w' } }
  const id = await bench.workspace()
  // It must have answered before it is waited for.
  await copy.from.ask({ method: 'GET', path: '/api/v2/ping' })
  await report.attempt('State', () => copyState(copy, there, { ...there, id }))
  return { id, said: said.join('\n'), notes: report.notes }
}

test('state: what is not the state that was announced is not stored', async () => {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const state = stateOf({ serial: 7 })
  for (const [body, announced] of [
    [Buffer.from('{"error":"try later"}'), {}],
    [stateOf({ serial: 8 }), {}],
    [stateOf({ serial: 7, resources: 1 }), { md5: md5Of(state) }],
  ] as const) {
    const { id, notes } = await copyDownloaded(bench, [{ body }], announced)
    expect(notes).toEqual(['State was not copied: The download is not this state, serial 7.'])
    mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 404)
    expect((await bench.workspaceOf(id)).attributes.locked).toBe(false)
  }
})

test('state: a download that is refused does not show its address, and one that is limited is waited for', async () => {
  const bench = await stateBench('sqlite')
  onTestFinished(() => bench.app.close())
  const refused = await copyDownloaded(bench, [{ status: 403 }])
  expect(refused.notes).toEqual([expect.stringMatching(/refused GET its content with 403/)])
  const { id, said, notes } = await copyDownloaded(bench, [
    { status: 429 },
    { status: 503 },
    { body: stateOf({ serial: 7 }) },
  ])
  expect(notes).toEqual([])
  mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200)
  expect(`${refused.said}${said}`).not.toContain('secret')
})
