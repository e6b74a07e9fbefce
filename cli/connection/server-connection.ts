import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clientVariables } from '../../server/compat/vendor-names.ts'
import { parseSeconds } from '../../server/kernel/duration.ts'
import { CliFailure, fileFailure, type Io } from '../io.ts'

/** A dev server of this user that runs now. */
type DevServer = {
  address: string
  caCert: string
  clientCert: string
  clientKey: string
  rootToken: string | undefined
}

/**
 * Finds the dev server whose data directory is here. A file that somebody else could have put there is not trusted: it
 * must belong to this user alone, and name an address of this machine.
 */
function findDevServer(io: Pick<Io, 'environment' | 'directory'>): DevServer | undefined {
  const path = join(io.environment.HOLDFAST_DATA_DIR || join(io.directory, 'data'), 'dev.json')
  const facts = isPrivateToUser(path) ? readFacts(path) : undefined
  const address = facts?.address ?? facts?.http_address
  if (!facts || !address || !/^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/.test(address)) return undefined
  return {
    address,
    caCert: facts.ca_cert ?? '',
    clientCert: facts.client_cert ?? '',
    clientKey: facts.client_key ?? '',
    rootToken: facts.root_token ?? undefined,
  }
}

function isPrivateToUser(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || process.platform === 'win32') return found !== undefined
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

function readFacts(path: string): Partial<Record<string, string | null>> | undefined {
  try {
    const facts: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof facts === 'object' && facts !== null ? (facts as Record<string, string | null>) : undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** What flags may say about the connection. */
export type ConnectionFlags = {
  address?: string
  token?: string
  caCert?: string
  clientCert?: string
  clientKey?: string
  tlsSkipVerify?: boolean
}

/** Where to connect, and as whom. */
export type Connection = {
  address: URL
  token: string | undefined
  /** The file that the token was read from, if it was not given in another way. */
  tokenFile?: string
  /** The variables that named the address and the token, unless flags did. */
  addressVariable?: string
  tokenVariable?: string
  ca: Buffer | undefined
  cert: Buffer | undefined
  key: Buffer | undefined
  skipVerify: boolean
  timeoutMs: number
  /** Words for a server that is not the one commands are about. */
  otherServer?: { readonly name: string; readonly caFlag: string }
}

type PemName = 'caCert' | 'clientCert' | 'clientKey'

const defaultAddress = 'https://127.0.0.1:8200'
const defaultTimeoutMs = 60_000

type VariableName = keyof typeof clientVariables
type WithEnvironment = Pick<Io, 'environment'>

/** The first spelling of a variable that is set; an empty one counts as not set. */
export const spellingOf = ({ environment }: WithEnvironment, name: VariableName): string | undefined =>
  clientVariables[name].find((spelling) => Boolean(environment[spelling]))

/** The value of a variable in the first of its spellings that is set. */
export const variableOf = (io: WithEnvironment, name: VariableName): string | undefined =>
  io.environment[spellingOf(io, name) ?? '']

/** Determines the connection: from flags, then variables, then the token file, then a dev server that runs here. */
export function resolveConnection(io: Io, flags: ConnectionFlags): Connection {
  const named = flags.address ?? variableOf(io, 'address')
  const dev = devServerFor(io, named)
  const given = (name: PemName): string | undefined => flags[name] ?? variableOf(io, name)
  // A certificate needs its own key: if only one of them is given, the dev server's must not be used for the other.
  const isPairNamed = (['clientCert', 'clientKey'] as const).some(given)
  const file = (name: PemName): Buffer | undefined => {
    const path = given(name) ?? (name !== 'caCert' && isPairNamed ? undefined : dev?.[name])
    return path ? readPem(path, name === 'clientKey' ? 'key' : 'certificate') : undefined
  }
  const token = flags.token ?? variableOf(io, 'token')
  const stored = token === undefined ? readTokenFile(io) : undefined
  return {
    address: parseAddress(named ?? dev?.address ?? defaultAddress),
    token: token ?? stored ?? dev?.rootToken,
    ...(stored !== undefined && { tokenFile: tokenFile(io) }),
    ...variableNames(io, flags),
    ca: file('caCert'),
    cert: file('clientCert'),
    key: file('clientKey'),
    skipVerify: flags.tlsSkipVerify ?? /^(?:1|true)$/i.test(variableOf(io, 'skipVerify') ?? ''),
    timeoutMs: timeoutOf(variableOf(io, 'timeout')),
  }
}

/** For messages: users forget what their profile sets. */
function variableNames(
  io: WithEnvironment,
  flags: ConnectionFlags,
): Pick<Connection, 'addressVariable' | 'tokenVariable'> {
  const address = flags.address === undefined ? spellingOf(io, 'address') : undefined
  const token = flags.token === undefined ? spellingOf(io, 'token') : undefined
  return { ...(address && { addressVariable: address }), ...(token && { tokenVariable: token }) }
}

/** Zero means waiting for an answer without a time-out. */
function timeoutOf(text: string | undefined): number {
  if (text === undefined) return defaultTimeoutMs
  const seconds = parseSeconds(text)
  if (seconds === undefined) {
    throw new CliFailure(`'${text}' in ${clientVariables.timeout[0]} is not a duration. Write it as 60s or 5m.`)
  }
  return seconds * 1000
}

/** A dev server is used only if no other address was given. */
function devServerFor(io: Io, named: string | undefined): DevServer | undefined {
  const dev = findDevServer(io)
  if (named === undefined) return dev
  return dev && URL.canParse(named) && new URL(named).origin === new URL(dev.address).origin ? dev : undefined
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new CliFailure(`'${text}' is not an address. Write it as https://host:8200.`)
}

const pemPatterns = {
  certificate: /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/,
  key: /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
}

/**
 * A file without the expected content would be ignored silently, and the server would then be reported as untrusted.
 */
function readPem(path: string, what: keyof typeof pemPatterns): Buffer {
  const bytes = readBytes(path)
  if (!pemPatterns[what].test(bytes.toString('latin1')))
    throw new CliFailure(`The file ${path} contains no ${what} as PEM.`)
  return bytes
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (thrown) {
    throw fileFailure(path, 'read', thrown)
  }
}

/** Where the token of the last login is stored. */
export const tokenFile = (io: Pick<Io, 'environment' | 'home'>): string =>
  io.environment[clientVariables.tokenFile[0]] || join(io.home, '.holdfast-token')

/** The token of the last login, if one is stored. */
export function readTokenFile(io: Io): string | undefined {
  const file = tokenFile(io)
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw fileFailure(file, 'read', thrown)
  }
}
