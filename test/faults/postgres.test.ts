import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../server/kernel/clock.ts'
import { connectForBulk } from '../../server/storage/bulk/postgres-bulk.ts'
import { openStore } from '../../server/storage/open.ts'
import type { Answer, Client } from '../support/client.ts'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { startPostgres, startPostgresPair } from '../support/postgres-server.ts'
import { recordingLog } from '../support/recording-log.ts'
import { stateDocument, stateOf } from '../support/states.ts'
import { ServerProcess } from './server-process.ts'

/** Two servers on one database. */
async function twoNodes(url: string): Promise<readonly [Client, Client]> {
  const folder = ownFolder()
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const first = await ServerProcess.start(one, url)
  await cp(one, two, { recursive: true })
  const second = await ServerProcess.start(two, url)
  return [first.root, second.root]
}

/** The processes that serve the connections of the database. */
async function backendsOf(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  )
  await client.end()
  return rows.map(({ pid }) => pid)
}

/** What was acknowledged while the database was disturbed. */
class Load {
  readonly tokens: string[] = []
  readonly serials = new Map<string, number[]>()
  readonly tags: string[] = []
  readonly strange: string[] = []
  isOver = false

  /** Whether a write certainly succeeded; fails on any answer other than success and 503. */
  took(answer: Answer, ...expected: number[]): boolean {
    if (expected.includes(answer.status)) return true
    if (answer.status !== 503) this.strange.push(`${answer.status} ${answer.text}`)
    return false
  }

  async createTokens(node: Client, name: string): Promise<void> {
    for (let count = 0; !this.isOver; count++) {
      const id = `${name}-${count}`
      if (this.took(await node.post('/v1/auth/token/create', { id, policies: ['default'] }), 200)) this.tokens.push(id)
      else await sleep(20)
    }
  }

  /** Adds one tag after another to a workspace that others write to as well. */
  async putTags(node: Client, id: string, prefix: string): Promise<void> {
    for (let count = 0; !this.isOver; count++) {
      const name = `${prefix}-${count}`
      const body = { data: [{ type: 'tags', attributes: { name } }] }
      if (this.took(await node.post(`/api/v2/workspaces/${id}/relationships/tags`, body), 204)) this.tags.push(name)
      else await sleep(20)
    }
  }

  /** Locks, writes a state, unlocks; after an unknown outcome it checks the current state first. */
  async writeStates(nodes: readonly Client[], id: string): Promise<void> {
    const path = `/api/v2/workspaces/${id}`
    const serials: number[] = []
    this.serials.set(id, serials)
    for (let serial = 1; !this.isOver; serial++) {
      const node = nodes[serial % nodes.length] as Client
      const state = stateOf({ serial, outputs: { serial } })
      const body = stateDocument(state, { serial, state: state.toString('base64') })
      // 409: the last round ended with an unknown outcome.
      this.took(await node.post(`${path}/actions/lock`), 200, 409)
      const answer = await node.post(`${path}/state-versions`, body)
      if (answer.status !== 409 && this.took(answer, 201)) serials.push(serial)
      this.took(await node.post(`${path}/actions/unlock`), 200, 409)
    }
  }
}

/** A person with a few workspaces. */
async function prepared(root: Client): Promise<{ token: string; workspaces: string[] }> {
  const ann = await person({ root }, 'ann')
  const acme = await organization(ann, 'acme')
  const workspaces: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) workspaces.push(await workspaceIn(acme, { name }))
  return { token: ann.token, workspaces }
}

const isBack = async (node: Client) => (await node.post('/v1/auth/token/create', {})).status === 200

/** Every version of a workspace, newest first. */
async function serialsOf(ann: Client, id: string): Promise<number[]> {
  const { body } = mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200)
  const filter = new URLSearchParams({
    'filter[workspace][name]': body.data.attributes.name,
    'filter[organization][name]': 'acme',
    'page[size]': '100',
  })
  const serials: number[] = []
  for (let page = 1; ; page++) {
    const list = mustBe(await ann.get(`/api/v2/state-versions?${filter}&page[number]=${page}`), 200).body
    serials.push(...list.data.map((each: { attributes: { serial: number } }) => each.attributes.serial))
    if (list.meta.pagination['next-page'] === null) return serials
  }
}

