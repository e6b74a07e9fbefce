import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import type { CommandResult } from '../../../test/support/command-line.ts'
import { ownFolder } from '../../../test/support/folders.ts'
import { runServerCommand } from '../../../test/support/server-command.ts'
import { type Config, loadConfig } from '../../config/index.ts'
import { later, systemClock } from '../../kernel/clock.ts'
import { configWarnings } from '../config-warnings.ts'
import {
  certificateFinding,
  dataDirectoryFinding,
  linksFinding,
  listenerFinding,
  nodeFinding,
  storeFinding,
  validityFinding,
} from './checks.ts'
import { configurationFinding, renderFinding } from './doctor.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

function configOf(environment: Record<string, string>, mode: 'dev' | 'server' = 'dev'): Config {
  const loaded = loadConfig({ mode, environment: { HOLDFAST_DATA_DIR: directory, ...environment } })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config
}

const program = join(import.meta.dirname, '..', '..', 'main.ts')

const run = (environment: Record<string, string>): Promise<CommandResult> =>
  runServerCommand(['doctor'], { HOLDFAST_DATA_DIR: join(directory, 'data'), ...environment })

test('doctor: a fresh machine has no failures, and no data directory is created', async () => {
  const { code, out } = await run({})
  expect(code).toBe(0)
  expect(out).not.toMatch(/^FAIL/m)
  expect(out).toMatch(/^ok {4}Client certificates/m)
  expect(out).toMatch(/Data directory +.+ does not exist yet/)
  expect(() => chmodSync(join(directory, 'data'), 0o700)).toThrow('ENOENT')
})

test('doctor: a closed standard output does not change its exit code', async () => {
  const env = { PATH: process.env.PATH, HOLDFAST_DATA_DIR: join(directory, 'data') }
  const child = spawn(process.execPath, [program, 'doctor'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.once('data', () => child.stdout.destroy())
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  expect({ said, code }).toEqual({ said: '', code: 0 })
})

test('doctor: a bad configuration and an unreachable database fail, without showing the password', async () => {
  const bad = await run({ HOLDFAST_WORKERS: 'x' })
  expect(bad.code).toBe(1)
  expect(bad.out).toMatch(/^FAIL {2}Configuration/m)
  const dead = await run({ HOLDFAST_STORAGE: 'postgres://app:hunter2@127.0.0.1:1/app' })
  expect(dead.code).toBe(1)
  expect(dead.out).toMatch(/^FAIL {2}Store/m)
  expect(dead.out).toMatch(/^warn {2}Seal key +not checked: the store does not answer$/m)
  expect(dead.out).not.toContain('hunter2')
})

test('doctor: a damaged or unreadable file is reported, and the other checks still run', async () => {
  const data = join(directory, 'data')
  mkdirSync(join(data, 'tls'), { recursive: true, mode: 0o700 })
  writeFileSync(join(data, 'tls', 'server.pem'), 'nonsense', { mode: 0o600 })
  symlinkSync('/nowhere', join(data, 'link'))
  mkdirSync(join(data, 'seal.key'), { mode: 0o700 })
  const { out } = await run({})
  expect(out).toMatch(/^ok {4}Data directory/m)
  expect(out).toMatch(
    /^warn {2}Server certificate +.+server\.pem is not usable: .+\n +The next start makes another\.$/m,
  )
  expect(out).toMatch(/^ok {4}Store/m)
  rmSync(join(data, 'tls', 'server.pem'))
  mkdirSync(join(data, 'tls', 'server.pem'))
  const unreadable = await run({})
  expect(unreadable.code).toBe(1)
  expect(unreadable.out).toMatch(/^FAIL {2}Server certificate +tls\.cert_file: .+server\.pem is a directory/m)
  expect(unreadable.out).toMatch(/^ok {4}Store/m)
})

test('links: without base_url they are a warning where other machines connect', () => {
  const loaded = loadConfig({ mode: 'dev', environment: {} })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const at = (host: string) => loaded.config.listeners.map((each) => ({ ...each, address: { host, port: 8200 } }))
  expect(linksFinding({ baseUrl: undefined, listeners: at('127.0.0.1') }).state).toBe('ok')
  expect(linksFinding({ baseUrl: 'https://holdfast.example.com', listeners: at('0.0.0.0') }).state).toBe('ok')
  const warning = { state: 'warn', fix: 'Set base_url to the address that clients use.' }
  expect(linksFinding({ baseUrl: undefined, listeners: at('0.0.0.0') })).toMatchObject(warning)
})

test('data directory: a file readable by others is a warning that names it', () => {
  writeFileSync(join(directory, 'seal.key'), '', { mode: 0o600 })
  expect(dataDirectoryFinding(directory).state).toBe('ok')
  chmodSync(join(directory, 'seal.key'), 0o644)
  expect(dataDirectoryFinding(directory)).toMatchObject({ state: 'warn', text: expect.stringContaining('seal.key') })
})

test('data directory: a file, or a path below a file, is a failure', () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const finding = { state: 'fail', text: `${file} is not a directory` }
  expect(dataDirectoryFinding(file)).toMatchObject(finding)
  expect(dataDirectoryFinding(join(file, 'below', 'data'))).toMatchObject(finding)
})

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'data directory: one that is not writable is a failure',
  () => {
    chmodSync(directory, 0o500)
    const closed = [dataDirectoryFinding(directory), dataDirectoryFinding(join(directory, 'data'))]
    chmodSync(directory, 0o700)
    const finding = { state: 'fail', text: `${directory} is not writable for this user` }
    expect(closed).toMatchObject([finding, finding])
  },
)

