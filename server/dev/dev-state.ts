import { readFile, unlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { writePrivateFile } from '../kernel/directories.ts'
import { isProcessAlive } from '../kernel/processes.ts'
import { ifAbsent, systemCode } from '../kernel/system-errors.ts'
import type { DevFacts } from '../kit/feature.ts'

/** What other programs learn from `dev.json`. Its presence says that the server is ready. */
export type DevJson = {
  address: string | null
  http_address: string | null
  ca_cert: string
  client_cert: string
  client_key: string
  root_token: string | null
  organization: string | null
  user_token: string | null
  pid: number
}

const statePath = (dataDir: string): string => join(dataDir, 'dev-state.json')
const announcementPath = (dataDir: string): string => join(dataDir, 'dev.json')

/** What earlier starts made; empty on the first. */
export const readDevState = async (dataDir: string): Promise<Partial<DevFacts>> =>
  ((await readJson(statePath(dataDir))) ?? {}) as Partial<DevFacts>

/** Keeps what was made, so that the next start finds the same tokens. */
export const writeDevState = (dataDir: string, facts: Partial<DevFacts>): Promise<void> =>
  writePrivateFile(statePath(dataDir), toText(facts))

/** Tells other programs that the server is ready. */
export const writeAnnouncement = (dataDir: string, facts: DevJson): Promise<void> =>
  writePrivateFile(announcementPath(dataDir), toText(facts))

/** Removes the announcement of this process, or of one that no longer runs. */
export async function removeAnnouncement(dataDir: string, pid: number): Promise<void> {
  if (!(await findOtherServer(dataDir, pid))) await unlink(announcementPath(dataDir)).catch(ifAbsent)
}

/**
 * The other server that uses this directory. A crash leaves the file behind, and its process id may belong to another
 * program by then.
 */
export async function findOtherServer(dataDir: string, pid: number): Promise<Partial<DevJson> | undefined> {
  const found = (await readJson(announcementPath(dataDir))) as Partial<DevJson> | undefined
  const owner = found?.pid
  if (owner === undefined || owner === pid || !isProcessAlive(owner)) return undefined
  const addresses = [found?.address, found?.http_address].filter((url) => typeof url === 'string')
  const answers = await Promise.all(addresses.map(isListening))
  return answers.includes(true) ? found : undefined
}

/** How long to wait for a connection to a listener on this machine, in milliseconds. */
const probeTimeoutMs = 1_000

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  socket.setTimeout(probeTimeoutMs, () => resolve(false))
  return promise.finally(() => socket.destroy())
}

const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (thrown) {
    const harmless = thrown instanceof SyntaxError || systemCode(thrown) === 'ENOENT'
    if (harmless) return undefined
    throw thrown
  }
}
