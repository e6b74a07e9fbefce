import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { type Client, testClient } from '../support/client.ts'
import { startProcess } from '../support/programs/child-process.ts'

/** The program itself in dev mode, and a caller with its root token. */
export type DevServer = { readonly root: Client; kill(): Promise<void> }

/** Starts it on a data directory and waits until it answers; it is stopped at the end of the test at the latest. */
export async function startDevServer(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<DevServer> {
  const { child, ended } = startProcess(join(import.meta.dirname, '../../server/main.ts'), ['dev'], {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
    HOLDFAST_LOG_LEVEL: 'error',
    HOLDFAST_RUNNER_BUILTIN: 'off',
    ...environment,
  })
  const told = vi.waitFor(
    () => {
      const found = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as Record<string, unknown>
      expect(found.pid).toBe(child.pid)
      return found
    },
    { timeout: 60_000, interval: 50 },
  )
  const failed = ended.then((code) => Promise.reject(new Error(`The server ended with ${code}.`)))
  const facts = await Promise.race([told, failed])
  const root = testClient({ url: String(facts.http_address), token: String(facts.root_token) })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    root.close()
  }
  return { root, kill }
}
