import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { get } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'
import { openRaw } from '../../test/support/raw-connection.ts'
import { ensureDevTls } from '../dev/dev-tls.ts'
import { type DevJson, devTlsFiles } from '../dev/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { migrate } from '../storage/migrate.ts'
import { openStore } from '../storage/open.ts'

let directory: string
const children: ChildProcess[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-serve-'))
  mkdirSync(join(directory, 'data'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

type Process = { child: ChildProcess; ended: Promise<{ code: number | null; out: string; err: string }> }

function start(
  environment: Record<string, string> = {},
  args: readonly string[] = ['dev'],
  full: { stdout?: boolean; stderr?: boolean } = {},
): Process {
  const disk = full.stdout || full.stderr ? openSync('/dev/full', 'w') : undefined
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'main.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      HOLDFAST_DATA_DIR: join(directory, 'data'),
      HOLDFAST_LISTEN: '127.0.0.1:0',
      HOLDFAST_HTTP_LISTEN: 'off',
      ...environment,
    },
    stdio: ['ignore', full.stdout ? disk : 'pipe', full.stderr ? disk : 'pipe'],
  })
  if (disk !== undefined) closeSync(disk)
  children.push(child)
  const texts = { out: '', err: '' }
  child.stdout?.on('data', (data) => {
    texts.out += data
  })
  child.stderr?.on('data', (data) => {
    texts.err += data
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, ...texts })) }
}

/** Waits until the server says that it is ready, or has ended instead. */
async function ready({ ended }: Process): Promise<DevJson> {
  const file = join(directory, 'data', 'dev.json')
  const changed = Promise.withResolvers<void>()
  const watcher = watch(join(directory, 'data'), () => existsSync(file) && changed.resolve())
  if (existsSync(file)) changed.resolve()
  const early = await Promise.race([changed.promise, ended])
  watcher.close()
  if (early) throw new Error(`the server ended: ${early.err}`)
  return JSON.parse(readFileSync(file, 'utf8'))
}

const statusOf = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { ca: readFileSync(ca), agent: false }, (answer) => resolve(answer.resume().statusCode)).on(
      'error',
      reject,
    )
  })

test('dev: serves TLS with its own CA, exits with 0 on SIGTERM and removes dev.json', async () => {
  const server = start()
  const facts = await ready(server)
  expect(await statusOf(`${facts.address}/v1/sys/health`, facts.ca_cert)).toBe(200)
  expect(facts.pid).toBe(server.child.pid)
  expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700)
  server.child.kill('SIGTERM')
  const { code, out } = await server.ended
  expect(code).toBe(0)
  expect(out).toContain(`Root       ${facts.root_token}`)
  expect(existsSync(join(directory, 'data', 'dev.json'))).toBe(false)
})

test('dev: unknown HOLDFAST_ variables are logged in one line, with any number of processes', async () => {
  const server = start({ HOLDFAST_SHOE_SIZE: '43', HOLDFAST_DATABASE_URL: 'x', HOLDFAST_WORKERS: '2' })
  await ready(server)
  server.child.kill('SIGTERM')
  const told = (await server.ended).err.split('\n').filter((line) => line.includes('HOLDFAST_'))
  expect(told).toEqual([expect.stringMatching(/HOLDFAST_DATABASE_URL.*HOLDFAST_SHOE_SIZE/)])
  expect(told[0]).toContain('variables that name no setting are ignored')
})

test('dev: once it answers, the demo role, snapshot configuration and workspace exist', async () => {
  const port = await freePort()
  const server = start({ HOLDFAST_HTTP_LISTEN: `127.0.0.1:${port}`, HOLDFAST_ROOT_TOKEN: 'root' })
  const headers = { 'X-Service-Token': 'root', Authorization: 'Bearer root' }
  const made = [
    '/v1/auth/cert/certs/dev',
    '/v1/sys/storage/raft/snapshot-auto/config/hourly',
    '/api/v2/organizations/demo/workspaces/first-steps',
  ]
  const look = () => Promise.all(made.map((path) => fetch(`http://127.0.0.1:${port}${path}`, { headers })))
  let answers: Response[] | undefined
  while (!answers && server.child.exitCode === null) answers = await look().catch(() => setTimeout(10))
  expect(answers?.map(({ status }) => status)).toEqual([200, 200, 200])
  const workspace = (await answers?.at(-1)?.json()) as { data: { attributes: object } } | undefined
  expect(workspace?.data.attributes).toMatchObject({ 'execution-mode': 'local' })
})

