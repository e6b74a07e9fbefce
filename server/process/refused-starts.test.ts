import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { freePort } from '../../test/support/free-port.ts'
import { logged, ServerProcesses, statusOf } from '../../test/support/server-processes.ts'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { silentLog } from '../kernel/log.ts'
import { migrate } from '../storage/migrate.ts'
import { openStore } from '../storage/open.ts'

const servers = new ServerProcesses()

/** One clear line, and nothing else on standard error. */
async function refusal(environment: Record<string, string>, args?: readonly string[]): Promise<string> {
  const { code, out, err } = await servers.start(environment, args).ended
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err.trim().split('\n')).toHaveLength(1)
  return err
}

test('start: TLS files that are not there end it with 2', async () => {
  const files = { HOLDFAST_TLS_CERT_FILE: '/none/a.pem', HOLDFAST_TLS_KEY_FILE: '/none/b.pem' }
  const ended = await servers.start(files, ['server']).ended
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toMatch(
    /^holdfast: tls\.cert_file: \/none\/a\.pem does not exist\. Check the path\. tls\.key_file: /m,
  )
  expect(readdirSync(join(servers.directory, 'data'))).toEqual([])
})

test('start: a port in use is reported in one line, and a first start creates nothing in the data directory', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const environment = { HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: `127.0.0.1:${port}` }
  expect(await refusal(environment, ['server'])).toMatch(
    new RegExp(`^holdfast: 127\\.0\\.0\\.1:${port} is already in use.+another address with --http-listen\\.$`, 'm'),
  )
  expect(readdirSync(join(servers.directory, 'data'))).toEqual([])
  other.close()
})

test('start: a data directory that cannot be created is reported in one line', async () => {
  expect(await refusal({ HOLDFAST_DATA_DIR: '/proc/holdfast/data' })).toMatch(
    /^holdfast: The data directory '\/proc\/holdfast\/data' is not writable \(ENOENT\)\. Choose another with HOLDFAST_DATA_DIR\.$/m,
  )
})

test('start: a file in place of the data directory is refused and keeps its mode', async () => {
  const file = join(servers.directory, 'file')
  writeFileSync(file, '', { mode: 0o644 })
  expect(await refusal({ HOLDFAST_DATA_DIR: file })).toMatch(/is a file, or lies below one\./)
  expect(statSync(file).mode & 0o777).toBe(0o644)
})

test.skipIf(process.getuid?.() === 0)('start: a data directory without write access is refused', async () => {
  chmodSync(servers.directory, 0o500)
  const line = await refusal({ HOLDFAST_DATA_DIR: join(servers.directory, 'elsewhere') })
  chmodSync(servers.directory, 0o700)
  expect(line).toMatch(/is not writable \(EACCES\)/)
})

test('start: a database from a newer version is refused in one line and left as it is', async () => {
  const file = join(servers.directory, 'data', 'holdfast.db')
  const store = await openStore({ url: `sqlite:${file}`, log: silentLog, clock: systemClock })
  await migrate(store)
  await sql`insert into migrations (name, applied_at) values ('99991231-from-the-future', 1)`.execute(store.db)
  await store.close()
  const before = readFileSync(file)
  expect(await refusal({})).toMatch(/^holdfast: The database was written by a newer version/)
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('start: an unreachable PostgreSQL is reported in one line, without the password, after the warnings', async () => {
  const storage = 'postgres://app:hunter2@127.0.0.1:1/app'
  const environment = { HOLDFAST_STORAGE: storage, HOLDFAST_FORWARDED_CLIENT_CERTIFICATE: 'rfc9440' }
  const { code, err } = await servers.start(environment).ended
  expect(code).toBe(1)
  const told = err.split('\n').filter((line) => line !== '')
  expect(told.filter((line) => !line.startsWith('{'))).toEqual([
    expect.stringMatching(/^holdfast: PostgreSQL cannot be reached at 127\.0\.0\.1:1/),
  ])
  expect(err).not.toContain('hunter2')
  const logged = told.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
  const text = 'forwarded_client_certificate has no effect without trusted_proxies'
  const fix = expect.stringContaining('trusted_proxies')
  expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', msg: text, fix }))
})

test('seal key: a key of another store is reported with its file, at start and by doctor', async () => {
  const first = servers.start()
  await servers.ready(first)
  first.child.kill('SIGTERM')
  await first.ended
  const file = join(servers.directory, 'data', 'seal.key')
  writeFileSync(file, `${randomIds.bytes(32).toString('base64')}\n`)
  const told =
    `The seal key from the file '${file}' does not open this store. Put the key of this store there: ` +
    'the one that another node of this store uses'
  const { code, err } = await servers.start().ended
  expect([code, err]).toEqual([1, expect.stringContaining(`holdfast: ${told}`)])
  const doctor = await servers.start({}, ['doctor']).ended
  expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(`FAIL  Seal key             ${told}`)])
})

test.skipIf(!existsSync('/dev/full'))('a full stderr does not stop the server', async () => {
  const running = servers.start({}, ['dev'], { stderr: true })
  const { address, ca_cert } = await servers.ready(running)
  for (let count = 0; count < 40; count += 1) expect(await statusOf(`${address}/v1/sys/health`, ca_cert)).toBe(200)
  running.child.kill('SIGTERM')
  expect((await running.ended).code).toBe(0)
})

test.skipIf(!existsSync('/dev/full'))(
  'a full stdout does not stop the server, and the root token is shown on stderr',
  async () => {
    const port = await freePort()
    const environment = { HOLDFAST_LISTEN: 'off', HOLDFAST_HTTP_LISTEN: `127.0.0.1:${port}` }
    const server = servers.start(environment, ['server'], { stdout: true })
    await logged(server, 'ready')
    expect((await fetch(`http://127.0.0.1:${port}/v1/sys/health`)).status).toBe(200)
    server.child.kill('SIGTERM')
    const { code, err } = await server.ended
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/Root token {4}hfs\.\w+\n {4}Recovery key {2}\S+\n/),
    })
  },
)
