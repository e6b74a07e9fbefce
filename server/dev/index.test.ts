import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { type Config, loadConfig } from '../config/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { randomIds } from '../kernel/ids.ts'
import type { DevSeed } from '../kit/feature.ts'
import { announceDev, type DevJson, prepareDev, runDevSeeds, withdrawDev } from './index.ts'

const deps = { clock: systemClock, ids: randomIds, pid: process.pid }
let parent: string
beforeEach(() => {
  parent = ownFolder()
})

function configOf(environment: Record<string, string> = {}): Config {
  const loaded = loadConfig({ mode: 'dev', environment: { HOLDFAST_DATA_DIR: join(parent, 'data'), ...environment } })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

const readAnnouncement = (): DevJson => JSON.parse(readFileSync(join(parent, 'data', 'dev.json'), 'utf8'))

test('prepare: a first start makes a random root token, the second finds it again', async () => {
  const first = await prepareDev(deps, configOf())
  const second = await prepareDev(deps, configOf())
  expect(first.rootToken.reveal()).toMatch(/^hfs\.[0-9A-Za-z]{24}$/)
  expect(second.rootToken.reveal()).toBe(first.rootToken.reveal())
  expect(second.context.caCertificate).toBe(first.context.caCertificate)
  expect(statSync(join(parent, 'data')).mode & 0o777).toBe(0o700)
  expect(statSync(join(parent, 'data', 'dev-state.json')).mode & 0o777).toBe(0o600)
})

test('prepare: a configured root token is used and kept for later starts without one', async () => {
  await prepareDev(deps, configOf())
  const fixed = await prepareDev(deps, configOf({ HOLDFAST_ROOT_TOKEN: 'my-root' }))
  expect(fixed.rootToken.reveal()).toBe('my-root')
  expect((await prepareDev(deps, configOf())).rootToken.reveal()).toBe('my-root')
})

test('prepare: temporary files of ended processes are removed, those of others stay', async () => {
  const ended = spawnSync(process.execPath, ['--version']).pid
  const other = process.ppid
  const tls = join(parent, 'data', 'tls')
  mkdirSync(tls, { recursive: true })
  const put = (folder: string, names: readonly string[]) => names.map((name) => writeFileSync(join(folder, name), 'x'))
  put(tls, [`ca-key.pem.${ended}.tmp`])
  put(join(parent, 'data'), [`dev-state.json.${ended}.tmp`, `dev.json.${process.pid}.tmp`])
  const kept = [`dev.json.${other}.tmp`, `holdfast.db.${ended}.tmp`, 'notes.tmp']
  put(join(parent, 'data'), kept)
  await prepareDev(deps, configOf())
  expect(readdirSync(tls).filter((name) => name.endsWith('.tmp'))).toEqual([])
  expect(readdirSync(join(parent, 'data')).filter((name) => name.endsWith('.tmp'))).toEqual(kept.sort())
})

test('prepare: a data directory that cannot be created is reported in one sentence', async () => {
  writeFileSync(join(parent, 'file'), '')
  const refused = await prepareDev(deps, configOf({ HOLDFAST_DATA_DIR: join(parent, 'file', 'data') })).catch(
    (thrown) => thrown,
  )
  expect(refused).toBeInstanceOf(Failure)
  expect(refused).toMatchObject({ code: 'data-dir.not-writable' })
  expect(refused.message).toMatch(/^The data directory '.+' is a file, or lies below one\. Choose another/)
})

test('seeds: each sees the facts of earlier seeds and starts, and a failing seed loses none', async () => {
  const seen: (string | undefined)[] = []
  const organization: DevSeed = async ({ previous }) => ({
    organization: 'demo',
    user_token: previous?.user_token ?? 'hfu.1',
  })
  const broken: DevSeed = async ({ previous }) => {
    seen.push(previous?.user_token)
    throw new Error('disk full')
  }
  await expect(runDevSeeds(await prepareDev(deps, configOf()), [organization, broken])).rejects.toThrow('disk full')
  const again = await prepareDev(deps, configOf())
  expect(again.context.previous).toMatchObject({ organization: 'demo', user_token: 'hfu.1' })
  expect(seen).toEqual(['hfu.1'])
  expect(await runDevSeeds(again, [organization])).toMatchObject({
    user_token: 'hfu.1',
    root_token: again.rootToken.reveal(),
  })
})

test('dev.json: holds exactly the documented keys with absolute paths, and has mode 600', async () => {
  const config = configOf()
  await prepareDev(deps, config)
  const facts = { root_token: 'hfs.r', organization: 'demo', user_token: 'hfu.u', cert_role: 'dev' }
  const addresses = { https: 'https://127.0.0.1:1', http: 'http://127.0.0.1:2' }
  await announceDev(config.dataDir, { facts, addresses, pid: 4711 })
  const tls = join(parent, 'data', 'tls')
  expect(readAnnouncement()).toEqual({
    address: 'https://127.0.0.1:1',
    http_address: 'http://127.0.0.1:2',
    ca_cert: join(tls, 'ca.pem'),
    client_cert: join(tls, 'client.pem'),
    client_key: join(tls, 'client-key.pem'),
    root_token: 'hfs.r',
    organization: 'demo',
    user_token: 'hfu.u',
    pid: 4711,
  })
  expect(statSync(join(config.dataDir, 'dev.json')).mode & 0o777).toBe(0o600)
})

test('dev.json: is gone after a stop, and an old one is removed by the next start', async () => {
  const config = configOf()
  await prepareDev(deps, config)
  await announceDev(config.dataDir, { facts: {}, addresses: {}, pid: process.pid })
  await withdrawDev(config.dataDir, process.pid)
  expect(readAnnouncement).toThrow('ENOENT')
  writeFileSync(join(config.dataDir, 'dev.json'), JSON.stringify({ pid: 2 ** 30 }))
  await prepareDev(deps, config)
  expect(readAnnouncement).toThrow('ENOENT')
})

test('dev.json: a second start is refused while another dev server is running, and leaves its file', async () => {
  const config = configOf()
  await prepareDev(deps, config)
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = `https://127.0.0.1:${(other.address() as AddressInfo).port}`
  writeFileSync(join(config.dataDir, 'dev.json'), JSON.stringify({ address, pid: process.ppid }))
  await expect(prepareDev(deps, config)).rejects.toThrow(
    `The data directory '${config.dataDir}' is already in use by the dev server at ${address} (process ${process.ppid}).`,
  )
  await withdrawDev(config.dataDir, process.pid)
  expect(readAnnouncement().pid).toBe(process.ppid)
  other.close()
})

test('dev.json: a stale file is removed even if its process id now belongs to another program', async () => {
  const config = configOf()
  await prepareDev(deps, config)
  const stale = { address: 'https://127.0.0.1:1', http_address: null, pid: process.ppid }
  writeFileSync(join(config.dataDir, 'dev.json'), JSON.stringify(stale))
  await prepareDev(deps, config)
  expect(readAnnouncement).toThrow('ENOENT')
})
