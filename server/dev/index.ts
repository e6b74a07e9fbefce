import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, isLoopback } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { type Failure, failure } from '../kernel/failure.ts'
import type { Ids } from '../kernel/ids.ts'
import { type Secret, secret } from '../kernel/secret.ts'
import type { DevFacts, DevSeed, DevSeedContext } from '../kit/feature.ts'
import {
  type DevJson,
  findOtherServer,
  readDevState,
  removeAnnouncement,
  writeAnnouncement,
  writeDevState,
} from './dev-state.ts'
import { type DevTlsFiles, devTlsFiles, ensureDevTls } from './dev-tls.ts'
import { ensurePrivateDirectory, removeTemporaryFiles } from './private-files.ts'

export { renderBanner } from './banner.ts'
export { type DevJson, findOtherServer, removeAnnouncement as withdrawDev } from './dev-state.ts'
export { devTlsFiles } from './dev-tls.ts'
export { ensurePrivateDirectory } from './private-files.ts'

/** What dev mode has before the server starts. */
export type DevSetup = { files: DevTlsFiles; rootToken: Secret<string>; context: Required<DevSeedContext> }

type DevDeps = { clock: Pick<Clock, 'now'>; ids: Ids; pid: number }
type DevConfig = Pick<Config, 'dataDir' | 'rootToken' | 'listeners' | 'baseUrl'>

/** Makes or finds the data directory, the certificates and the root token. Calling it again changes nothing. */
export async function prepareDev(deps: DevDeps, config: DevConfig): Promise<DevSetup> {
  const { dataDir } = config
  await ensurePrivateDirectory(dataDir)
  const other = await findOtherServer(dataDir, deps.pid)
  if (other) throw directoryTaken(dataDir, other)
  await removeAnnouncement(dataDir, deps.pid)
  for (const directory of [dataDir, join(dataDir, 'tls')]) await removeTemporaryFiles(directory)
  const files = await ensureDevTls(deps, dataDir, hostsOf(config))
  const previous = await readDevState(dataDir)
  const rootToken = config.rootToken?.reveal() ?? previous.root_token ?? `hfs.${deps.ids.text(24)}`
  if (rootToken !== previous.root_token) await writeDevState(dataDir, { ...previous, root_token: rootToken })
  const context = { dataDir, caCertificate: await readFile(files.caCert, 'utf8'), previous }
  return { files, rootToken: secret(rootToken), context }
}

function directoryTaken(dataDir: string, { address, http_address, pid }: Partial<DevJson>): Failure {
  const by = `the dev server at ${address ?? http_address} (process ${pid})`
  const advice = 'Stop that one, or give this one another directory with --data-dir and another address with --listen.'
  const text = `The data directory '${dataDir}' is already in use by ${by}. ${advice}`
  return failure('conflict', 'data-dir.taken', text)
}

/** The names in the server certificate: this machine, and what else is configured. */
function hostsOf({ listeners, baseUrl }: DevConfig): string[] {
  const own = ['localhost', '127.0.0.1', '::1']
  const published = baseUrl === undefined ? [] : [new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')]
  const bound = listeners.map(({ address }) => address.host).filter((host) => host !== '::' && host !== '0.0.0.0')
  const further = [...bound, ...published].filter((host) => !isLoopback(host))
  return [...new Set([...own, ...further])]
}

/** Runs the steps in order and saves what each made at once, so that an interrupted start loses no token. */
export async function runDevSeeds(setup: DevSetup, seeds: readonly DevSeed[]): Promise<Partial<DevFacts>> {
  let facts: Partial<DevFacts> = { ...setup.context.previous, root_token: setup.rootToken.reveal() }
  for (const seed of seeds) {
    facts = { ...facts, ...(await seed({ ...setup.context, previous: facts })) }
    await writeDevState(setup.context.dataDir, facts)
  }
  return facts
}

/** Where the server can be reached, as full URLs. */
export type ServerAddresses = { https?: string; http?: string; listeners?: readonly string[] }

/** The addresses as a program on this machine reaches them: a wildcard address can be listened on, but not called. */
export function reachableAddresses({ https, http, listeners }: ServerAddresses): ServerAddresses {
  const own = (url: string): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, '//127.0.0.1')
  return { https: https && own(https), http: http && own(http), listeners: listeners?.map(own) }
}

/** What `dev.json` is made from; the process id is that of the process to send signals to. */
export type Announcement = { facts: Partial<DevFacts>; addresses: ServerAddresses; pid: number }

/** Writes `dev.json`; from then on other programs may use the server. */
export async function announceDev(dataDir: string, { facts, addresses, pid }: Announcement): Promise<void> {
  const { caCert, clientCert, clientKey } = devTlsFiles(dataDir)
  await writeAnnouncement(dataDir, {
    address: addresses.https ?? null,
    http_address: addresses.http ?? null,
    ca_cert: caCert,
    client_cert: clientCert,
    client_key: clientKey,
    root_token: facts.root_token ?? null,
    organization: facts.organization ?? null,
    user_token: facts.user_token ?? null,
    pid,
  })
}
