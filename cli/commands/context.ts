import { type Command, Option } from 'commander'
import { type Client, createClient } from '../connection/client.ts'
import { type ConnectionFlags, resolveConnection, spellingOf, variableOf } from '../connection/server-connection.ts'
import type { Io } from '../io.ts'
import { type Format, formats, parseFormat } from '../output/formats.ts'

/** Flags of every command that talks to a server. */
export type ClientFlags = ConnectionFlags & { format?: string; json?: boolean }

/** Adds those flags to a command. */
export const withClientFlags = (command: Command): Command =>
  command
    .option('--address <url>', 'address of the server (HOLDFAST_ADDR)')
    .option('--token <token>', 'token to call with (HOLDFAST_TOKEN, or the file of the last login)')
    .option('--ca-cert <file>', 'CA of the server certificate (HOLDFAST_CACERT)')
    .option('--client-cert <file>', 'client certificate, with its intermediates (HOLDFAST_CLIENT_CERT)')
    .option('--client-key <file>', 'key of the client certificate (HOLDFAST_CLIENT_KEY)')
    .option('--tls-skip-verify', 'do not check the server certificate (HOLDFAST_SKIP_VERIFY)')
    .addOption(withKnownValues(new Option('--format <format>', 'how to print (HOLDFAST_FORMAT)'), formats))
    .option('--json', 'the same as --format json')

/** An option whose values are shown in its help and completed; whoever reads it checks them. */
export function withKnownValues(option: Option, values: readonly string[]): Option {
  option.argChoices = [...values]
  return option
}

/**
 * A client for these flags. All of them are checked first: the result of a call must not be lost to a misspelt format.
 */
export function clientFor(io: Io, flags: ClientFlags): Client {
  formatFor(io, flags)
  return createClient(resolveConnection(io, flags))
}

/** A client for work of unknown duration, without a time-out; only a broken connection ends the wait. */
export const clientWithoutTimeout = (io: Io, flags: ClientFlags): Client =>
  createClient({ ...clientFor(io, flags).connection, timeoutMs: 0 })

/** Prints that the command is done; not in other formats, which programs read. */
export function printDone(io: Io, flags: ClientFlags, sentence: string): void {
  if (formatFor(io, flags) === 'table') io.out(`${sentence}\n`)
}

/** A token in the environment counts, whatever is stored. */
export function warnOfTokenVariable(io: Io): void {
  const name = spellingOf(io, 'token')
  if (name) io.err(`Warning: commands still use the token in ${name}, until it is unset.\n`)
}

/** The format these flags ask for. */
export const formatFor = (io: Io, flags: ClientFlags): Format =>
  parseFormat(flags.format ?? (flags.json ? 'json' : (variableOf(io, 'format') ?? 'table')))
