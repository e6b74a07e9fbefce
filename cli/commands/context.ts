import type { Command } from 'commander'
import { clientVariables } from '../../server/compat/client-environment.ts'
import { type Client, createClient } from '../client.ts'
import { type ConnectionFlags, resolveConnection } from '../connection.ts'
import type { Io } from '../io.ts'
import { type Format, parseFormat } from '../output.ts'

/** Flags that every command which talks to a server has. */
export type ClientFlags = ConnectionFlags & { format?: string }

/** Adds those flags to a command. */
export const withClientFlags = (command: Command): Command =>
  command
    .option('--address <url>', 'address of the server (HOLDFAST_ADDR)')
    .option('--token <token>', 'token to call with (HOLDFAST_TOKEN, or the file of the last login)')
    .option('--ca-cert <file>', 'CA of the server certificate (HOLDFAST_CACERT)')
    .option('--client-cert <file>', 'client certificate, with its intermediates (HOLDFAST_CLIENT_CERT)')
    .option('--client-key <file>', 'key of the client certificate (HOLDFAST_CLIENT_KEY)')
    .option('--tls-skip-verify', 'do not check the server certificate (HOLDFAST_SKIP_VERIFY)')
    .option('--format <format>', 'table, json or yaml (HOLDFAST_FORMAT)')

/** A client for these flags. All of them are read first: what a call has made must not be lost to a misspelt format. */
export function clientFor(io: Io, flags: ClientFlags): Client {
  formatFor(io, flags)
  return createClient(resolveConnection(io, flags))
}

/** A client for work that takes as long as it takes; only a connection that breaks ends the wait. */
export const patientClient = (io: Io, flags: ClientFlags): Client =>
  createClient({ ...clientFor(io, flags).connection, timeoutMs: 0 })

/** Tells people that it is done. Machines, who asked for another format, read no sentences. */
export function tellDone(io: Io, flags: ClientFlags, sentence: string): void {
  if (formatFor(io, flags) === 'table') io.out(`${sentence}\n`)
}

/** The format these flags ask for. */
export function formatFor(io: Io, flags: ClientFlags): Format {
  const set = clientVariables.format.map((variable) => io.environment[variable]).find(Boolean)
  return parseFormat(flags.format ?? set ?? 'table')
}