test('dev: a second start has the same root token and CA', async () => {
  const first = start()
  const before = await ready(first)
  const authority = readFileSync(before.ca_cert, 'utf8')
  first.child.kill('SIGTERM')
  await first.ended
  const second = start()
  const after = await ready(second)
  expect(after.root_token).toBe(before.root_token)
  expect(readFileSync(after.ca_cert, 'utf8')).toBe(authority)
})

test('dev: a second server on the same data directory is refused in one line, and dev.json stays', async () => {
  const first = start()
  const facts = await ready(first)
  const { code, out, err } = await start({ HOLDFAST_WORKERS: '2' }).ended
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(
    `is already in use by the dev server at ${facts.address} (process ${first.child.pid}). Stop that one`,
  )
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(await ready(first)).toEqual(facts)
})

test('dev: two processes share one port and one dev.json, which has the pid of the parent', async () => {
  const server = start({ HOLDFAST_WORKERS: '2' })
  const facts = await ready(server)
  expect(facts.pid).toBe(server.child.pid)
  expect(await statusOf(`${facts.address}/v1/sys/health`, facts.ca_cert)).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(existsSync(join(directory, 'data', 'dev.json'))).toBe(false)
})

/** Waits for a log line with this message and returns it. */
async function logged({ child, ended }: Process, message: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  child.stderr?.on('data', (data) => {
    text += data
    const found = text.split('\n').find((line) => line.endsWith(`"msg":"${message}"}`))
    if (found !== undefined) resolve(found)
  })
  const early = await Promise.race([promise, ended])
  if (typeof early !== 'string') throw new Error(`the server ended: ${early.err}`)
  return early
}

const fingerprintAt = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
      socket.destroy()
    }).on('error', reject)
  })

test('dev: SIGHUP loads a new server certificate', async () => {
  const server = start()
  const { address, ca_cert } = await ready(server)
  const before = await fingerprintAt(String(address))
  const files = devTlsFiles(join(directory, 'data'))
  rmSync(files.serverCert)
  await ensureDevTls({ clock: systemClock, ids: randomIds }, join(directory, 'data'), ['localhost', '127.0.0.1', '::1'])
  const reloaded = logged(server, 'reloaded')
  server.child.kill('SIGHUP')
  await reloaded
  expect(await fingerprintAt(String(address))).not.toBe(before)
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
})

