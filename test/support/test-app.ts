import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type App, buildApp } from '../../server/app.ts'
import { Keyring } from '../../server/crypto/keyring.ts'
import { createPasswords } from '../../server/crypto/passwords.ts'
import { createClientIdentifier, type ProxyTrust } from '../../server/http/client-identity.ts'
import { defaultHttpLimits, type HttpLimits } from '../../server/http/limits.ts'
import { defaultListenerLimits, openListener } from '../../server/http/listener/index.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { type Log, silentLog } from '../../server/kernel/log.ts'
import { secret } from '../../server/kernel/secret.ts'
import type { Settings } from '../../server/kit/app-settings.ts'
import type { Deps } from '../../server/kit/deps.ts'
import type { Feature } from '../../server/kit/feature.ts'
import { createOutbound, type OutboundSettings } from '../../server/outbound/fetch.ts'
import { features as allFeatures } from '../../server/product/index.ts'
import { version } from '../../server/version.ts'
import { withCheckedReplies } from './checked-replies.ts'
import { type Client, type ClientIdentityFiles, testClient } from './client.ts'
import { type TestClock, testClock } from './clock.ts'
import { type Engine, type TestStore, testStore } from './databases.ts'
import { temporaryFolder } from './folders.ts'

/** How a test wants its server. */
export type TestAppOptions = {
  readonly engine?: Engine
  readonly settings?: Partial<Settings>
  readonly features?: readonly Feature[]
  readonly clock?: TestClock
  readonly limits?: Partial<HttpLimits>
  readonly log?: Log
  /** Addresses that may or may not be called. */
  readonly outbound?: Partial<OutboundSettings>
  /** Server certificate and key as PEM: opens an HTTPS listener beside the plain one. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly runJobs?: boolean
  /** Which proxies each listener (`http`, `https`) trusts; by default none. */
  readonly proxies?: ReadonlyMap<string, ProxyTrust>
  /** Runs on the data of this one, as another node or after a restart; to be closed before it. */
  readonly beside?: TestApp
  readonly requireRequestHeader?: boolean
}

/** A server of its own for one test or file, on a random port of the loopback. */
export type TestApp = {
  readonly app: App
  readonly deps: Deps
  readonly clock: TestClock
  readonly url: string
  readonly httpsUrl: string
  readonly rootToken: string
  /** The data, which outlives the server. */
  readonly data: { readonly store: TestStore; readonly directory: string }
  /** A caller without a token. */
  readonly anonymous: Client
  /** A caller with the root token. */
  readonly root: Client
  /** A caller over TLS, with or without a client certificate. */
  overTls(identity: ClientIdentityFiles, token?: string): Client
  close(): Promise<void>
}

/** The real cost of a password hash is tested in server/crypto/passwords.test.ts; elsewhere it would only cost time. */
const cheapPasswordCost = { costBits: 10, blockSize: 8, lanes: 1 }

/** Starts a server: real store, real keyring, real listener; the clock is the test's. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside } = options
  const directory = beside?.data.directory ?? temporaryFolder()
  const clock = options.clock ?? beside?.clock ?? testClock()
  const data = beside?.data.store ?? (await testStore(options.engine ?? 'sqlite', { clock }))
  const rootToken = options.settings?.rootToken?.reveal() ?? beside?.rootToken ?? `root-${randomIds.text(24)}`
  const app = await buildApp(
    {
      settings: { ...testSettings(directory), rootToken: secret(rootToken), ...options.settings },
      store: beside ? await data.openAnother({ clock }) : data.store,
      keyring: new Keyring({ clock, ids: randomIds }),
      passwords: createPasswords(randomIds, cheapPasswordCost),
      clock,
      ids: randomIds,
      log: options.log ?? silentLog,
      outbound: createOutbound({ clock, denyLoopback: options.settings?.mode === 'server', ...options.outbound }),
      limits: { ...defaultHttpLimits, ...options.limits },
      identify: createClientIdentifier(options.proxies ?? new Map()),
      needsRequestHeader: () => options.requireRequestHeader ?? false,
      runJobs: options.runJobs ?? false,
    },
    (options.features ?? allFeatures).map(withCheckedReplies),
  )
  const { url, httpsUrl, closeListeners } = await listen(app, options.tls)
  const clients: Client[] = []
  const kept = (client: Client): Client => {
    clients.push(client)
    return client
  }
  return {
    app,
    deps: app.deps,
    clock,
    url,
    httpsUrl,
    rootToken,
    data: { store: data, directory },
    anonymous: kept(testClient({ url })),
    root: kept(testClient({ url, token: rootToken })),
    overTls: (identity, token) => kept(testClient({ url: httpsUrl, identity, ...(token ? { token } : {}) })),
    close: async () => {
      app.drain()
      for (const client of clients) client.close()
      await closeListeners()
      await app.close()
      if (beside) return
      await data.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function listen(app: App, certificate: TestAppOptions['tls']) {
  const on = { host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const plain = await openListener({ ...on, name: 'http' }, app.handle)
  const tls = certificate && { ...certificate, clientCertificate: 'request' as const }
  const secure = tls && (await openListener({ ...on, name: 'https', tls }, app.handle))
  return {
    url: `http://127.0.0.1:${plain.address.port}`,
    httpsUrl: secure ? `https://127.0.0.1:${secure.address.port}` : '',
    closeListeners: () => Promise.all([plain.close(500), secure?.close(500)]),
  }
}

const testSettings = (directory: string): Settings => ({
  inForce: [],
  mode: 'dev',
  dataDir: directory,
  localPaths: [],
  baseUrl: '',
  httpsPort: 0,
  edition: 'self-hosted',
  license: 'enterprise',
  compatVersion: '1.21.0+ent',
  defaultLeaseTtl: 2_764_800,
  maxLeaseTtl: 2_764_800,
  apiRateLimit: 0,
  stateSnapshotInterval: 20,
  renameRedirects: false,
  metricsOpen: false,
  rootToken: undefined,
  seal: { type: 'auto', rootKey: { kind: 'file', path: join(directory, 'seal.key') } },
  openRootGeneration: false,
  crlBytes: 128 * 1024 * 1024,
  concurrentSnapshots: 3,
  loginRecord: { days: 30, entries: 100_000 },
  nodeName: 'test',
  nodeAddress: 'https://test:8200',
  version,
})
