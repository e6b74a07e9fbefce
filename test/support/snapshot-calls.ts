import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { takeArchive } from '../../server/archive/index.ts'
import type { Answer } from './client.ts'
import type { TestApp } from './test-app.ts'

/** Where snapshots are taken and restored by hand. */
export const snapshotPath = '/v1/sys/storage/raft/snapshot'

/** Where the configurations of scheduled snapshots are. */
export const autoPath = '/v1/sys/storage/raft/snapshot-auto'

/** Takes a snapshot. */
export async function saveSnapshot(app: TestApp, token: string = app.rootToken): Promise<Buffer> {
  const answer = await fetch(`${app.url}${snapshotPath}`, { headers: { 'X-Service-Token': token } })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** How a snapshot is sent: to which address below that of snapshots, by whom, and with which other headers. */
type Sending = { readonly at?: string; readonly token?: string; readonly headers?: Readonly<Record<string, string>> }

/** Sends a snapshot: restores it, or does what is at the address (`-force`, `/inspect`). */
export async function sendSnapshot(
  app: TestApp,
  bytes: Buffer,
  { at = '', token = app.rootToken, headers = {} }: Sending = {},
): Promise<Pick<Answer, 'status' | 'body'>> {
  const answer = await fetch(`${app.url}${snapshotPath}${at}`, {
    method: 'POST',
    headers: { 'X-Service-Token': token, ...headers },
    body: new Uint8Array(bytes),
  })
  return { status: answer.status, body: await answer.json() }
}

/** The header that opens snapshots of this server elsewhere. */
export async function sealKeyHeader(app: TestApp): Promise<{ 'X-Holdfast-Seal-Key': string }> {
  return { 'X-Holdfast-Seal-Key': (await readFile(join(app.deps.settings.dataDir, 'seal.key'), 'utf8')).trim() }
}

/** Counts and digests of all tables, as a snapshot would hold them. */
export async function tableDigests(app: TestApp) {
  const taken = await takeArchive(app.deps)
  await taken.remove()
  return taken.summary.tables
}