test('dev: SIGHUP reopens audit files even if the new certificate is not usable', async () => {
  const server = start({ HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' })
  const { http_address, root_token } = await ready(server)
  const file = join(directory, 'audit.log')
  const headers = { 'X-Service-Token': String(root_token) }
  const body = JSON.stringify({ type: 'file', options: { file_path: file } })
  await fetch(`${http_address}/v1/sys/audit/file`, { method: 'POST', headers, body })
  renameSync(file, `${file}.1`)
  const { serverCert } = devTlsFiles(join(directory, 'data'))
  writeFileSync(serverCert, 'damaged')
  const failed = logged(server, 'reload failed, the old files stay in use')
  server.child.kill('SIGHUP')
  expect(await failed).toContain(`"error":"tls.cert_file: ${serverCert} is not usable: `)
  await fetch(`${http_address}/v1/sys/mounts`, { headers })
  expect(readFileSync(file, 'utf8')).toContain('"path":"sys/mounts"')
})

test.each(['1', '2'])('dev: SIGHUP to %s processes says once that a changed file needs a restart', async (workers) => {
  const file = join(directory, 'holdfast.yaml')
  writeFileSync(file, 'edition: hosted\n')
  const server = start({ HOLDFAST_CONFIG: file, HOLDFAST_WORKERS: workers })
  await ready(server)
  const reloaded = logged(server, 'reloaded')
  server.child.kill('SIGHUP')
  await reloaded
  writeFileSync(file, 'edition: self-hosted\n')
  const told = logged(server, 'the configuration file has changed since the start; its settings need a restart')
  server.child.kill('SIGHUP')
  expect(await told).toContain(`"file":"${file}"`)
  server.child.kill('SIGTERM')
  expect((await server.ended).err.match(/the configuration file has changed/g)).toHaveLength(1)
})

test.each(['1', '2'])('dev: a SIGHUP during the start of %s processes reloads after it', async (workers) => {
  const appeared = Promise.withResolvers<void>()
  const watcher = watch(join(directory, 'data'), () => appeared.resolve())
  const server = start({ HOLDFAST_WORKERS: workers })
  const reloaded = logged(server, 'reloaded')
  await Promise.race([appeared.promise, server.ended])
  watcher.close()
  server.child.kill('SIGHUP')
  await reloaded
  const { address, ca_cert } = await ready(server)
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

test('dev: SIGTERM during setup waits for the setup and exits with 0 without errors', async () => {
  const { child, ended } = start()
  const state = join(directory, 'data', 'dev-state.json')
  const begun = Promise.withResolvers<void>()
  const watcher = watch(join(directory, 'data'), () => {
    if (existsSync(state) && readFileSync(state, 'utf8').includes('cert_role')) begun.resolve()
  })
  await begun.promise
  watcher.close()
  child.kill('SIGTERM')
  const { code, err } = await ended
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('"level":"error"') })
  expect(err.indexOf('"msg":"ready"')).toBeLessThan(err.indexOf('"msg":"stopped"'))
  expect(existsSync(join(directory, 'data', 'dev.json'))).toBe(false)
})

test('dev: SIGTERM closes all ports at once, and a request in flight is finished', async () => {
  const server = start({ HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' })
  const { address, http_address, root_token, ca_cert } = await ready(server)
  const slow = await openRaw(Number(new URL(String(http_address)).port))
  slow.write(
    `POST /v1/auth/token/create HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${root_token}\r\nContent-Length: 2\r\n\r\n`,
  )
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  server.child.kill('SIGTERM')
  const refused = () => statusOf(`${address}/v1/sys/health`, ca_cert).catch((error: { code: string }) => error.code)
  await expect.poll(refused, { timeout: 5_000 }).toBe('ECONNREFUSED')
  slow.write('{}')
  expect((await slow.next()).status).toBe(200)
  expect((await server.ended).code).toBe(0)
})

/** Starts a node and waits until all its processes serve. */
async function startDelayed(delay: string, workers: string) {
  const server = start({
    HOLDFAST_SHUTDOWN_DELAY: delay,
    HOLDFAST_WORKERS: workers,
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
  })
  let text = ''
  server.child.stderr?.on('data', (data) => {
    text += data
  })
  const { http_address } = await ready(server)
  const count = (message: string) => text.split(`"msg":"${message}"`).length - 1
  if (workers !== '1') await expect.poll(() => count('worker ready'), { timeout: 30_000 }).toBe(Number(workers))
  const ask = async (path: string) => {
    const answer = await fetch(`${http_address}${path}`)
    return `${answer.status} ${path === '/readyz' ? (await answer.text()).trim() : ''}`.trim()
  }
  return { server, count, ask }
}

test.each(['1', '2'])(
  'dev: with a shutdown delay, %s processes serve on after SIGTERM but are not ready',
  async (workers) => {
    const { server, count, ask } = await startDelayed('3s', workers)
    expect(await ask('/readyz')).toBe('200 ready')
    const begun = performance.now()
    server.child.kill('SIGTERM')
    await expect.poll(() => count('stopping'), { timeout: 2_000, interval: 20 }).toBe(Number(workers))
    for (let times = 0; times < 6; times += 1) {
      expect(await ask('/readyz')).toBe('503 stopping')
      expect(await ask('/v1/sys/health')).toBe('200')
    }
    expect((await server.ended).code).toBe(0)
    expect(performance.now() - begun).toBeGreaterThan(2_900)
  },
  60_000,
)

test.each(['1', '2'])(
  'dev: a second SIGTERM ends the shutdown delay of %s processes',
  async (workers) => {
    const { server, count } = await startDelayed('1m', workers)
    server.child.kill('SIGTERM')
    await expect.poll(() => count('stopping'), { timeout: 5_000 }).toBe(Number(workers))
    await setTimeout(1_100)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect(count('stopped')).toBe(Number(workers))
  },
  40_000,
)

test('server: the first start shows root token and recovery key, later ones do not', async () => {
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, directory, ['localhost'])
  const file = join(directory, 'holdfast.yaml')
  writeFileSync(file, `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n`)
  const outputs: string[] = []
  for (const _time of [1, 2]) {
    const server = start({}, ['server', '--config', file])
    await logged(server, 'ready')
    server.child.kill('SIGTERM')
    const { code, out } = await server.ended
    expect(code).toBe(0)
    outputs.push(out)
  }
  expect(outputs[0]).toMatch(/Root token {4}hfs\.\S+\n +Recovery key {2}\S{43}=/)
  expect(outputs[1]).toBe('')
})

test('server: a start with key shares logs what it waits for, and one with the automatic seal does not', async () => {
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, directory, ['localhost'])
  const file = join(directory, 'holdfast.yaml')
  const http = `127.0.0.1:${await freePort()}`
  const text = `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n`
  const warned = async (type: string, use: () => Promise<unknown> = async () => undefined) => {
    const environment = { HOLDFAST_DATA_DIR: join(directory, type), HOLDFAST_HTTP_LISTEN: http }
    writeFileSync(file, `${text}seal:\n  type: ${type}\n`)
    const server = start(environment, ['server', '--config', file])
    await logged(server, 'ready')
    await use()
    server.child.kill('SIGTERM')
    const lines = (await server.ended).err.split('\n').filter((line) => line.includes('"next"'))
    return lines.map((line) => JSON.parse(line))
  }
  const init = () =>
    fetch(`http://${http}/v1/sys/init`, { method: 'POST', body: '{"secret_shares":3,"secret_threshold":2}' })
  expect(await warned('shamir', init)).toMatchObject([{ level: 'warn', next: expect.stringContaining('sys/init') }])
  const sealed = { level: 'warn', next: expect.stringContaining('sys/unseal'), threshold: 2 }
  expect(await warned('shamir')).toMatchObject([sealed])
  expect(await warned('auto')).toEqual([])
}, 120_000)

test('server: the log line "ready" has the addresses of all listeners', async () => {
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, directory, ['localhost'])
  const file = join(directory, 'holdfast.yaml')
  const further = 'listeners:\n  - address: 127.0.0.1:0\n    tls: off\n  - address: 127.0.0.1:0\n'
  writeFileSync(file, `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n${further}`)
  const server = start({}, ['server', '--config', file])
  await logged(server, 'ready')
  server.child.kill('SIGTERM')
  const { err } = await server.ended
  const line = err.split('\n').find((each) => each.includes('"msg":"ready"'))
  const port = /127\.0\.0\.1:\d+$/.source
  expect(JSON.parse(line ?? '')).toMatchObject({
    https: expect.stringMatching(`^https://${port}`),
    listeners: [expect.stringMatching(`^http://${port}`), expect.stringMatching(`^https://${port}`)],
  })
})

/** One clear line, and nothing else on standard error. */
async function refusal(environment: Record<string, string>): Promise<string> {
  const { code, out, err } = await start(environment).ended
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim().split('\n')).toHaveLength(1)
  return err
}

