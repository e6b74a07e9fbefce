import type { Command } from 'commander'
import { type Client, foreignServer } from '../connection/client.ts'
import { CliFailure, type Io } from '../io.ts'
import { renderData, renderTable, renderValue } from '../output/formats.ts'
import { type ClientFlags, clientFor, formatFor, withClientFlags } from './context.ts'

const rows = [
  ['Address', 'address'],
  ['Seal type', 'type'],
  ['Initialized', 'initialized'],
  ['Sealed', 'sealed'],
  ['Key shares', 'n'],
  ['Threshold', 't'],
  ['Unseal progress', 'progress'],
  ['Version', 'holdfast_version'],
  ['Cluster', 'cluster_name'],
] as const

/** `holdfast status`: whether the server can be reached and is unsealed. Exits with 2 only if it is sealed. */
export function addStatus(program: Command, io: Io): void {
  withClientFlags(program.command('status'))
    .description('show whether the server is initialised and unsealed; exits with 2 if it is sealed, 1 on any error')
    .action(async (flags: ClientFlags) => {
      const client = clientFor(io, flags)
      const body = await fetchStatus(client).catch((thrown: unknown) => {
        throw thrown instanceof CliFailure ? new CliFailure(thrown.message) : thrown
      })
      const status: Record<string, unknown> = { address: client.connection.address.origin, ...body }
      const format = formatFor(io, flags)
      const known = rows.filter(([, key]) => status[key] !== undefined)
      const table = (): string =>
        renderTable(
          ['Key', 'Value'],
          known.map(([name, key]) => [name, renderValue(status[key])]),
        )
      io.out(format === 'table' ? table() : renderData(body, format))
      if (status.sealed === true) throw new CliFailure(sealedText(status), 2)
    })
}

async function fetchStatus(client: Client): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await client.call({ method: 'GET', path: '/v1/sys/seal-status' })
  if (typeof Object(body).sealed !== 'boolean') throw foreignServer(client.connection)
  return Object(body)
}

/** What a server needs before it can answer requests. */
function sealedText({ initialized, type, t, progress }: Record<string, unknown>): string {
  if (initialized === false) {
    return "The server is not initialised. Create its keys with 'holdfast write sys/init secret_shares=5 secret_threshold=3'."
  }
  if (type !== 'shamir') return 'The server is sealed. With its seal key in place, a restart unseals it.'
  const missing = Number(t) - Number(progress)
  return `The server is sealed. It needs ${missing} more of its key shares: 'holdfast write sys/unseal key=-' reads one.`
}
