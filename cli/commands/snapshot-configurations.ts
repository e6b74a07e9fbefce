import type { Command } from 'commander'
import { type Client, isEmptyAnswer } from '../connection/client.ts'
import { CliFailure, type Io } from '../io.ts'
import { argumentOf } from '../nouns/verb-command.ts'
import { renderData, renderObject, renderTable, renderValue } from '../output/formats.ts'
import { type ClientFlags, clientWithoutTimeout, formatFor, printDone, withClientFlags } from './context.ts'

const base = '/v1/sys/storage/raft/snapshot-auto'

type Row = Record<string, unknown>

const configurationArgument = (term: string) => argumentOf({ term, text: 'a configuration', names: 'snapshot-config' })

/** `holdfast snapshot list`, `run`, `check`, `pause` and `resume`: about configurations of automated snapshots. */
export function addConfigurationCommands(snapshot: Command, io: Io): void {
  addList(snapshot, io)
  addRun(snapshot, io)
  addCheck(snapshot, io)
  addPauseOrResume(snapshot, io, 'pause', 'take no more snapshots of a configuration; one in progress is cancelled')
  addPauseOrResume(snapshot, io, 'resume', 'take snapshots of a configuration again; at once if one is due')
}

function addList(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('list'))
    .description('list snapshot configurations, or the stored snapshots of one')
    .addArgument(configurationArgument('[config]'))
    .action(async (config: string | undefined, flags: ClientFlags) => {
      const client = clientWithoutTimeout(io, flags)
      const rows = config === undefined ? await configurations(client) : await storedSnapshots(client, config)
      const heads =
        config === undefined
          ? ['name', 'state', 'last_snapshot_end', 'last_verified_at', 'next_snapshot_start', 'error']
          : ['name', 'time', 'size']
      showRows(io, flags, heads, rows)
    })
}

async function configurations(client: Client): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name } of await fetchList(client, `${base}/config`)) {
    const { data } = (await client.call({ method: 'GET', path: `${base}/status/${encodeSegment(name)}` })).body as {
      data: Row
    }
    rows.push({ name, ...data, error: data.last_snapshot_error || data.last_verify_error })
  }
  return rows
}

/** The snapshots stored in the destination of a configuration, newest first. */
export const storedSnapshots = (client: Client, config: string): Promise<(Row & { readonly name: string })[]> =>
  fetchList(client, `${base}/snapshots/${encodeSegment(config)}`)

/** The path of a stored snapshot. */
export const storedPath = (config: string, name: string): string =>
  `${base}/snapshots/${encodeSegment(config)}/${encodeSegment(name)}`

const encodeSegment = encodeURIComponent

/** The entries of a list, with the facts about each; an empty list is answered without data. */
async function fetchList(client: Client, path: string): Promise<(Row & { readonly name: string })[]> {
  const call = { method: 'LIST', path }
  const answer = await client.ask(call)
  if (isEmptyAnswer(answer)) return []
  const { data } = client.requireSuccess(call, answer).body as {
    data: { keys: string[]; key_info?: Record<string, Row> }
  }
  return data.keys.map((name) => ({ ...data.key_info?.[name], name }))
}

/** The longest time that the server lets a call wait. */
const longestWait = '1h'

function addRun(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('run'))
    .description(
      'take a snapshot of a configuration now, wait until it is stored and verified; exits with 2 if it fails',
    )
    .addArgument(configurationArgument('<config>'))
    .action(async (config: string, flags: ClientFlags) => {
      const path = `${base}/run/${encodeSegment(config)}`
      const { status, body } = await clientWithoutTimeout(io, flags).call({
        method: 'POST',
        path,
        body: { wait: longestWait, wait_for_verification: true },
      })
      const { data } = body as { data: Row }
      const format = formatFor(io, flags)
      io.out(format === 'table' ? renderObject(data) : renderData(data, format))
      const problem = problemOf(status, data)
      if (problem !== '') throw new CliFailure(problem, 2)
    })
}

/** Why the result of a run is not a snapshot to rely on; empty when it is one. */
function problemOf(status: number, { end, error, verify_error: verifyError }: Row): string {
  if (error) return `No snapshot was taken: ${String(error)}`
  if (verifyError) return `The snapshot was stored, but it is not verified: ${String(verifyError)}`
  if (status !== 202) return ''
  if (end) return `It is stored and still being verified; 'holdfast snapshot list' shows the result.`
  return `It is still running; 'holdfast snapshot list' shows when it has ended.`
}

type Right = { allowed: boolean; right: string; error: string }
type Report = { ok: boolean; rights: Record<string, Right> }

function addCheck(snapshot: Command, io: Io): void {
  withClientFlags(snapshot.command('check'))
    .description('test the destination of a configuration; exits with 2 if snapshots cannot be kept there')
    .addArgument(configurationArgument('<config>'))
    .action(async (config: string, flags: ClientFlags) => {
      const path = `${base}/check/${encodeSegment(config)}`
      const { body } = await clientWithoutTimeout(io, flags).call({ method: 'POST', path, body: {} })
      const { ok, rights } = (body as { data: Report }).data
      const rows = Object.entries(rights).map(([to, report]) => ({ to, ...report }))
      showRows(io, flags, ['to', 'allowed', 'right', 'error'], rows)
      if (!ok) throw new CliFailure(`The destination cannot be used as it is.${reasonsIn(Object.values(rights))}`, 2)
    })
}

/** One line for each thing that is wrong: a destination that does not answer lacks no permission. */
function reasonsIn(rights: readonly Right[]): string {
  const failed = Map.groupBy(
    rights.filter(({ allowed }) => !allowed),
    ({ error }) => error,
  )
  return [...failed].map(([error, each]) => `\n  ${each.map(({ right }) => right).join(', ')}: ${error}`).join('')
}

function addPauseOrResume(snapshot: Command, io: Io, verb: 'pause' | 'resume', description: string): void {
  withClientFlags(snapshot.command(verb))
    .description(description)
    .addArgument(configurationArgument('<config>'))
    .action(async (config: string, flags: ClientFlags) => {
      await clientWithoutTimeout(io, flags).call({
        method: 'POST',
        path: `${base}/${verb}/${encodeSegment(config)}`,
        body: {},
      })
      printDone(io, flags, `${verb === 'pause' ? 'Paused' : 'Resumed'}: ${config}`)
    })
}

function showRows(io: Io, flags: ClientFlags, heads: readonly string[], rows: readonly Row[]): void {
  const format = formatFor(io, flags)
  const cells = rows.map((row) => heads.map((head) => renderValue(row[head])))
  io.out(format === 'table' ? renderTable(heads, cells) : renderData(rows, format))
}
