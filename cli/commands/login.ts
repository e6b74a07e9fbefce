import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { tokenFile, variableOf } from '../connection/server-connection.ts'
import { fileFailure, type Io } from '../io.ts'
import { lineFor, renderData, renderTable, renderValue } from '../output/formats.ts'
import { clientFor, formatFor, warnOfTokenVariable, withClientFlags, withKnownValues } from './context.ts'
import { type Auth, type LoginFlags, loginMethods, methodFor } from './login-methods.ts'

type Flags = LoginFlags & { method?: string; store: boolean; tokenOnly?: boolean }

const names = loginMethods.map(({ name }) => name)

/** `holdfast login`: by client certificate or with a token; the token is kept for the commands that follow. */
export function addLogin(program: Command, io: Io): void {
  withClientFlags(program.command('login'))
    .description('log in with the client certificate, or with a token')
    .argument(
      '[fields...]',
      'the token to log in with, or - for standard input; else fields of the login such as name=web',
    )
    .addOption(withKnownValues(new Option('--method <method>', 'by default token if one is given, else cert'), names))
    .option('--path <mount>', 'where the method is mounted; by default the name of the method')
    .option('--name <role>', 'role to log in with; by default all are tried')
    .option('--no-store', 'print the token but do not store it')
    .option('--token-only', 'print nothing but the token, and do not store it')
    .action(async (words: string[], flags: Flags) => {
      const call = { io, client: clientFor(io, flags), words, flags }
      const auth = await methodFor(flags.method, call).login(call)
      io.out(renderAuth(io, auth, flags))
      if (!flags.store || flags.tokenOnly) return
      storeToken(tokenFile(io), auth.client_token)
      io.err(`The token is kept in ${tokenFile(io)}.\n`)
      if (variableOf(io, 'token') !== auth.client_token) warnOfTokenVariable(io)
    })
}

/** Whatever mode the file had, only its owner may read it before the token is in it; a device keeps its mode. */
function storeToken(path: string, token: string): void {
  try {
    const file = openSync(path, 'w', 0o600)
    try {
      if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
      writeFileSync(file, token)
    } finally {
      closeSync(file)
    }
  } catch (thrown) {
    throw fileFailure(path, 'written', thrown)
  }
}

function renderAuth(io: Io, auth: Auth, flags: Flags): string {
  const format = formatFor(io, flags)
  if (flags.tokenOnly) return lineFor(io, auth.client_token)
  if (format !== 'table') return renderData({ auth }, format)
  return renderTable(
    ['Key', 'Value'],
    [
      ['token', auth.client_token],
      ['token_accessor', auth.accessor],
      ['token_duration', `${auth.lease_duration}s`],
      ['token_renewable', String(auth.renewable)],
      ['token_policies', renderValue(auth.token_policies ?? [])],
    ],
  )
}
