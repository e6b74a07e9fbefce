import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { download, upload } from '../archive-transfer.ts'
import { type Client, createClient, isNothing } from '../client.ts'
import { CliFailure, fileFailure, type Io } from '../io.ts'
import { renderData, renderObject, renderTable, renderValue } from '../output.ts'
import { renderPreview, renderWithTables } from '../snapshot-output.ts'
import { type ClientFlags, clientFor, formatFor, withClientFlags } from './context.ts'

const base = '/v1/sys/storage/raft/snapshot'

/** A snapshot takes as long as it takes; only a connection that breaks ends the wait. */
const patientClient = (io: Io, flags: ClientFlags): Client =>
  createClient({ ...clientFor(io, flags).connection, timeoutMs: 0 })

/** `holdfast snapshot`: saves, checks and restores everything a server keeps. */
export function addSnapshot(program: Command, io: Io): void {
  const snapshot = program.command('snapshot').description('save, check and restore everything the server keeps')
  addSave(snapshot, io)
  addRestore(snapshot, io)
  addLooks(snapshot, io)
  addList(snapshot, io)
}

function addSave(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('save'))
    .description('take a snapshot now, or fetch a stored one, and write it to a file')
    .argument('<file>', 'file to write; it must not exist')
    .option('--config <name>', 'fetch a stored snapshot of this configuration')
    .option('--name <snapshot>', 'which one; the newest unless told')
    .action(async (file: string, flags: ClientFlags & { config?: string; name?: string }) => {
      const client = patientClient(io, flags)
      const open = async () => client.open({ method: 'GET', path: await sourceOf(client, flags) })
      show(io, flags, { ...(await download(io, open, resolve(io.directory, file))) })
    })
}

async function sourceOf(client: Client, { config, name }: { config?: string; name?: string }): Promise<string> {
  if (config === undefined) return base
  const stored = `${base}-auto/snapshots/${encodeURIComponent(config)}`
  const chosen = name ?? (await client.call({ method: 'LIST', path: stored }).then(({ body }) => keysOf(body)[0]))
  if (chosen === undefined) throw new CliFailure(`No snapshot of '${config}' is stored.`)
  return `${stored}/${encodeURIComponent(chosen)}`
}

type RestoreFlags = ClientFlags & {
  force?: boolean
  sealKey?: string
  recoveryKey?: string
  revokeTokens?: boolean
  preview?: boolean
}

function addRestore(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('restore'))
    .description('replace everything the server keeps by a snapshot')
    .argument('<file>', 'the snapshot')
    .option('--force', 'also take a snapshot of another server')
    .option('--seal-key <file>', 'file with the seal key of that server, so that its secrets open here at once')
    .option('--recovery-key <file>', 'file with the recovery key of that server, in place of its seal key')
    .option('--revoke-tokens', 'end tokens that would come back to life')
    .option('--preview', 'only show what would change')
    .action(async (file: string, flags: RestoreFlags) => {
      const client = patientClient(io, flags)
      const sent = { file: resolve(io.directory, file), label: flags.preview ? 'Comparing' : 'Restoring' }
      const path = flags.preview ? `${base}/preview` : `${base}${flags.force ? '-force' : ''}${queryOf(flags)}`
      const { data, warnings } = await upload(io, client, { ...sent, path, headers: keysFrom(io, flags) })
      show(io, flags, data, flags.preview ? renderPreview : renderObject)
      for (const warning of warnings) io.err(`Warning: ${warning}\n`)
    })
}

const queryOf = ({ revokeTokens }: RestoreFlags): string => (revokeTokens ? '?revoke_tokens=true' : '')

/** Keys are read from files, since arguments of a process can be seen by others. */
function keysFrom(io: Io, { sealKey, recoveryKey }: RestoreFlags): Record<string, string> {
  const read = (file: string): string => {
    try {
      return readFileSync(resolve(io.directory, file), 'utf8').trim()
    } catch (thrown) {
      throw fileFailure(file, 'read', thrown)
    }
  }
  return {
    ...(sealKey === undefined ? {} : { 'x-holdfast-seal-key': read(sealKey) }),
    ...(recoveryKey === undefined ? {} : { 'x-holdfast-recovery-key': read(recoveryKey) }),
  }
}

function addLooks(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('inspect'))
    .description('read a snapshot from end to end and show what is in it')
    .argument('<file>', 'the snapshot')
    .action(async (file: string, flags: ClientFlags) => {
      const sent = { path: `${base}/inspect`, file: resolve(io.directory, file), label: 'Reading' }
      show(io, flags, (await upload(io, patientClient(io, flags), sent)).data, renderWithTables)
    })
  withClientFlags(snapshot.command('verify'))
    .description('restore a snapshot into a scratch database and compare; ends with 2 when it does not restore')
    .argument('<file>', 'the snapshot')
    .action(async (file: string, flags: ClientFlags) => {
      const sent = { path: `${base}/verify`, file: resolve(io.directory, file), label: 'Verifying' }
      const { data } = await upload(io, patientClient(io, flags), sent)
      show(io, flags, data, renderWithTables)
      if (data.ok !== true) throw new CliFailure(`The snapshot does not restore: ${String(data.problem)}`, 2)
    })
}

function addList(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('list'))
    .description('list snapshot configurations, or the stored snapshots of one')
    .argument('[config]', 'a configuration')
    .action(async (config: string | undefined, flags: ClientFlags) => {
      const client = patientClient(io, flags)
      const rows = config === undefined ? await configurations(client) : await stored(client, config)
      const format = formatFor(io, flags)
      const heads =
        config === undefined
          ? ['name', 'state', 'last_snapshot_end', 'last_verified_at', 'next_snapshot_start', 'error']
          : ['name', 'time', 'size']
      const cells = rows.map((row) => heads.map((head) => renderValue(row[head])))
      io.out(format === 'table' ? renderTable(heads, cells) : renderData(rows, format))
    })
}

async function configurations(client: Client): Promise<Row[]> {
  const listing = { method: 'LIST', path: `${base}-auto/config` }
  const answer = await client.ask(listing)
  if (isNothing(answer)) return []
  const rows: Row[] = []
  for (const name of keysOf(client.accept(listing, answer).body)) {
    const path = `${base}-auto/status/${encodeURIComponent(name)}`
    const { data } = (await client.call({ method: 'GET', path })).body as { data: Row }
    rows.push({ name, ...data, error: data.last_snapshot_error || data.last_verify_error })
  }
  return rows
}

async function stored(client: Client, config: string): Promise<Row[]> {
  const path = `${base}-auto/snapshots/${encodeURIComponent(config)}`
  const { body } = await client.call({ method: 'LIST', path })
  const { data } = body as { data: { keys: string[]; key_info?: Record<string, Row> } }
  return data.keys.map((name) => ({ name, ...data.key_info?.[name] }))
}

const keysOf = (body: unknown): string[] => (Object(body) as { data?: { keys?: string[] } }).data?.keys ?? []

type Row = Record<string, unknown>

function show(io: Io, flags: ClientFlags, data: Row, render: (data: Row) => string = renderObject): void {
  const format = formatFor(io, flags)
  io.out(format === 'table' ? render(data) : renderData(data, format))
}
