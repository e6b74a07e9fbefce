import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { unprivilegedAccount } from './postgres-server.ts'

/** How a pooler treats its connections. */
export type PoolerSettings = { readonly mode: 'session' | 'transaction'; readonly ignored?: readonly string[] }

/** Starts PgBouncer in front of a database for one test; answers the address of the database through it. */
export async function startPgBouncer(target: string, { mode, ignored = [] }: PoolerSettings): Promise<string> {
  const { hostname, port, username } = new URL(target)
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pgbouncer-'))
  chmodSync(folder, 0o755)
  const own = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'default_pool_size = 40',
    `ignore_startup_parameters = ${ignored.join(',')}`,
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const child = spawn('pgbouncer', ['-q', file], { ...unprivilegedAccount(), cwd: folder, stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    rmSync(folder, { recursive: true })
  })
  const url = target.replace(`:${port}/`, `:${own}/`)
  await expect.poll(() => isAnswering(url)).toBe(true)
  return url
}

async function isAnswering(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}