test.each([
  [-90, -1, 'fail', 'it expired at '],
  [1, 90, 'fail', 'it is not valid before '],
  [-90, 3, 'warn', 'it expires in 3 days'],
  [-1, 90, 'ok', 'good for 90 days'],
])('server certificate: one valid from day %i to day %i is %s', (from, until, state, text) => {
  const now = systemClock.now()
  const day = 86_400_000
  const finding = validityFinding({ notBefore: later(now, from * day), notAfter: later(now, until * day) }, now)
  expect(finding).toMatchObject({ state, text: expect.stringContaining(text) })
})

test('server certificate: in server mode, files that are not there are a failure that says which', () => {
  const files = { HOLDFAST_TLS_CERT_FILE: '/none/a.pem', HOLDFAST_TLS_KEY_FILE: '/none/b.pem' }
  const finding = certificateFinding(configOf(files, 'server'))
  expect(finding).toMatchObject({ state: 'fail', text: expect.stringContaining('/none/a.pem does not exist') })
})

test('listeners: plain HTTP beyond loopback is a warning', async () => {
  const environment = {
    HOLDFAST_LISTEN: 'off',
    HOLDFAST_HTTP_LISTEN: '0.0.0.0:0',
    HOLDFAST_TRUSTED_PROXIES: '10.0.0.1',
  }
  const ports = { HOLDFAST_LISTEN: '127.0.0.1:0', HOLDFAST_HTTP_LISTEN: 'off' }
  expect((await listenerFinding(configOf(environment, 'server'))).state).toBe('warn')
  expect((await listenerFinding(configOf(ports))).state).toBe('ok')
})

test('listeners: an address in use is a warning, one of another machine a failure', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const taken = `127.0.0.1:${(other.address() as AddressInfo).port}`
  const finding = (address: string) =>
    listenerFinding(configOf({ HOLDFAST_LISTEN: address, HOLDFAST_HTTP_LISTEN: 'off' }))
  expect(await finding(taken)).toMatchObject({ state: 'warn', text: `${taken} is in use` })
  expect(await finding('192.0.2.1:8200')).toMatchObject({ state: 'fail', text: expect.stringContaining('--listen') })
  other.close()
})

test('listeners: the server of this data directory is found wherever it listens', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const announce = (pid: number) =>
    writeFileSync(join(directory, 'dev.json'), JSON.stringify({ address: null, http_address: at, pid }))
  announce(process.ppid)
  const found = { state: 'ok', text: `the server of this data directory runs at ${at} (process ${process.ppid})` }
  expect(await listenerFinding(configOf({}))).toEqual(found)
  server.close()
  await once(server, 'close')
  const free = { HOLDFAST_LISTEN: '127.0.0.1:0', HOLDFAST_HTTP_LISTEN: 'off' }
  expect(await listenerFinding(configOf(free))).toEqual({ state: 'ok', text: 'https://127.0.0.1:0' })
})

test('store: a database of a newer version or too old a one is a failure, one without tables is not', async () => {
  const database = new DatabaseSync(join(directory, 'holdfast.db'))
  expect(await storeFinding(configOf({}))).toMatchObject({ state: 'ok' })
  database.exec('create table migrations (name text primary key, applied_at bigint not null)')
  expect(await storeFinding(configOf({}))).toMatchObject({ state: 'ok' })
  const expectRefusal = async (name: string, reason: RegExp) => {
    database.exec(`delete from migrations; insert into migrations values ('${name}', 0)`)
    expect(await storeFinding(configOf({}))).toMatchObject({ state: 'fail', text: expect.stringMatching(reason) })
  }
  await expectRefusal('999912312359-from-the-future', /^The database was written by a newer version of Holdfast/)
  await expectRefusal('202611150000-storage', /^The database is too old for this version of Holdfast/)
  database.close()
})

test('Node: another release than the tested one is a warning', () => {
  expect(nodeFinding('26.10.0', '26.10.0').state).toBe('ok')
  expect(nodeFinding('26.9.0', '26.10.0').state).toBe('warn')
})

test('findings: one line each, the remedy below', () => {
  expect(renderFinding('Store', { state: 'warn', text: 'slow', fix: 'Wait.' }, false)).toBe(
    `warn  Store                slow\n${' '.repeat(27)}Wait.\n`,
  )
})

test('doctor: the configuration is a warning where the database is remote and its certificate not checked', () => {
  const of = (environment: Record<string, string>) => configurationFinding('dev', configWarnings(configOf(environment)))
  const storage = (query: string) => ({ HOLDFAST_STORAGE: `postgres://u@db1.example.com/d${query}` })
  expect(of(storage(''))).toMatchObject({
    state: 'warn',
    text: 'dev mode; the connection to PostgreSQL on db1.example.com is not encrypted',
  })
  expect(of(storage('?sslmode=no-verify'))).toMatchObject({
    state: 'warn',
    text: expect.stringContaining('not checked'),
  })
  expect(of(storage('?sslmode=verify-full'))).toEqual({ state: 'ok', text: 'dev mode' })
  expect(of({ HOLDFAST_STORAGE: 'postgres://u@127.0.0.1/d' })).toEqual({ state: 'ok', text: 'dev mode' })
  const forwarded = { HOLDFAST_FORWARDED_CLIENT_CERTIFICATE: 'rfc9440' }
  expect(of(forwarded)).toMatchObject({ state: 'warn', text: expect.stringContaining('no effect') })
  expect(of({ ...forwarded, HOLDFAST_TRUSTED_PROXIES: '10.0.0.0/8' })).toMatchObject({ state: 'ok' })
  expect(of({ HOLDFAST_WORKERS: '1' })).toMatchObject({ state: 'ok' })
  for (const workers of ['2', 'auto'])
    expect(of({ HOLDFAST_WORKERS: workers })).toMatchObject({ state: 'warn', text: expect.stringContaining('workers') })
})
