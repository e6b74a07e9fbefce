import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { eachEngine } from '../support/databases.ts'
import { isQuick } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { stateDocument, stateOf } from '../support/states.ts'
import { ServerProcess } from './server-process.ts'

async function dataFolder(): Promise<string> {
  const folder = ownFolder()
  return folder
}

/** A locked workspace with a first state. */
async function lockedWorkspace(server: ServerProcess, first: Buffer): Promise<{ id: string; token: string }> {
  const ann = await person(server, 'ann')
  const id = await workspaceIn(await organization(ann, 'acme'))
  mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
  const inline = stateDocument(first, { state: first.toString('base64') })
  mustBe(await ann.post(`/api/v2/workspaces/${id}/state-versions`, inline), 201)
  return { id, token: ann.token }
}

/** A state that hardly compresses, so that it takes up its full size on the disk. */
const largeState = (serial: number, bytes: number): Buffer =>
  stateOf({ serial, resources: 3, outputs: { noise: randomBytes(bytes / 2).toString('hex') } })

const pathOf = (url: string): string => new URL(url).pathname
const bytes = { 'content-type': 'application/octet-stream' }
const put = (client: Client, url: string, state: Buffer) =>
  client.send('PUT', pathOf(url), undefined, { raw: state, headers: bytes })

/** Announces a state; returns its id and where to send it. */
async function announced(ann: Client, id: string, state: Buffer, serial: number) {
  const made = mustBe(await ann.post(`/api/v2/workspaces/${id}/state-versions`, stateDocument(state, { serial })), 201)
  const { data } = made.body
  return { version: data.id as string, url: data.attributes['hosted-state-upload-url'] as string }
}

const shownVersion = async (ann: Client, version: string) =>
  mustBe(await ann.get(`/api/v2/state-versions/${version}`), 200).body.data.attributes

/** The newest complete state, as the holder of the lock loads it. */
async function loaded(ann: Client, id: string): Promise<Buffer> {
  const current = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
  const answer = mustBe(await ann.get(pathOf(current.attributes['hosted-state-download-url'])), 200)
  return Buffer.from(answer.text)
}

/** A PostgreSQL of its own, which survives the servers that use it. */
async function postgresAddress(): Promise<string> {
  const { url, stop } = await startPostgres()
  onTestFinished(stop)
  return url
}

/** How many files are stored for a workspace; also checks that the database is intact. */
async function keptBlobs(folder: string, address: string | undefined, id: string): Promise<number> {
  if (address !== undefined) {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    const { rows } = await client.query('select id from blobs where scope = $1 and id is not null', [id])
    await client.end()
    return rows.length
  }
  const database = new DatabaseSync(join(folder, 'holdfast.db'))
  const kept = database.prepare('select id from blobs where scope = ? and id is not null').all(id)
  const integrity = database.prepare('pragma integrity_check').all()
  database.close()
  expect(integrity).toEqual([{ integrity_check: 'ok' }])
  return kept.length
}

eachEngine((engine) => {
  test('kill -9 during an upload: the old state is intact, and a pending version can be sent again', async () => {
    const folder = await dataFolder()
    const first = stateOf({ serial: 1, resources: 1 })
    const storage = engine === 'postgres' ? await postgresAddress() : undefined
    let node = await ServerProcess.start(folder, storage)
    const { id, token } = await lockedWorkspace(node, first)
    let newest = first
    for (const [round, share] of [0.5, 0.9, 1].entries()) {
      const ann = node.root.as(token)
      const next = largeState(round + 2, 6_000_000)
      const { version, url } = await announced(ann, id, next, round + 2)
      const headers = { ...bytes, 'content-length': String(next.length) }
      const outgoing = request(new URL(pathOf(url), node.url), { method: 'PUT', headers })
      outgoing.on('error', () => undefined)
      await new Promise((sent) => outgoing.write(next.subarray(0, next.length * share), sent))
      // The last round is killed while the server makes the version final, or just after.
      await sleep(share === 1 ? 20 : 80)
      await node.kill()
      node = await ServerProcess.start(folder, storage)
      const again = node.root.as(token)
      const { status } = await shownVersion(again, version)
      expect(share === 1 ? ['pending', 'finalized'] : ['pending']).toContain(status)
      expect((await loaded(again, id)).equals(status === 'pending' ? newest : next)).toBe(true)
      expect((await put(again, url, next)).status).toBe(status === 'pending' ? 200 : 409)
      expect((await loaded(again, id)).equals(next)).toBe(true)
      newest = next
    }
    mustBe(await node.root.as(token).post(`/api/v2/workspaces/${id}/actions/unlock`), 200)
    await node.kill()
    expect(await keptBlobs(folder, storage, id)).toBe(4)
  })
})

test.runIf(process.platform === 'linux')(
  'a full disk during an upload: it is reported, the old state is intact, and the upload works once there is room',
  async () => {
    const folder = await dataFolder()
    const node = await ServerProcess.start(folder)
    const first = stateOf({ serial: 1, resources: 1 })
    const { id, token } = await lockedWorkspace(node, first)
    const ann = node.root.as(token)
    for (const [round, size] of [1_000_000, 12_000_000].entries()) {
      const next = largeState(round + 2, size)
      const before = await loaded(ann, id)
      const { version, url } = await announced(ann, id, next, round + 2)
      const sizes = ['', '-wal'].map((end) => statSync(join(folder, `holdfast.db${end}`)).size)
      node.limitFiles(Math.max(...sizes) + 64 * 1024)
      const refused = await put(ann, url, next)
      expect([refused.status, refused.text]).toEqual([503, expect.stringMatching(/full|cannot be read or written/)])
      expect((await loaded(ann, id)).equals(before)).toBe(true)
      expect((await shownVersion(ann, version)).status).toBe('pending')
      node.limitFiles('unlimited')
      mustBe(await put(ann, url, next), 200)
      expect((await loaded(ann, id)).equals(next)).toBe(true)
    }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/unlock`), 200)
  },
)

const memoryOf = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** A large state as they usually are: with very many resources. */
const manyResources = (serial: number, bytes: number): Buffer => stateOf({ serial, resources: Math.ceil(bytes / 250) })

const longOutput = (serial: number, bytes: number): Buffer =>
  stateOf({ serial, outputs: { long: 'long '.repeat(bytes / 5) } })

test.runIf(process.platform === 'linux' && !isQuick).each([
  ['very many resources', manyResources],
  ['one very long output', longOutput],
])('memory: a state of 100 MB needs less than 1.6 times its size, %s', async (_name, make) => {
  const node = await ServerProcess.start(await dataFolder())
  const { id, token } = await lockedWorkspace(node, stateOf({ serial: 1 }))
  const ann = node.root.as(token)
  const state = make(2, 100_000_000)
  expect(state.length).toBeGreaterThan(100_000_000)
  const { url } = await announced(ann, id, state, 2)
  const before = memoryOf(node.pid, 'VmRSS')
  // Resets the peak of the process so far (proc(5)).
  writeFileSync(`/proc/${node.pid}/clear_refs`, '5')
  mustBe(await put(ann, url, state), 200)
  expect(memoryOf(node.pid, 'VmHWM') - before).toBeLessThan(1.6 * state.length)
})
