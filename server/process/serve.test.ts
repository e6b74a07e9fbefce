import { existsSync, readFileSync, renameSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { expect, test } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'
import { openRaw } from '../../test/support/raw-connection.ts'
import { logged, ServerProcesses, statusOf } from '../../test/support/server-processes.ts'
import { ensureDevTls } from '../dev/dev-tls.ts'
import { devTlsFiles } from '../dev/index.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'

const servers = new ServerProcesses()

test('dev: serves TLS with its own CA, exits with 0 on SIGTERM and removes dev.json', async () => {
  const server = servers.start()
  const facts = await servers.ready(server)
  expect(await statusOf(`${facts.address}/v1/sys/health`, facts.ca_cert)).toBe(200)
  expect(facts.pid).toBe(server.child.pid)
  expect(statSync(join(servers.directory, 'data')).mode & 0o777).toBe(0o700)
  server.child.kill('SIGTERM')
  const { code, out } = await server.ended
  expect(code).toBe(0)
  expect(out).toContain(`Root       ${facts.root_token}`)
  expect(existsSync(join(servers.directory, 'data', 'dev.json'))).toBe(false)
})

test('dev: unknown HOLDFAST_ variables are logged in one line', async () => {
  const server = servers.start({ HOLDFAST_SHOE_SIZE: '43', HOLDFAST_DATABASE_URL: 'x' })
  await servers.ready(server)
  server.child.kill('SIGTERM')
  const told = (await server.ended).err.split('\n').filter((line) => line.includes('HOLDFAST_'))
  expect(told).toEqual([expect.stringMatching(/HOLDFAST_DATABASE_URL.*HOLDFAST_SHOE_SIZE/)])
  expect(told[0]).toContain('variables that name no setting are ignored')
})

test('dev: once it answers, the demo role, snapshot configuration and workspace exist', async () => {
  const port = await freePort()
  const server = servers.start({ HOLDFAST_HTTP_LISTEN: `127.0.0.1:${port}`, HOLDFAST_ROOT_TOKEN: 'root' })
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
  const first = servers.start()
  const before = await servers.ready(first)
  const authority = readFileSync(before.ca_cert, 'utf8')
  first.child.kill('SIGTERM')
  await first.ended
  const second = servers.start()
  const after = await servers.ready(second)
  expect(after.root_token).toBe(before.root_token)
  expect(readFileSync(after.ca_cert, 'utf8')).toBe(authority)
})

test('dev: a second server on the same data directory is refused in one line, and dev.json stays', async () => {
  const first = servers.start()
  const facts = await servers.ready(first)
  const { code, out, err } = await servers.start().ended
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(
    `is already in use by the dev server at ${facts.address} (process ${first.child.pid}). Stop that one`,
  )
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(await servers.ready(first)).toEqual(facts)
})

test.each(['2', 'auto'])('dev: with workers %s, one process serves and says once what to do', async (workers) => {
  const server = servers.start({ HOLDFAST_WORKERS: workers })
  const { address, ca_cert } = await servers.ready(server)
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  server.child.kill('SIGTERM')
  const { code, err } = await server.ended
  expect(code).toBe(0)
  const lines: { msg: string; pid: number }[] = err
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(lines.map(({ pid }) => pid))).toEqual(new Set([server.child.pid]))
  const text = 'workers has no effect any more: one process serves'
  const fix = expect.stringMatching(/^Remove the setting\. .*more nodes on one PostgreSQL/)
  expect(lines.filter(({ msg }) => msg.startsWith('workers'))).toMatchObject([{ level: 'warn', msg: text, fix }])
})

const fingerprintAt = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
      socket.destroy()
    }).on('error', reject)
  })

test('dev: SIGHUP loads a new server certificate', async () => {
  const server = servers.start()
  const { address, ca_cert } = await servers.ready(server)
  const before = await fingerprintAt(String(address))
  const files = devTlsFiles(join(servers.directory, 'data'))
  rmSync(files.serverCert)
  await ensureDevTls({ clock: systemClock, ids: randomIds }, join(servers.directory, 'data'), [
    'localhost',
    '127.0.0.1',
    '::1',
  ])
  const reloaded = logged(server, 'reloaded')
  server.child.kill('SIGHUP')
  await reloaded
  expect(await fingerprintAt(String(address))).not.toBe(before)
  expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
})

test('dev: SIGHUP reopens audit files even if the new certificate is not usable', async () => {
  const server = servers.start({ HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' })
  const { http_address, root_token } = await servers.ready(server)
  const file = join(servers.directory, 'audit.log')
  const headers = { 'X-Service-Token': String(root_token) }
  const body = JSON.stringify({ type: 'file', options: { file_path: file } })
  await fetch(`${http_address}/v1/sys/audit/file`, { method: 'POST', headers, body })
  renameSync(file, `${file}.1`)
  const { serverCert } = devTlsFiles(join(servers.directory, 'data'))
  writeFileSync(serverCert, 'damaged')
  const failed = logged(server, 'reload failed, the old files stay in use')
  server.child.kill('SIGHUP')
  expect(await failed).toContain(`"error":"tls.cert_file: ${serverCert} is not usable: `)
  await fetch(`${http_address}/v1/sys/mounts`, { headers })
  expect(readFileSync(file, 'utf8')).toContain('"path":"sys/mounts"')
})

test('dev: SIGHUP says once that a changed file needs a restart', async () => {
  const file = join(servers.directory, 'holdfast.yaml')
  writeFileSync(file, 'edition: hosted\n')
  const server = servers.start({ HOLDFAST_CONFIG: file })
  await servers.ready(server)
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

test('dev: SIGTERM closes all ports at once, and a request in flight is finished', async () => {
  const server = servers.start({ HOLDFAST_HTTP_LISTEN: '127.0.0.1:0' })
  const { address, http_address, root_token, ca_cert } = await servers.ready(server)
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

test('server: the first start shows root token and recovery key, later ones do not', async () => {
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, servers.directory, [
    'localhost',
  ])
  const file = join(servers.directory, 'holdfast.yaml')
  writeFileSync(file, `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n`)
  const outputs: string[] = []
  for (const _time of [1, 2]) {
    const server = servers.start({}, ['server', '--config', file])
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
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, servers.directory, [
    'localhost',
  ])
  const file = join(servers.directory, 'holdfast.yaml')
  const http = `127.0.0.1:${await freePort()}`
  const text = `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n`
  const warned = async (type: string, use: () => Promise<unknown> = async () => undefined) => {
    const environment = { HOLDFAST_DATA_DIR: join(servers.directory, type), HOLDFAST_HTTP_LISTEN: http }
    writeFileSync(file, `${text}seal:\n  type: ${type}\n`)
    const server = servers.start(environment, ['server', '--config', file])
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
  const { serverCert, serverKey } = await ensureDevTls({ clock: systemClock, ids: randomIds }, servers.directory, [
    'localhost',
  ])
  const file = join(servers.directory, 'holdfast.yaml')
  const further = 'listeners:\n  - address: 127.0.0.1:0\n    tls: off\n  - address: 127.0.0.1:0\n'
  writeFileSync(file, `tls:\n  cert_file: ${serverCert}\n  key_file: ${serverKey}\n${further}`)
  const server = servers.start({}, ['server', '--config', file])
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
