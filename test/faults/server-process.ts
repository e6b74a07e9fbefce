import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Client, testClient } from '../support/client.ts'
import { rootToken } from './state-node.ts'

const program = join(import.meta.dirname, 'state-node.ts')

/** A server in a separate process, for which exceeding the file size limit is an error that does not end it. */
export class ServerProcess {
  readonly pid: number
  readonly url: string
  readonly root: Client
  readonly #ended: Promise<unknown>

  private constructor(pid: number, url: string, ended: Promise<unknown>) {
    this.pid = pid
    this.url = url
    this.root = testClient({ url, token: rootToken })
    this.#ended = ended
  }

  /** Starts it on a data directory, and optionally on another database; it is stopped with the test at the latest. */
  static async start(dataDir: string, storage?: string): Promise<ServerProcess> {
    const command = [process.execPath, program, dataDir, ...(storage ? [storage] : [])]
    const child = spawn('bash', ['-c', `trap '' XFSZ; exec "$0" "$@"`, ...command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    const failed = ended.then(() => Promise.reject(new Error('The server ended before it could be asked.')))
    const [line] = await Promise.race([once(child.stdout, 'data'), failed])
    const server = new ServerProcess(child.pid ?? 0, String(line).trim(), ended)
    onTestFinished(() => server.root.close())
    return server
  }

  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL')
    await this.#ended
    this.root.close()
  }

  /** Limits the size of files to this many bytes. */
  limitFiles(bytes: number | 'unlimited'): void {
    execFileSync('prlimit', ['--pid', String(this.pid), `--fsize=${bytes}:unlimited`])
  }
}
