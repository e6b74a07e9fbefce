import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Minted, mintCa, mintServer } from '../support/certificates.ts'
import { testClock } from '../support/clock.ts'
import type { Engine } from '../support/databases.ts'
import { type TestApp, type TestAppOptions, testApp } from '../support/test-app.ts'

/** A TLS server with the real time, and a folder for what a client reads and writes. */
export type ClientBench = {
  readonly app: TestApp
  /** Issued the server's own certificate. */
  readonly serverCa: Minted
  readonly directory: string
  /** Writes a file into the folder and returns its path. */
  file(name: string, text: string): Promise<string>
}

/** Sets that up for one test. */
export async function clientBench(engine: Engine, options: TestAppOptions = {}): Promise<ClientBench> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const serverCa = mintCa()
  const { chainPem: cert, keyPem: key } = mintServer(serverCa)
  const app = await testApp({ engine, tls: { cert, key }, clock: testClock(new Date().toISOString()), ...options })
  onTestFinished(() => app.close())
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(directory, name), text)
    return join(directory, name)
  }
  return { app, serverCa, directory, file }
}
