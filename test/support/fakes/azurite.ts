import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { temporaryFolder } from '../databases.ts'
import { freePort } from '../free-port.ts'

/** A running Azurite, Microsoft's emulator of its blob store. */
export type Azurite = {
  /** With the account in the path, as it is in Azurite. */
  readonly endpoint: string
  readonly account: string
  readonly key: string
  makeContainer(name: string): Promise<void>
  close(): Promise<void>
}

const program = join(import.meta.dirname, '../../../node_modules/azurite/dist/src/blob/main.js')

/** The default account of Azurite; its key is public. */
const account = 'devstoreaccount1'
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

/** Starts Azurite on the loopback, without telemetry. */
export async function startAzurite(): Promise<Azurite> {
  const port = await freePort()
  const folder = temporaryFolder()
  const place = ['--blobHost', '127.0.0.1', '--blobPort', String(port), '--location', folder]
  const options = ['--disableTelemetry', '--skipApiVersionCheck', '--silent']
  const child = spawn(process.execPath, [program, ...place, ...options], { stdio: 'ignore' })
  const endpoint = `http://127.0.0.1:${port}/${account}`
  await waitUntilAnswering(endpoint, child)
  const makeContainer = async (name: string): Promise<void> => {
    await new ContainerClient(`${endpoint}/${name}`, new StorageSharedKeyCredential(account, key)).create()
  }
  const close = async (): Promise<void> => {
    await killAndWait(child)
    rmSync(folder, { recursive: true, force: true })
  }
  return { endpoint, account, key, makeContainer, close }
}

async function waitUntilAnswering(endpoint: string, child: ChildProcess): Promise<void> {
  for (let turn = 0; turn < 400; turn++) {
    if (child.exitCode !== null) throw new Error(`Azurite ended with code ${child.exitCode}`)
    const answer = await fetch(endpoint).catch(() => undefined)
    if (answer) return
    await sleep(50)
  }
  throw new Error('Azurite did not start within 20 seconds')
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}
