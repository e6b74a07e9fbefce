import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, watch } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { DevJson } from '../../server/dev/index.ts'
import { temporaryFolder } from './folders.ts'

/** A server in a process of its own; `written` is what it has written up to now. */
type ServerProcess = {
  readonly child: ChildProcess
  readonly written: { readonly out: string; readonly err: string }
  readonly ended: Promise<{ code: number | null; out: string; err: string }>
}

const program = join(import.meta.dirname, '../../server/main.ts')

/** Outputs that are on a full disk. */
type Full = { stdout?: boolean; stderr?: boolean }

/** Servers of each test, or of a block of tests, with a folder of their own, which goes with them. */
export class ServerProcesses {
  directory = ''
  readonly #children: ChildProcess[] = []

  constructor(of: 'each test' | 'block' = 'each test') {
    const [begin, end] = of === 'block' ? [beforeAll, afterAll] : [beforeEach, afterEach]
    begin(() => {
      this.directory = temporaryFolder()
      mkdirSync(join(this.directory, 'data'))
    })
    end(() => {
      for (const child of this.#children.splice(0)) child.kill('SIGKILL')
      rmSync(this.directory, { recursive: true, force: true })
    })
  }

  start(environment: Record<string, string> = {}, args: readonly string[] = ['dev'], full: Full = {}): ServerProcess {
    const disk = full.stdout || full.stderr ? openSync('/dev/full', 'w') : undefined
    const child = spawn(process.execPath, [program, ...args], {
      env: {
        PATH: process.env.PATH,
        // A runner that nobody asks for would only cost time; `runner/runner.test.ts` has its own.
        HOLDFAST_RUNNER_BUILTIN: 'off',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        HOLDFAST_DATA_DIR: join(this.directory, 'data'),
        HOLDFAST_LISTEN: '127.0.0.1:0',
        HOLDFAST_HTTP_LISTEN: 'off',
        ...environment,
      },
      stdio: ['ignore', full.stdout ? disk : 'pipe', full.stderr ? disk : 'pipe'],
    })
    if (disk !== undefined) closeSync(disk)
    this.#children.push(child)
    const texts = { out: '', err: '' }
    child.stdout?.on('data', (data) => {
      texts.out += data
    })
    child.stderr?.on('data', (data) => {
      texts.err += data
    })
    return { child, written: texts, ended: once(child, 'close').then(([code]) => ({ code, ...texts })) }
  }

  /** Waits until the server says that it is ready, or has ended instead. */
  async ready({ ended }: ServerProcess): Promise<DevJson> {
    const file = join(this.directory, 'data', 'dev.json')
    const changed = Promise.withResolvers<void>()
    const watcher = watch(join(this.directory, 'data'), () => existsSync(file) && changed.resolve())
    if (existsSync(file)) changed.resolve()
    const early = await Promise.race([changed.promise, ended])
    watcher.close()
    if (early) throw new Error(`the server ended: ${early.err}`)
    return JSON.parse(readFileSync(file, 'utf8'))
  }
}

/** Waits for a log line with this message and returns it. */
export async function logged({ child, ended }: ServerProcess, message: string): Promise<string> {
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

/** The status of a request to a server with this CA. */
export const statusOf = (url: string, ca: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { ca: readFileSync(ca), agent: false }, (answer) => resolve(answer.resume().statusCode)).on(
      'error',
      reject,
    )
  })

/** Ends a process that leads its group, and all that it has started. */
export function endGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // None of them runs any more.
  }
}
