import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { unmaskToken } from '../../server/crypto/token-mask.ts'
import { Failure } from '../../server/kernel/failure.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import type { Client } from '../connection/client.ts'
import { readSecret } from '../input/secret-input.ts'
import { CliFailure, fileFailure, type Io } from '../io.ts'
import { lineFor, renderData, renderTable } from '../output/formats.ts'
import { type ClientFlags, clientFor, formatFor, printDone, withClientFlags } from './context.ts'

type Flags = ClientFlags & {
  init?: boolean
  status?: boolean
  cancel?: boolean
  generateOtp?: boolean
  decode?: string
  otp?: string
  pgpKey?: string
  nonce?: string
}

type Status = { started: boolean; nonce: string; otp: string; otp_length: number; complete: boolean }

const attempt = '/v1/sys/generate-root/attempt'

/** `holdfast operator generate-root`: makes a root token from key shares, or from the recovery key. */
export function addOperator(program: Command, io: Io): void {
  const operator = program.command('operator').description('make a root token from key shares')
  withClientFlags(operator.command('generate-root'))
    .description('make a root token from the key shares of several holders, or from the recovery key')
    .argument('[key]', 'a key share to give, or - for standard input; asked for on a terminal')
    .option('--init', 'start, and show the one-time password that the token can be read with')
    .option('--otp <password>', 'with --init or --decode: a one-time password of your own, or the one that was shown')
    .option('--pgp-key <file>', 'with --init: a public PGP key, binary or in base64, to encrypt the token with')
    .option('--nonce <nonce>', 'the operation that the share is for, as --init has shown it')
    .option('--status', 'show how many shares were given')
    .option('--cancel', 'give it up')
    .option('--decode <token>', 'show the token behind an encoded one, or - for standard input')
    .option('--generate-otp', 'print a one-time password for --init')
    .action(async (key: string | undefined, flags: Flags) => await generateRoot(io, flags, key))
}

async function generateRoot(io: Io, flags: Flags, key: string | undefined): Promise<void> {
  const verbs = (['init', 'status', 'cancel', 'decode', 'generateOtp'] as const).filter((name) => flags[name])
  if (verbs.length + (key === undefined ? 0 : 1) > 1)
    throw new CliFailure('Give one of --init, --status, --cancel, --decode, --generate-otp and a key share.')
  if (flags.decode) return await decode(io, flags, flags.decode)
  const client = clientFor(io, flags)
  if (flags.cancel) {
    await client.call({ method: 'DELETE', path: attempt })
    printDone(io, flags, 'Cancelled, if it was started.')
  } else if (flags.generateOtp) io.out(lineFor(io, randomIds.text((await statusOf(client)).otp_length)))
  else if (flags.init) show(io, flags, await start(client, flags))
  else if (flags.status) show(io, flags, await statusOf(client))
  else show(io, flags, await giveShare(io, client, flags, key))
}

const statusOf = async (client: Client): Promise<Status> =>
  (await client.call({ method: 'GET', path: attempt })).body as Status

async function start(client: Client, { otp, pgpKey }: Flags): Promise<Status> {
  const body = { ...(otp ? { otp } : {}), ...(pgpKey ? { pgp_key: readPgpKey(pgpKey) } : {}) }
  return (await client.call({ method: 'PUT', path: attempt, body })).body as Status
}

function readPgpKey(file: string): string {
  const bytes = contentOf(file)
  const text = bytes.toString('latin1').trim()
  if (text.startsWith('-----BEGIN'))
    throw new CliFailure(`'${file}' is armored. Export the key without --armor: gpg --export NAME > FILE`)
  return /^[A-Za-z0-9+/=\s]+$/.test(text) ? text : bytes.toString('base64')
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(resolve(file))
  } catch (thrown) {
    throw fileFailure(file, 'read', thrown)
  }
}

/** Whoever types a share sees which operation it is for; a program has to say so. */
async function giveShare(io: Io, client: Client, flags: Flags, key: string | undefined): Promise<Status> {
  const isTyped = key === undefined && io.keyboard !== undefined
  if (!isTyped && !flags.nonce) throw new CliFailure('Name the operation that the share is for: --nonce NONCE')
  const status = await statusOf(client)
  if (!status.started)
    throw new CliFailure('No root token is being made. Start with: holdfast operator generate-root --init', 2)
  const nonce = flags.nonce ?? status.nonce
  if (isTyped) io.err(`Operation ${nonce}\n`)
  const share = key === undefined || key === '-' ? await readSecret(io, 'Key share') : key
  const body = { key: share.trim(), nonce }
  return (await client.call({ method: 'PUT', path: '/v1/sys/generate-root/update', body })).body as Status
}

async function decode(io: Io, { otp, ...flags }: Flags, encoded: string): Promise<void> {
  if (!otp) throw new CliFailure('Give the one-time password that --init has shown: --otp PASSWORD')
  const text = encoded === '-' ? (await io.readInput()).trim() : encoded
  const token = unmask(text, otp)
  const format = formatFor(io, flags)
  io.out(format === 'table' ? lineFor(io, token) : renderData({ token }, format))
}

function unmask(encoded: string, otp: string): string {
  try {
    return unmaskToken(encoded, otp)
  } catch (thrown) {
    throw thrown instanceof Failure ? new CliFailure(thrown.message) : thrown
  }
}

/** Older clients know the token by another name, and what is empty says nothing. */
function show(io: Io, flags: Flags, status: Status): void {
  const format = formatFor(io, flags)
  const rows = Object.entries(status)
    .filter(([name, value]) => value !== '' && name !== 'encoded_root_token')
    .map(([name, value]) => [name, String(value)])
  io.out(format === 'table' ? renderTable(['Key', 'Value'], rows) : renderData(status, format))
  if (status.otp) io.err('The one-time password is shown only now: without it, nobody can read the token.\n')
}
