import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ChildServer, childServer, type ServerFacts } from './child-server.ts'

/** A server of any checkout, which is known by its command line and its `dev.json` only. */
export type DevServer = ChildServer & { readonly facts: DevFacts; readonly process: ChildProcess }

/** What `dev.json` says, as far as it is used here, and the ports in it. */
type DevFacts = ServerFacts & {
  readonly httpsPort: number
  readonly dataDir: string
  readonly client_cert: string
  readonly client_key: string
  readonly root_token: string
  readonly organization: string
}

/** Where the server is, which module is loaded before it to talk to this process, and further environment. */
type DevServerOptions = { checkout: string; preload?: URL; environment?: Record<string, string> }

/** Starts `holdfast dev` of a checkout on an embedded store of its own. Its log is written to nowhere. */
export async function startDevServer({ checkout, preload, environment }: DevServerOptions): Promise<DevServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const dataDir = join(folder, 'data')
  const { href } = preload ?? new URL('./child-main.ts', import.meta.url)
  const child = fork(join(checkout, 'server/main.ts'), ['dev'], {
    execArgv: ['--import', href],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      ...process.env,
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_LISTEN: '127.0.0.1:0',
      HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
      // Connections wait while the others are measured.
      HOLDFAST_LIMITS_HEADER_TIMEOUT: '4m',
      HOLDFAST_LIMITS_IDLE_TIMEOUT: '10m',
      TMPDIR: folder,
      ...environment,
    },
  })
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const facts = await readAnnouncement(child, dataDir, checkout)
  return { ...childServer(child, facts), facts, process: child }
}

async function readAnnouncement(child: ChildProcess, dataDir: string, checkout: string): Promise<DevFacts> {
  const ended = once(child, 'exit')
  for (;;) {
    const text = readIfThere(join(dataDir, 'dev.json'))
    if (text !== undefined) {
      const dev = JSON.parse(text)
      return { ...dev, dataDir, port: portOf(dev.http_address), httpsPort: portOf(dev.address) }
    }
    const code = await Promise.race([ended.then(([status]) => status as number | null), wait(20, 'waiting')])
    if (code === 'waiting') continue
    throw new Error(`The server of ${checkout} ended with ${code}; 'npm start' there says why.`)
  }
}

const portOf = (address: string): number => Number(new URL(address).port)

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
