import type { Command } from 'commander'
import { CliFailure, type Io } from '../io.ts'
import { renderData, renderTable, renderValue } from '../output.ts'
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

/** `holdfast status`: whether the server is there and open. Ends with 2 when it is sealed. */
export function addStatus(program: Command, io: Io): void {
  withClientFlags(program.command('status'))
    .description('show whether the server is initialised and unsealed')
    .action(async (flags: ClientFlags) => {
      const client = clientFor(io, flags)
      const { body } = await client.call({ method: 'GET', path: '/v1/sys/seal-status' })
      const status: Record<string, unknown> = { address: client.connection.address.origin, ...Object(body) }
      const format = formatFor(io, flags)
      const known = rows.filter(([, key]) => status[key] !== undefined)
      const table = (): string =>
        renderTable(
          ['Key', 'Value'],
          known.map(([name, key]) => [name, renderValue(status[key])]),
        )
      io.out(format === 'table' ? table() : renderData(body, format))
      if (status.sealed === true) throw new CliFailure('The server is sealed.', 2)
    })
}