test('start: a process that replaces a crashed one has the configuration of the others', async () => {
  const file = join(directory, 'holdfast.yaml')
  writeFileSync(file, 'workers: 2\nedition: self-hosted\n')
  const server = start({ HOLDFAST_CONFIG: file })
  const lines: { msg: string; worker?: number; workerPid?: number }[] = []
  server.child.stderr?.on('data', (data) => {
    for (const line of String(data).split('\n')) if (line.startsWith('{')) lines.push(JSON.parse(line))
  })
  const readyWorkers = () => lines.filter(({ msg }) => msg === 'worker ready')
  await expect.poll(() => readyWorkers().length, { timeout: 30_000 }).toBe(2)
  const other = join(directory, 'other')
  writeFileSync(file, `workers: 1\ndata_dir: ${other}\nlog: { level: nonsense }\n`)
  process.kill(Number(readyWorkers().find(({ worker }) => worker === 2)?.workerPid), 'SIGKILL')
  await expect.poll(() => readyWorkers().length, { timeout: 30_000 }).toBe(3)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(existsSync(other)).toBe(false)
}, 90_000)

test.each(['1', '2'])('start: a port in use is reported in one line, with %s processes', async (workers) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  expect(await refusal({ HOLDFAST_LISTEN: `127.0.0.1:${port}`, HOLDFAST_WORKERS: workers })).toMatch(
    new RegExp(`^holdfast: 127\\.0\\.0\\.1:${port} is already in use.+another address with --listen\\.$`, 'm'),
  )
  other.close()
})

test('start: a first start that cannot listen creates nothing in the data directory', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const environment = { HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: `127.0.0.1:${port}` }
  const first = await start(environment, ['server']).ended
  expect(first).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is already in use') })
  expect(readdirSync(join(directory, 'data'))).toEqual([])
  other.close()
})