/**
 * Makes writes of all kinds through both servers while the database is disturbed; all acknowledged ones must be stored.
 */
async function writeDuring(nodes: readonly [Client, Client], disturb: () => Promise<void>): Promise<void> {
  const { token, workspaces } = await prepared(nodes[0])
  const load = new Load()
  const people = nodes.map((node) => node.as(token))
  const running = [
    ...nodes.flatMap((node, index) => [1, 2].map((number) => load.createTokens(node, `t${index}${number}`))),
    ...workspaces.map((id) => load.writeStates(people, id)),
    ...people.map((node, index) => load.putTags(node, workspaces[0] as string, `tag${index}`)),
  ]
  await disturb()
  await sleep(100)
  load.isOver = true
  await Promise.all(running)
  expect(load.strange).toEqual([])
  await expectKept(load, nodes, people)
}

async function expectKept(load: Load, nodes: readonly Client[], people: readonly Client[]): Promise<void> {
  expect(load.tokens).not.toEqual([])
  const lost: string[] = []
  for (const [index, id] of load.tokens.entries()) {
    const { status } = await (nodes[index % 2] as Client).post('/v1/auth/token/lookup', { token: id })
    if (status !== 200) lost.push(id)
  }
  expect(lost).toEqual([])
  const [tagged = ''] = load.serials.keys()
  const { attributes } = mustBe(await (people[1] as Client).get(`/api/v2/workspaces/${tagged}`), 200).body.data
  const names: string[] = attributes['tag-names']
  expect(new Set(names).size).toBe(names.length)
  expect(load.tags.filter((name) => !names.includes(name))).toEqual([])
  expect(load.tags).not.toEqual([])
  for (const [id, acknowledged] of load.serials) {
    const serials = await serialsOf(people[0] as Client, id)
    expect(new Set(serials).size).toBe(serials.length)
    expect(acknowledged.filter((serial) => !serials.includes(serial))).toEqual([])
    expect(acknowledged).not.toEqual([])
  }
}

const untilBack = async (nodes: readonly Client[]): Promise<void> => {
  while (!(await Promise.all(nodes.map(isBack))).every(Boolean)) await sleep(50)
}

test('PostgreSQL crashes and freezes under load: acknowledged writes are stored once, and both servers continue', async () => {
  const { url, stop } = await startPostgres({ fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' })
  onTestFinished(stop)
  const nodes = await twoNodes(url)
  await writeDuring(nodes, async () => {
    for (let round = 0; round < tries(6, 2); round++) {
      await sleep(100)
      const [victim] = await backendsOf(url)
      if (victim === undefined) throw new Error('Nobody is connected to the database.')
      // When one connection's process crashes, PostgreSQL restarts all of them and recovers from its log.
      process.kill(victim, 'SIGKILL')
      await untilBack(nodes)
      const frozen = await backendsOf(url)
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      await sleep(100)
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
    }
  })
})

test('the standby replaces a primary that is lost under load: acknowledged writes are stored once', async () => {
  const { url, failOver, stop } = await startPostgresPair()
  onTestFinished(stop)
  const nodes = await twoNodes(url)
  await writeDuring(nodes, async () => {
    await sleep(500)
    await failOver()
    await untilBack(nodes)
    await sleep(500)
  })
})

test('an old primary that is back and accepts writes is not used by stores and snapshots that are opened then', async () => {
  const { url, failOver, reviveOld, stop } = await startPostgresPair()
  onTestFinished(stop)
  await failOver()
  await reviveOld()
  const timeline = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline'
  for (let round = 0; round < 5; round++) {
    const { log, text } = recordingLog()
    const store = await openStore({ url, log, clock: systemClock })
    const { rows } = await sql
      .raw(timeline)
      .execute(store.db)
      .finally(() => store.close())
    expect(rows).toEqual([{ timeline: '00000002' }])
    expect(text()).toContain('several database servers accept writes')
    const client = await connectForBulk({ engine: 'postgres', url, schema: undefined })
    expect((await client.query(timeline).finally(() => client.end())).rows).toEqual([{ timeline: '00000002' }])
  }
})
