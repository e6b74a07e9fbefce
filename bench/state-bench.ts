import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates } from './harness/compare-rates.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const sizes = [
  ['10 KB', 10_000],
  ['1 MB', 1_000_000],
  ['50 MB', 50_000_000],
] as const

const chunkBytes = 255 * 1024

/**
 * Whole uploads and downloads over HTTP against the least that stores a state safely: digest, compress, seal, and one
 * durable write by raw SQLite in the same process; and the way back.
 */
export const bench: Bench = {
  about: 'state brought and loaded over HTTP, against raw SQLite that writes and reads the same sealed bytes',
  run: async (pace) => {
    const server = await startChildServer(new URL('./servers/holdfast.ts', import.meta.url), {})
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
    try {
      const desk = await openDesk(server)
      const parts: string[] = []
      for (const [name, bytes] of sizes) {
        const state = stateOf(bytes)
        const raw = rawStore(join(folder, `${bytes}.db`), state)
        const rate = async (sides: readonly Contender[]) => renderRates(await compareRates(sides, pace))
        const uploads = await rate([raw.writes, { ...desk.uploads(state), target: 0.5, cpu: server.cpu }])
        const downloads = await rate([raw.reads, { ...(await desk.downloads(state)), target: 0.5, cpu: server.cpu }])
        parts.push(`State of ${name}: announced, uploaded, read.\n\n${uploads}`, `Loaded, ${name}.\n\n${downloads}`)
        raw.close()
      }
      return parts
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await server.stop()
    }
  },
}

/** A state of about this size; like true ones it repeats itself, with some that does not. */
function stateOf(bytes: number): Buffer {
  const resources: object[] = []
  for (let size = 0; size < bytes; size += 700) {
    const attributes = {
      id: randomBytes(32).toString('hex'),
      tags: { area: 'network', owner: 'team' },
      text: 'x'.repeat(300),
    }
    const instances = [{ schema_version: 0, attributes, sensitive_attributes: [] }]
    resources.push({
      mode: 'managed',
      type: 'null_resource',
      name: `r${size}`,
      provider: 'provider["x/y/z"]',
      instances,
    })
  }
  return Buffer.from(JSON.stringify({ version: 4, serial: 1, lineage: '000000000000', outputs: {}, resources }))
}

const key = randomBytes(32)

function seal(state: Buffer): Buffer {
  createHash('md5').update(state).digest()
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(zstdCompressSync(state)), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
}

function unseal(bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(-16))
  return zstdDecompressSync(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]))
}

function rawStore(file: string, state: Buffer): { writes: Contender; reads: Contender; close(): void } {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table chunks (name integer, seq integer, bytes blob, primary key (name, seq))')
  const insert = database.prepare('insert into chunks values (?, ?, ?)')
  const select = database.prepare('select bytes from chunks where name = ? order by seq')
  let name = 0
  const write = () => {
    name += 1
    const bytes = seal(state)
    database.exec('begin immediate')
    for (let at = 0, seq = 0; at < bytes.length; at += chunkBytes, seq++) {
      insert.run(name, seq, bytes.subarray(at, at + chunkBytes))
    }
    database.exec('commit')
  }
  const read = () => unseal(Buffer.concat(select.all(1).map((row) => row.bytes as Uint8Array)))
  write()
  return {
    writes: { name: 'raw SQLite, one durable write', run: (ms) => repeat(ms, async () => write()) },
    reads: { name: 'raw SQLite, one read', run: (ms) => repeat(ms, async () => void read()) },
    close: () => database.close(),
  }
}

async function repeat(ms: number, work: () => Promise<void>): Promise<number> {
  const end = performance.now() + ms
  let count = 0
  do {
    await work()
    count += 1
    if (count % 16 === 0) await new Promise(setImmediate)
  } while (performance.now() < end)
  return count
}

type Desk = { uploads(state: Buffer): Contender; downloads(state: Buffer): Promise<Contender> }
type Document = { data: { id: string; attributes: Record<string, string> } }

async function openDesk(server: ChildServer): Promise<Desk> {
  const base = `http://127.0.0.1:${server.facts.port}`
  let token = benchRootToken
  const call = async (method: string, path: string, type?: string, attributes: object = {}): Promise<Document> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }
    const body = type ? { body: JSON.stringify({ data: { type, attributes } }) } : {}
    const answer = await fetch(`${base}/api/v2${path}`, { method, headers, ...body })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Document
  }
  const user = await call('POST', '/admin/users', 'users', { username: 'owner', email: 'owner@example.com' })
  const issued = await call('POST', `/users/${user.data.id}/authentication-tokens`, 'authentication-tokens')
  token = issued.data.attributes.token ?? ''
  await call('POST', '/organizations', 'organizations', { name: 'bench', email: 'a@example.com' })
  const { data } = await call('POST', '/organizations/bench/workspaces', 'workspaces', { name: 'bench' })
  await call('POST', `/workspaces/${data.id}/actions/lock`)
  const versions = `/workspaces/${data.id}/state-versions`
  let serial = 0
  const bring = async (state: Buffer): Promise<Document> => {
    // Every state is another one, so that none is found to be stored already.
    serial += 1
    state.write(String(serial).padStart(12, '0'), state.indexOf('"lineage":"') + '"lineage":"'.length, 'latin1')
    const md5 = createHash('md5').update(state).digest('hex')
    const made = await call('POST', versions, 'state-versions', { serial, md5 })
    const url = made.data.attributes['hosted-state-upload-url'] ?? ''
    const sent = await fetch(url, { method: 'PUT', body: new Uint8Array(state) })
    if (!sent.ok) throw new Error(`upload: ${sent.status} ${await sent.text()}`)
    return await call('GET', `/state-versions/${made.data.id}`)
  }
  return {
    uploads: (state) => ({
      name: 'announced, uploaded, read',
      run: (ms) => repeat(ms, async () => void (await bring(state))),
    }),
    downloads: async (state) => {
      const url = (await bring(state)).data.attributes['hosted-state-download-url'] ?? ''
      const load = async () => void (await (await fetch(url)).arrayBuffer())
      return { name: 'downloaded', run: (ms) => repeat(ms, load) }
    },
  }
}