test.each([
  ['/dev/null/data', 'is a file, or lies below one'],
  ['/proc/holdfast/data', 'is not writable \\(ENOENT\\)'],
])('start: a data directory that cannot be created is reported in one line: %s', async (path, why) => {
  const line = new RegExp(
    `^holdfast: The data directory '${path}' ${why}\\. Choose another with HOLDFAST_DATA_DIR\\.$`,
    'm',
  )
  expect(await refusal({ HOLDFAST_DATA_DIR: path })).toMatch(line)
})

test('start: a file in place of the data directory is refused and keeps its mode', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, '', { mode: 0o644 })
  expect(await refusal({ HOLDFAST_DATA_DIR: file })).toMatch(/is a file, or lies below one\./)
  expect(statSync(file).mode & 0o777).toBe(0o644)
})

test.skipIf(process.getuid?.() === 0)('start: a data directory without write access is refused', async () => {
  chmodSync(directory, 0o500)
  const line = await refusal({ HOLDFAST_DATA_DIR: join(directory, 'elsewhere') })
  chmodSync(directory, 0o700)
  expect(line).toMatch(/is not writable \(EACCES\)/)
})

test('start: a database from a newer version is refused in one line and left as it is', async () => {
  const file = join(directory, 'data', 'holdfast.db')
  const store = await openStore({ url: `sqlite:${file}`, log: silentLog, clock: systemClock })
  await migrate(store)
  await sql`insert into migrations (name, applied_at) values ('99991231-from-the-future', 1)`.execute(store.db)
  await store.close()
  const before = readFileSync(file)
  expect(await refusal({})).toMatch(/^holdfast: The database was written by a newer version/)
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('start: an unreachable PostgreSQL is reported in one line, without the password', async () => {
  const { code, err } = await start({ HOLDFAST_STORAGE: 'postgres://app:hunter2@127.0.0.1:1/app' }).ended
  expect(code).toBe(1)
  const told = err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  expect(told).toEqual([expect.stringMatching(/^holdfast: PostgreSQL cannot be reached at 127\.0\.0\.1:1/)])
  expect(err).not.toContain('hunter2')
})

test('start: settings that are valid but have no effect are logged as warnings', async () => {
  const storage = 'postgres://app:hunter2@127.0.0.1:1/app'
  const { err } = await start({ HOLDFAST_STORAGE: storage, HOLDFAST_FORWARDED_CLIENT_CERTIFICATE: 'rfc9440' }).ended
  const lines = err.split('\n').filter((line) => line.startsWith('{'))
  const warned = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
  const text = 'forwarded_client_certificate has no effect without trusted_proxies'
  expect(warned).toContainEqual(expect.objectContaining({ msg: text, fix: expect.stringContaining('trusted_proxies') }))
})

test('seal key: a key of another store is reported with its file, at start and by doctor', async () => {
  const first = start()
  await ready(first)
  first.child.kill('SIGTERM')
  await first.ended
  const file = join(directory, 'data', 'seal.key')
  writeFileSync(file, `${randomIds.bytes(32).toString('base64')}\n`)
  const told =
    `The seal key from the file '${file}' does not open this store. Put the key of this store there: ` +
    'the one that another node of this store uses'
  const { code, err } = await start().ended
  expect([code, err]).toEqual([1, expect.stringContaining(`holdfast: ${told}`)])
  const doctor = await start({}, ['doctor']).ended
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`FAIL  Seal key             ${told}`)])
})

test.skipIf(!existsSync('/dev/full')).each([
  ['stdout', { stdout: true }],
  ['stderr', { stderr: true }],
])('a full %s does not stop the server', async (_name, full) => {
  const running = start({}, ['dev'], full)
  const { address, ca_cert } = await ready(running)
  for (let count = 0; count < 40; count += 1) expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  running.child.kill('SIGTERM')
  expect((await running.ended).code).toBe(0)
})

test.skipIf(!existsSync('/dev/full'))('server: if stdout is full, the root token is shown on stderr', async () => {
  const environment = { HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' }
  const server = start(environment, ['server'], { stdout: true })
  await logged(server, 'ready')
  server.child.kill('SIGTERM')
  expect((await server.ended).err).toMatch(/Root token {4}hfs\.\w+\n {4}Recovery key {2}\S+\n/)
})
