import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import { temporaryFolder } from '../folders.ts'

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
  const folder = temporaryFolder()
  // It takes a free port itself: between finding one and starting, somebody else might take it.
  const place = ['--blobHost', '127.0.0.1', '--blobPort', '0', '--location', folder]
  const options = ['--disableTelemetry', '--skipApiVersionCheck']
  const child = spawn(process.execPath, [program, ...place, ...options], { stdio: ['ignore', 'pipe', 'ignore'] })
  const endpoint = `${await addressOf(child)}/${account}`
  const makeContainer = async (name: string): Promise<void> => {
    await new ContainerClient(`${endpoint}/${name}`, new StorageSharedKeyCredential(account, key)).create()
  }
  const close = async (): Promise<void> => {
    await killAndWait(child)
    rmSync(folder, { recursive: true, force: true })
  }
  return { endpoint, account, key, makeContainer, close }
}

/** The address that it prints once it answers there; its log of requests is read and forgotten. */
function addressOf(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    const [, address] = /successfully listens on (http:\S+)/.exec(line) ?? []
    if (address !== undefined) resolve(address)
  })
  child.once('exit', (code) => reject(new Error(`Azurite ended with code ${code}`)))
  return promise
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}
