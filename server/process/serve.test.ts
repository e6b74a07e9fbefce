import { existsSync, readFileSync, renameSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'
import { openRaw } from '../../test/support/raw-connection.ts'
import { logged, ServerProcesses, statusOf } from '../../test/support/server-processes.ts'
import { shared } from '../../test/support/shared.ts'
import { ensureDevTls } from '../dev/dev-tls.ts'
import { devTlsFiles } from '../dev/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'

const servers = new ServerProcesses()

const fingerprintAt = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
      socket.destroy()
    }).on('error', reject)
  })

describe('dev: a running server', () => {
  const servers = new ServerProcesses('block')
  const place = (name: string) => join(servers.directory, name)
  const made = [
    '/v1/auth/cert/certs/dev',
    '/v1/sys/storage/raft/snapshot-auto/config/hourly',
    '/api/v2/organizations/demo/workspaces/first-steps',
    '/api/v2/organizations/demo/workspaces/first-run',
  ]
  const headers = { 'X-Service-Token': 'root', Authorization: 'Bearer root' }

  /** The server, and what it answered as soon as it did. */
  const dev = shared(async () => {
    const http = `127.0.0.1:${await freePort()}`
    writeFileSync(place('holdfast.yaml'), 'edition: hosted\n')
    const server = servers.start({
      HOLDFAST_HTTP_LISTEN: http,
      HOLDFAST_ROOT_TOKEN: 'root',
      HOLDFAST_CONFIG: place('holdfast.yaml'),
      HOLDFAST_WORKERS: 'auto',
      HOLDFAST_SHOE_SIZE: '43',
      HOLDFAST_DATABASE_URL: 'x',
    })
    const look = () => Promise.all(made.map((path) => fetch(`http://${http}${path}`, { headers })))
    let first: Response[] | undefined
    while (!first && server.child.exitCode === null) first = await look().catch(() => setTimeout(10))
    return { server, first, facts: await servers.ready(server) }
  })
  const isServing = async () => (await statusOf(`${dev.facts.address}/v1/sys/health`, dev.facts.ca_cert)) === 200
  const lines = (): { level: string; msg: string; pid: number; fix?: string }[] =>
    dev.server.written.err
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('it serves TLS with its own CA, shows its root token, and nobody else may read its data', async () => {
    expect(await isServing()).toBe(true)
    expect(dev.facts.pid).toBe(dev.server.child.pid)
    expect(dev.server.written.out).toContain(`Root       ${dev.facts.root_token}`)
    expect(statSync(place('data')).mode & 0o777).toBe(0o700)
  })

  test('once it answers, the demo role, snapshot configuration and workspace exist', async () => {
    expect(dev.first?.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const workspace = (await dev.first?.at(2)?.json()) as { data: { attributes: object } } | undefined
    expect(workspace?.data.attributes).toMatchObject({ 'execution-mode': 'local' })
  })

  test('unknown HOLDFAST_ variables are logged in one line', () => {
    const told = lines().filter(({ msg }) => msg.includes('variables that name no setting are ignored'))
    expect(told).toHaveLength(1)
    expect(JSON.stringify(told)).toMatch(/HOLDFAST_DATABASE_URL.*HOLDFAST_SHOE_SIZE/)
  })

  test('with workers set, one process serves and says once what to do', () => {
    expect(new Set(lines().map(({ pid }) => pid))).toEqual(new Set([dev.server.child.pid]))
    const text = 'workers has no effect any more: one process serves'
    const fix = expect.stringMatching(/^Remove the setting\. .*more nodes on one PostgreSQL/)
    expect(lines().filter(({ msg }) => msg.startsWith('workers'))).toMatchObject([{ level: 'warn', msg: text, fix }])
  })

  test('a second server on the same data directory is refused in one line, and dev.json stays', async () => {
    const { code, out, err } = await servers.start().ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(
      `is already in use by the dev server at ${dev.facts.address} (process ${dev.server.child.pid}). Stop that one`,
    )
    expect(err.trim().split('\n')).toHaveLength(1)
    expect(await servers.ready(dev.server)).toEqual(dev.facts)
  })

  test('SIGHUP loads a new server certificate', async () => {
    const before = await fingerprintAt(String(dev.facts.address))
    rmSync(devTlsFiles(place('data')).serverCert)
    await ensureDevTls({ clock: systemClock, ids: randomIds }, place('data'), ['localhost', '127.0.0.1', '::1'])
    const reloaded = logged(dev.server, 'reloaded')
    dev.server.child.kill('SIGHUP')
    await reloaded
    expect(await fingerprintAt(String(dev.facts.address))).not.toBe(before)
    expect(await isServing()).toBe(true)
  })

  test('SIGHUP reopens audit files even if the new certificate is not usable', async () => {
    const file = place('audit.log')
    const ask = (path: string, sent: RequestInit = {}) =>
      fetch(`${dev.facts.http_address}/v1/${path}`, { headers, ...sent })
    await ask('sys/audit/file', {
      method: 'POST',
      body: JSON.stringify({ type: 'file', options: { file_path: file } }),
    })
    renameSync(file, `${file}.1`)
    const { serverCert } = devTlsFiles(place('data'))
    const good = readFileSync(serverCert)
    writeFileSync(serverCert, 'damaged')
    onTestFinished(() => writeFileSync(serverCert, good))
    const failed = logged(dev.server, 'reload failed, the old files stay in use')
    dev.server.child.kill('SIGHUP')
    expect(await failed).toContain(`"error":"tls.cert_file: ${serverCert} is not usable: `)
    await ask('sys/mounts')
    expect(readFileSync(file, 'utf8')).toContain('"path":"sys/mounts"')
  })

  test('SIGHUP says once that a changed file needs a restart', async () => {
    const reload = async () => {
      const reloaded = logged(dev.server, 'reloaded')
      dev.server.child.kill('SIGHUP')
      await reloaded
    }
    const told = () => lines().filter(({ msg }) => msg.startsWith('the configuration file has changed since the start'))
    await reload()
    expect(told()).toEqual([])
    writeFileSync(place('holdfast.yaml'), 'edition: self-hosted\n')
    await reload()
    expect(told()).toMatchObject([{ file: place('holdfast.yaml') }])
  })
})

test('dev: SIGTERM closes all ports and finishes what is in flight; the next start has the same root token and CA', async () => {
  const first = servers.start({ HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' })
  const { address, http_address, root_token, ca_cert } = await servers.ready(first)
  const authority = readFileSync(ca_cert, 'utf8')
  const slow = await openRaw(Number(new URL(String(http_address)).port))
  slow.write(
    `POST /v1/auth/token/create HTTP/1.1\r\nHost: x\r\nX-Service-Token: ${root_token}\r\nContent-Length: 2\r\n\r\n`,
  )
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  first.child.kill('SIGTERM')
  const refused = () => statusOf(`${address}/v1/sys/health`, ca_cert).catch((error: { code: string }) => error.code)
  await expect.poll(refused, { timeout: 5_000 }).toBe('ECONNREFUSED')
  slow.write('{}')
  expect((await slow.next()).status).toBe(200)
  expect((await first.ended).code).toBe(0)
  expect(existsSync(join(servers.directory, 'data', 'dev.json'))).toBe(false)
  const after = await servers.ready(servers.start())
  expect(after.root_token).toBe(root_token)
  expect(readFileSync(after.ca_cert, 'utf8')).toBe(authority)
})

test('dev: a SIGHUP during the start reloads after it', async () => {
  const appeared = Promise.withResolvers<void>()
  const watcher = watch(join(servers.directory, 'data'), () => appeared.resolve())
  const server = servers.start()
  const reloaded = logged(server, 'reloaded')
  await Promise.race([appeared.promise, server.ended])
  watcher.close()
  server.child.kill('SIGHUP')
  await reloaded
  const { address, ca_cert } = await servers.ready(server)
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

test('dev: SIGTERM during setup waits for the setup and exits with 0 without errors', async () => {
  const { child, ended } = servers.start()
  const state = join(servers.directory, 'data', 'dev-state.json')
  const begun = Promise.withResolvers<void>()
  const watcher = watch(join(servers.directory, 'data'), () => {
    if (existsSync(state) && readFileSync(state, 'utf8').includes('cert_role')) begun.resolve()
  })
  await begun.promise
  watcher.close()
  child.kill('SIGTERM')
  const { code, err } = await ended
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('"level":"error"') })
  expect(err.indexOf('"msg":"ready"')).toBeLessThan(err.indexOf('"msg":"stopped"'))
  expect(existsSync(join(servers.directory, 'data', 'dev.json'))).toBe(false)
})

/** Starts a server with a shutdown delay, and waits until it serves. */
async function startDelayed(delay: string) {
  const server = servers.start({ HOLDFAST_SHUTDOWN_DELAY: delay, HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' })
  let text = ''
  server.child.stderr?.on('data', (data) => {
    text += data
  })
  const { http_address } = await servers.ready(server)
  const count = (message: string) => text.split(`"msg":"${message}"`).length - 1
  const ask = async (path: string) => {
    const answer = await fetch(`${http_address}${path}`)
    return `${answer.status} ${path === '/readyz' ? (await answer.text()).trim() : ''}`.trim()
  }
  return { server, count, ask }
}

test('dev: with a shutdown delay, the server serves on after SIGTERM but is not ready', async () => {
  const { server, count, ask } = await startDelayed('3s')
  expect(await ask('/readyz')).toBe('200 ready')
  const begun = performance.now()
  server.child.kill('SIGTERM')
  await expect.poll(() => count('stopping'), { timeout: 2_000, interval: 20 }).toBe(1)
  for (let times = 0; times < 6; times += 1) {
    expect(await ask('/readyz')).toBe('503 stopping')
    expect(await ask('/v1/sys/health')).toBe('200')
  }
  expect((await server.ended).code).toBe(0)
  expect(performance.now() - begun).toBeGreaterThan(2_900)
}, 60_000)

test('dev: a second SIGTERM ends the shutdown delay', async () => {
  const { server, count } = await startDelayed('1m')
  server.child.kill('SIGTERM')
  await expect.poll(() => count('stopping'), { timeout: 5_000 }).toBe(1)
  await setTimeout(1_100)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
  expect(count('stopped')).toBe(1)
}, 40_000)

/** A configuration of a server with a certificate, to which more is added. */
async function writtenConfiguration(more = ''): Promise<string> {
  const { directory } = servers
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, directory, ['localhost'])
  const file = join(directory, 'holdfast.yaml')
  writeFileSync(file, `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n${more}`)
  return file
}

/** Runs a server from its start until it is ready and has been used. */
async function runOnce(file: string, environment: Record<string, string>, use: () => Promise<unknown>) {
  const server = servers.start(environment, ['server', '--config', file])
  await logged(server, 'ready')
  await use()
  server.child.kill('SIGTERM')
  const { code, out, err } = await server.ended
  expect(code).toBe(0)
  const lines: { msg: string; next?: string }[] = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { out, lines, waits: lines.filter(({ next }) => next !== undefined) }
}

test('server: the first start shows root token and recovery key, later ones do not; each logs all of its addresses', async () => {
  const further = 'listeners:\n  - address: 127.0.0.1:0\n    tls: off\n  - address: 127.0.0.1:0\n'
  const file = await writtenConfiguration(further)
  const [first, second] = [
    await runOnce(file, {}, async () => undefined),
    await runOnce(file, {}, async () => undefined),
  ]
  expect(first.out).toMatch(/Root token {4}hfs\.\S+\n +Recovery key {2}\S{43}=/)
  expect(second.out).toBe('')
  const port = /127\.0\.0\.1:\d+$/.source
  expect(second.lines.find(({ msg }) => msg === 'ready')).toMatchObject({
    https: expect.stringMatching(`^https://${port}`),
    listeners: [expect.stringMatching(`^http://${port}`), expect.stringMatching(`^https://${port}`)],
  })
  // The automatic seal waits for nobody.
  expect([first.waits, second.waits]).toEqual([[], []])
})

test('server: a start with key shares logs what it waits for', async () => {
  const file = await writtenConfiguration('seal:\n  type: shamir\n')
  const http = `127.0.0.1:${await freePort()}`
  const environment = { HOLDFAST_HTTP_LISTEN: http }
  const init = () =>
    fetch(`http://${http}/v1/sys/init`, { method: 'POST', body: '{"secret_shares":3,"secret_threshold":2}' })
  const first = await runOnce(file, environment, init)
  expect(first.waits).toMatchObject([{ level: 'warn', next: expect.stringContaining('sys/init') }])
  const second = await runOnce(file, environment, async () => undefined)
  expect(second.waits).toMatchObject([{ level: 'warn', next: expect.stringContaining('sys/unseal'), threshold: 2 }])
}, 120_000)
