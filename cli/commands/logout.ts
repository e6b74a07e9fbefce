import { rmSync, truncateSync } from 'node:fs'
import type { Command } from 'commander'
import { createClient } from '../connection/client.ts'
import { readTokenFile, tokenFile } from '../connection/server-connection.ts'
import { fileFailure, type Io } from '../io.ts'
import { type ClientFlags, clientFor, printDone, warnOfTokenVariable, withClientFlags } from './context.ts'

/** `holdfast logout`: removes the token of the last login from this machine. */
export function addLogout(program: Command, io: Io): void {
  withClientFlags(program.command('logout'))
    .description('remove the token of the last login from this machine')
    .option('--revoke', 'also end the token, and those created with it, on the server')
    .action(async (flags: ClientFlags & { revoke?: boolean }) => {
      const file = tokenFile(io)
      const token = readTokenFile(io)
      if (token !== undefined) {
        if (flags.revoke) await revoke(io, flags, token)
        removeToken(file)
      }
      printDone(io, flags, token === undefined ? `No token is kept in ${file}.` : `The token in ${file} was removed.`)
      warnOfTokenVariable(io)
    })
}

async function revoke(io: Io, flags: ClientFlags, token: string): Promise<void> {
  const { connection } = clientFor(io, flags)
  const client = createClient({ ...connection, token, tokenFile: tokenFile(io) })
  await client.call({ method: 'POST', path: '/v1/auth/token/revoke-self', body: {} })
}

/** Emptied first: what is removed may be just a link to the file. */
function removeToken(file: string): void {
  try {
    truncateSync(file)
    rmSync(file)
  } catch (thrown) {
    throw fileFailure(file, 'written', thrown)
  }
}
