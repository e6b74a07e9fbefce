import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { doc, mustBe, person } from '../support/platform.ts'
import { ServerProcess } from './server-process.ts'

const rounds = tries(100, 10)
const writers = 16

/** Lets a process write for a moment and kills it; returns the transactions it acknowledged. */
async function writeUntilKilled(url: string, round: number): Promise<string[]> {
  const program = join(import.meta.dirname, 'durable-writer.ts')
  const child = spawn(process.execPath, [program, url, `${round}`, `${writers}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  await once(child.stdout, 'data')
  // A different moment in each round, derived from its number so that it can be repeated.
  await sleep(10 + ((round * 37) % 90))
  child.kill('SIGKILL')
  await once(child, 'close')
  // The last line may have been cut off.
  return output.split('\n').slice(0, -1)
}

test('kill -9 during writes: everything acknowledged is stored, and nothing is stored partially', async () => {
  const folder = ownFolder()
  const file = join(folder, 'holdfast.db')
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const before = acknowledged.length
    acknowledged.push(...(await writeUntilKilled(`sqlite:${file}`, round)))
    expect(acknowledged.length).toBeGreaterThan(before)
    const database = new DatabaseSync(file)
    const rows = database.prepare('select id from operations').all()
    const integrity = database.prepare('pragma integrity_check').all()
    database.close()
    const halves = new Set(rows.map((row) => String(row.id)))
    expect(integrity).toEqual([{ integrity_check: 'ok' }])
    expect(acknowledged.filter((name) => !halves.has(`${name}-a`) || !halves.has(`${name}-b`))).toEqual([])
    const isHalf = (id: string) => !halves.has(id.replace(/[ab]$/, (half) => (half === 'a' ? 'b' : 'a')))
    expect([...halves].filter(isHalf)).toEqual([])
  }
})

const httpRounds = tries(200, 3)
const policy = '/v1/sys/policies/acl'

/** What a server has answered: the workspaces it has made, and the newest text of each policy. */
type Answered = { readonly workspaces: string[]; readonly policies: Map<string, number> }

/** Sends changes over HTTP from several callers at once until the server is killed. */
async function changeUntilKilled(server: ServerProcess, ann: Client, round: number): Promise<Answered> {
  const answered: Answered = { workspaces: [], policies: new Map() }
  let isKilled = false
  const until = async (change: (turn: number) => Promise<void>): Promise<void> => {
    // The last answer is cut off.
    const unlessKilled = (thrown: unknown) => (isKilled ? undefined : Promise.reject(thrown))
    for (let turn = 1; !isKilled; turn++) await change(turn).catch(unlessKilled)
  }
  const callers = Array.from({ length: writers / 2 }, (_, caller) => [
    until(async (turn) => {
      const name = `w-${caller}-${turn}`
      mustBe(await ann.post(`/api/v2/organizations/round-${round}/workspaces`, doc('workspaces', { name })), 201)
      answered.workspaces.push(name)
    }),
    until(async (turn) => {
      const text = `path "${round}/${turn}" { capabilities = ["read"] }`
      mustBe(await server.root.put(`${policy}/p-${caller}`, { policy: text }), 204)
      answered.policies.set(`p-${caller}`, turn)
    }),
  ])
  const working = Promise.all(callers.flat())
  const begun = async (): Promise<void> => {
    while (answered.workspaces.length === 0 || answered.policies.size === 0) await sleep(5)
  }
  await Promise.race([begun(), working])
  await sleep((round * 37) % 200)
  isKilled = true
  await server.kill()
  await working
  return answered
}

/** The names of all workspaces of a round. */
async function storedWorkspaces(ann: Client, round: number): Promise<Set<string>> {
  const names = new Set<string>()
  for (let page: number | null = 1; page !== null; ) {
    const path: string = `/api/v2/organizations/round-${round}/workspaces?page[size]=100&page[number]=${page}`
    const { data, meta } = mustBe(await ann.get(path), 200).body
    for (const { attributes } of data) names.add(attributes.name)
    page = meta.pagination['next-page']
  }
  return names
}

test('kill -9 of a server that answers over HTTP: every change it has answered is there after the next start', {
  timeout: 60_000 + httpRounds * 10_000,
}, async () => {
  const folder = ownFolder()
  let server = await ServerProcess.start(folder)
  const { token, email } = await person(server, 'ann')
  for (let round = 1; round <= httpRounds; round++) {
    const ann = server.root.as(token)
    mustBe(await ann.post('/api/v2/organizations', doc('organizations', { name: `round-${round}`, email })), 201)
    const { workspaces, policies } = await changeUntilKilled(server, ann, round)
    server = await ServerProcess.start(folder)
    const stored = await storedWorkspaces(server.root.as(token), round)
    expect(workspaces.filter((name) => !stored.has(name))).toEqual([])
    for (const [name, newest] of policies) {
      const text = mustBe(await server.root.get(`${policy}/${name}`), 200).body.data.policy as string
      const [, at, turn] = /^path "(\d+)\/(\d+)"/.exec(text) ?? []
      expect(Number(at)).toBe(round)
      // The change that was cut off may have been stored.
      expect([newest, newest + 1]).toContain(Number(turn))
    }
  }
  await server.kill()
  const database = new DatabaseSync(join(folder, 'holdfast.db'))
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
})
