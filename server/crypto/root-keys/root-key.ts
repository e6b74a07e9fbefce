import { Failure, failure } from '../../kernel/failure.ts'
import type { Ids } from '../../kernel/ids.ts'
import { type Secret, secret } from '../../kernel/secret.ts'
import { runKeyCommand } from './root-key-command.ts'
import { createKeyFile, readKeyFile } from './root-key-file.ts'

/** Where the root key of an auto seal comes from. */
export type RootKeySource =
  | { kind: 'file'; path: string }
  /** `name` is the setting that holds the value; failures mention it, never the value. */
  | { kind: 'value'; name: string; value: Secret<string> }
  /** A program and its arguments, which are passed on as they are. It prints the key as hex or base64. */
  | { kind: 'command'; command: readonly string[]; deadlineMs: number }

/** Length of a root key. */
export const rootKeyBytes = 32

/**
 * Fetches the root key. A missing key file is created only for a store that has no keyring yet: a new key for an old
 * store would open nothing and hide what was lost.
 */
export async function loadRootKey(
  deps: { ids: Pick<Ids, 'bytes' | 'hex'> },
  source: RootKeySource,
  store: { initialised: boolean },
): Promise<Secret<Buffer>> {
  return decodeRootKey(await keyText(deps, source, store), nameOfSource(source))
}

async function keyText(
  deps: { ids: Pick<Ids, 'bytes' | 'hex'> },
  source: RootKeySource,
  { initialised }: { initialised: boolean },
): Promise<string> {
  if (source.kind === 'value') return source.value.reveal()
  if (source.kind === 'command') return await runKeyCommand(source.command, source.deadlineMs)
  return (await readKeyFile(source.path)) ?? (await fillKeyFile(deps, source.path, initialised))
}

function nameOfSource(source: RootKeySource): string {
  if (source.kind === 'file') return `the file '${source.path}'`
  return source.kind === 'value' ? source.name : 'the seal key command'
}

/** Says where a key came from that opens another store than this one, and what to do; other failures stay as they are. */
export function withKeySource(source: RootKeySource, thrown: unknown): unknown {
  if (!(thrown instanceof Failure) || thrown.code !== 'keyring.wrong-root-key') return thrown
  const text =
    `The seal key from ${nameOfSource(source)} does not open this store. Put the key of this store there: ` +
    'the one that another node of this store uses, the one from your backup or, if a snapshot of another server was ' +
    'restored, the one of that server.'
  return failure('invalid', 'seal.root-key-foreign', text, { cause: thrown })
}

async function fillKeyFile(
  deps: { ids: Pick<Ids, 'bytes' | 'hex'> },
  path: string,
  initialised: boolean,
): Promise<string> {
  if (initialised) throw missingKeyFile(path)
  await createKeyFile(deps.ids, path, `${deps.ids.bytes(rootKeyBytes).toString('base64')}\n`)
  // Read back instead of returning what was drawn: another process may have been faster, and its key is then ours.
  const text = await readKeyFile(path)
  if (text === undefined) throw missingKeyFile(path)
  return text
}

/** Reads 32 bytes from 64 hex digits or from base64, padded or not. */
export function decodeRootKey(text: string, from: string): Secret<Buffer> {
  const trimmed = text.trim()
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return secret(Buffer.from(trimmed, 'hex'))
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)) return secret(Buffer.from(trimmed, 'base64'))
  throw failure(
    'invalid',
    'seal.root-key-malformed',
    `The seal key from ${from} is not ${rootKeyBytes} bytes in hex or base64.`,
  )
}

const missingKeyFile = (path: string): Error =>
  failure(
    'unavailable',
    'seal.root-key-missing',
    `The seal key file '${path}' is missing, but the store already has a keyring that only this key opens. ` +
      'Copy the file from another node of this store or from your backup, or restore it with the recovery key shown ' +
      'at initialisation: holdfast recover-seal-key --recovery-key FILE, and --config as for the server. ' +
      'To start without anything that is stored, move the old data directory away, or, with PostgreSQL, name an ' +
      'empty database; a node that should join others must not do this.',
  )
