import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevFacts } from '../kit/feature.ts'
import { removeFile, writePrivateFile } from './private-files.ts'

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
export const announce = (dataDir: string, facts: DevJson): Promise<void> =>
  writePrivateFile(announcementPath(dataDir), toText(facts))

/** Takes back the announcement of this process, or one that nobody stands behind any more. */
export async function withdraw(dataDir: string, pid: number): Promise<void> {
  const found = (await readJson(announcementPath(dataDir))) as Partial<DevJson> | undefined
  const owner = found?.pid
  if (owner === undefined || owner === pid || !isAlive(owner)) await removeFile(announcementPath(dataDir))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (thrown) {
    const harmless = thrown instanceof SyntaxError || (thrown as NodeJS.ErrnoException).code === 'ENOENT'
    if (harmless) return undefined
    throw thrown
  }
}
