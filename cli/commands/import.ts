import type { Command } from 'commander'
import { clientVariables } from '../../server/compat/vendor-names.ts'
import { createClient, TransientFailure } from '../connection/client.ts'
import { resolveConnection } from '../connection/server-connection.ts'
import { importOrganizations } from '../import/importer.ts'
import { makePatient } from '../import/patient-client.ts'
import { Report } from '../import/report.ts'
import { CliFailure, type Io } from '../io.ts'
import { renderData, renderTable } from '../output/formats.ts'
import { type ClientFlags, clientFor, formatFor, withClientFlags } from './context.ts'

type ImportFlags = ClientFlags & {
  from: string
  fromToken?: string
  fromCaCert?: string
  organization: string[]
  dryRun?: boolean
  update?: boolean
}

/** The variable that holds the token of the source, so that it need not be on the command line. */
const [sourceToken] = clientVariables.importToken

/** `holdfast import tfe`: copies organizations from another server of this API. */
export function addImport(program: Command, io: Io): void {
  const command = program.command('import').description('copy from another server')
  withClientFlags(command.command('tfe'))
    .description('copy organizations, projects, workspaces, variables, tags and current state; run again to resume')
    .requiredOption('--from <url>', 'address of the server to copy from')
    .option('--from-token <token>', `token for it (${sourceToken})`)
    .option('--from-ca-cert <file>', 'CA of its certificate')
    .option('--organization <name...>', 'only these organizations; by default all that the token can see', [])
    .option('--update', 'also overwrite settings and variables that differ here; otherwise they are only listed')
    .option('--dry-run', 'say what would be copied, and copy nothing')
    .action(async (flags: ImportFlags) => {
      const say = (line: string): void => io.err(`${line}\n`)
      const { dryRun = false, update = false } = flags
      const report = new Report(say, dryRun)
      const copy = {
        from: makePatient(sourceOf(io, flags), { name: 'the source', say }),
        to: makePatient(clientFor(io, flags), { name: 'the target', say }),
        dryRun,
        update,
        report,
      }
      await importOrganizations(copy, flags.organization).catch((thrown: unknown) => {
        if (thrown instanceof TransientFailure && report.counts().length > 0) show(io, flags, report)
        throw thrown
      })
      show(io, flags, report)
      if (report.failures > 0) {
        const what = `${report.failures} ${dryRun ? 'cannot' : 'could not'} be copied.`
        throw new CliFailure(`${what} Once the causes are fixed, run it again.`, 2)
      }
    })
}

function show(io: Io, flags: ImportFlags, report: Report): void {
  const format = formatFor(io, flags)
  const counts = report.counts()
  // What could not even begin was said already, and only that.
  if (format === 'table' && counts.length === 0) return
  const rows = counts.map(({ kind, copied, updated, there }) => [kind, ...[copied, updated, there].map(String)])
  const [made, changed] = flags.dryRun ? ['To copy', 'To update'] : ['Copied', 'Updated']
  const table = (): string => renderTable(['Kind', made, changed, 'Already there'], rows)
  // They would be lost among thousands of lines about copies.
  const notes = report.notes.map((note) => `! ${note}\n`).join('')
  io.out(format === 'table' ? `${table()}${notes}` : renderData({ counts, notes: report.notes }, format))
}

function sourceOf(io: Io, flags: ImportFlags) {
  const token = flags.fromToken ?? io.environment[sourceToken]
  if (!token) throw new CliFailure(`Give the token of the source with --from-token or ${sourceToken}.`)
  const caCert = flags.fromCaCert
  // Nothing about our own server may go to the source: neither its token nor a client certificate.
  const bare: Io = { ...io, environment: {}, home: '' }
  const connection = resolveConnection(bare, { address: flags.from, token, ...(caCert ? { caCert } : {}) })
  return createClient({ ...connection, otherServer: { name: 'The source', caFlag: '--from-ca-cert' } })
}
