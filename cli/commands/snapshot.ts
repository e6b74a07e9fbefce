import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { download, upload } from '../connection/archive-transfer.ts'
import type { Client } from '../connection/client.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure, fileFailure, type Io } from '../io.ts'
import { configurationVerbs } from '../nouns/snapshot-configuration.ts'
import { addVerbs } from '../nouns/verb-command.ts'
import { renderData, renderObject } from '../output/formats.ts'
import { renderPreview, renderWithTables } from '../output/snapshot-output.ts'
import { type ClientFlags, clientWithoutTimeout, formatFor, withClientFlags } from './context.ts'
import { addConfigurationCommands, storedPath, storedSnapshots } from './snapshot-configurations.ts'

const base = '/v1/sys/storage/raft/snapshot'

/** `holdfast snapshot`: saves, checks and restores everything a server keeps. */
export function addSnapshot(program: Command, io: Io): void {
  const snapshot = program.command('snapshot').description('save, check and restore everything the server keeps')
  addSave(snapshot, io)
  addRestore(snapshot, io)
  addInspectAndVerify(snapshot, io)
  addConfigurationCommands(snapshot, io)
  addVerbs(snapshot, io, { verbs: configurationVerbs })
}

function addSave(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('save'))
    .description('take a snapshot now, or fetch a stored one, and write it to a file')
    .argument('<file>', 'file to write; it must not exist')
    .option('--config <name>', 'fetch a stored snapshot of this configuration')
    .option('--name <snapshot>', 'which one; by default the newest')
    .action(async (file: string, flags: ClientFlags & { config?: string; name?: string }) => {
      if (file === '-')
        throw new CliFailure('A snapshot is saved to a file, which appears when it is complete. Name a file.')
      if (flags.name !== undefined && flags.config === undefined)
        throw new CliFailure('--name needs --config: it names a stored snapshot of a configuration.')
      const client = clientWithoutTimeout(io, flags)
      const open = async () => client.open({ method: 'GET', path: await sourceOf(client, flags) })
      show(io, flags, { ...(await download(io, open, resolve(io.directory, file))) })
    })
}

async function sourceOf(client: Client, { config, name }: { config?: string; name?: string }): Promise<string> {
  if (config === undefined) return base
  const chosen = name ?? (await storedSnapshots(client, config))[0]?.name
  if (chosen === undefined) throw new CliFailure(`No snapshot of '${config}' is stored.`)
  return storedPath(config, chosen)
}

type RestoreFlags = ClientFlags & {
  force?: boolean
  sealKey?: string
  recoveryKey?: string
  revokeTokens?: boolean
  preview?: boolean
  yes?: boolean
}

function addRestore(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('restore'))
    .description('replace everything the server keeps with a snapshot')
    .argument('<file>', 'the snapshot')
    .option('--force', 'accept a snapshot of another server')
    .option('--seal-key <file>', 'file with the seal key of that server, so that its secrets open here at once')
    .option('--recovery-key <file>', 'file with the recovery key of that server, instead of its seal key')
    .option('--revoke-tokens', 'revoke tokens that the restore would make valid again, except your own')
    .option('--preview', 'only show what would change')
    .option('--yes', 'do not ask; must be given where no terminal can answer')
    .action(async (file: string, flags: RestoreFlags) => {
      const client = clientWithoutTimeout(io, flags)
      const sent = { file: resolve(io.directory, file), headers: readKeys(io, flags) }
      const compare = () => upload(io, client, { ...sent, path: `${base}/preview`, label: 'Comparing' })
      if (!flags.preview)
        await confirm(io, flags.yes, async () => {
          const { data, warnings } = await compare()
          const replaced = `This replaces everything that ${client.connection.address.origin} keeps.`
          return [`${renderPreview(data)}\n${replaced}`, ...warnings.map((each) => `Warning: ${each}`)].join('\n')
        })
      const path = `${base}${flags.force ? '-force' : ''}${queryOf(flags)}`
      const restore = () => upload(io, client, { ...sent, path, label: 'Restoring' })
      const { data, warnings } = flags.preview
        ? await compare()
        : await restore().catch(async (thrown) => {
            throw await explained(client, thrown)
          })
      show(io, flags, data, flags.preview ? renderPreview : renderObject)
      for (const warning of warnings) io.err(`Warning: ${warning}\n`)
      if (flags.revokeTokens && data.tokens_revoked === false)
        throw new CliFailure('The snapshot is restored, but its tokens have not been revoked.', 2)
    })
}

const noRecordsHint = `  The snapshot is restored if the server's log says so. None of its audit devices can write records here, so the
  server answers every request with 500. Provide the folder or the collector that a device needs, or disable the device
  with 'holdfast disable-audit-device' on the machine of the server.`

/** Requests without an audit record are answered with a bare 500; a server after its restore may be in that state. */
async function explained(client: Client, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof CliFailure) || thrown.exitCode !== 2) return thrown
  const probe = await client.ask({ method: 'GET', path: '/readyz' }).catch(() => undefined)
  if (!String(probe?.body).includes('no audit device takes records')) return thrown
  return new CliFailure(`${thrown.message}\n${noRecordsHint}`, thrown.exitCode)
}

const queryOf = ({ revokeTokens }: RestoreFlags): string => (revokeTokens ? '?revoke_tokens=true' : '')

/** Keys are read from files, since other users can see the arguments of a process. */
function readKeys(io: Io, { sealKey, recoveryKey }: RestoreFlags): Record<string, string> {
  const read = (file: string): string => {
    const text = readText(resolve(io.directory, file), file)
    if (!/^[\x21-\x7e]+$/.test(text))
      throw new CliFailure(`The file ${file} holds no key: a key is one line of base64 or hex.`)
    return text
  }
  return {
    ...(sealKey === undefined ? {} : { 'x-holdfast-seal-key': read(sealKey) }),
    ...(recoveryKey === undefined ? {} : { 'x-holdfast-recovery-key': read(recoveryKey) }),
  }
}

function readText(path: string, named: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (thrown) {
    throw fileFailure(named, 'read', thrown)
  }
}

function addInspectAndVerify(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('inspect'))
    .description('read a snapshot from end to end and show what is in it')
    .argument('<file>', 'the snapshot')
    .action(async (file: string, flags: ClientFlags) => {
      const sent = { path: `${base}/inspect`, file: resolve(io.directory, file), label: 'Reading' }
      show(io, flags, (await upload(io, clientWithoutTimeout(io, flags), sent)).data, renderWithTables)
    })
  withClientFlags(snapshot.command('verify'))
    .description('restore a snapshot into a scratch database and compare; exits with 2 if it does not restore')
    .argument('<file>', 'the snapshot')
    .action(async (file: string, flags: ClientFlags) => {
      const sent = { path: `${base}/verify`, file: resolve(io.directory, file), label: 'Verifying' }
      const { data } = await upload(io, clientWithoutTimeout(io, flags), sent)
      show(io, flags, data, renderWithTables)
      if (data.ok !== true) throw new CliFailure(`The snapshot does not restore: ${String(data.problem)}`, 2)
    })
}

type Row = Record<string, unknown>

function show(io: Io, flags: ClientFlags, data: Row, render: (data: Row) => string = renderObject): void {
  const format = formatFor(io, flags)
  io.out(format === 'table' ? render(data) : renderData(data, format))
}
