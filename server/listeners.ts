import type { App } from './app.ts'
import type { Config, ListenerConfig } from './config/config.ts'
import { addressSettingOf, showAddress } from './config/index.ts'
import {
  createRefusalReporter,
  defaultListenerLimits,
  type Listener,
  type ListenerLimits,
  openListener,
  readsListVerb,
  type TlsSettings,
} from './http/listener/index.ts'
import { type Clock, toIso } from './kernel/clock.ts'
import { failure } from './kernel/failure.ts'
import type { Log } from './kernel/log.ts'
import { connectionLimit, openFilesLimit } from './kernel/open-files.ts'
import type { Metrics } from './kit/metrics.ts'
import { readTlsFiles, type Validity, validityOf, validityProblem } from './tls-files.ts'

/** Where a server can be reached, as full URLs. */
export type Addresses = { readonly https?: string; readonly http?: string; readonly listeners?: readonly string[] }

/** What listeners are made of. */
type ListenerBase = {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly metrics: Metrics
}

/** A listener, and until when its certificate is valid. */
export type OpenListener = {
  readonly listenerConfig: ListenerConfig
  readonly listener: Listener
  validity: Validity | undefined
}

/** Adds each listener to the open ones as soon as it is open, because the next may fail. */
export async function openListeners(base: ListenerBase, handle: App['handle'], opened: OpenListener[]): Promise<void> {
  const { config, log, clock } = base
  const limits = listenerLimitsOf(config, connectionsOf(config, log))
  const countRefused = showConnections(base.metrics, opened, limits)
  const readsList = await readsListVerb()
  if (!readsList)
    log.error({ node: process.version }, 'this release of Node cannot be made to read the verb LIST: it gets 400')
  for (const listenerConfig of config.listeners) {
    const { name, address } = listenerConfig
    const tls = tlsOf(listenerConfig, config)
    const report = createRefusalReporter({ log, clock }, { listener: name, limit: limits.maxConnections })
    const refused = (): void => {
      countRefused(name)
      report()
    }
    const options = { name, ...address, limits, setting: addressSettingOf(name), refused, readsList }
    const listener = await openListener({ ...options, ...(tls ? { tls } : {}) }, handle)
    const open: OpenListener = { listenerConfig, listener, validity: undefined }
    opened.push(open)
    if (tls) noteValidity(base, open, validityOf(tls.cert))
  }
}

/** Shows how many connections the listeners have, and may have; the returned function counts one that is refused. */
function showConnections(
  metrics: Metrics,
  listeners: readonly OpenListener[],
  { maxConnections }: ListenerLimits,
): (listener: string) => void {
  const gauge = (name: string, help: string) => metrics.gauge(name, help, ['listener'])
  const open = gauge('holdfast_http_connections', 'Connections that are open.')
  const limit = gauge('holdfast_http_connections_limit', 'Limit of open connections.')
  const help = 'Connections that were closed because there were too many.'
  const refused = metrics.counter('holdfast_http_connections_refused_total', help, ['listener'])
  metrics.onRender(async () => {
    for (const { listenerConfig, listener } of listeners) {
      open.set({ listener: listenerConfig.name }, listener.connections())
      limit.set({ listener: listenerConfig.name }, maxConnections)
    }
  })
  return (listener) => refused.inc({ listener })
}

/**
 * Reads the certificate of a listener again. One that is not valid now does not replace one that is: every client would
 * refuse it.
 */
export async function reloadListener(base: ListenerBase, open: OpenListener): Promise<void> {
  const { listenerConfig, listener } = open
  const tls = tlsOf(listenerConfig, base.config)
  if (!tls) return
  const validity = validityOf(tls.cert)
  const now = base.clock.now()
  const invalid = validityProblem(validity, now)
  if (invalid && open.validity && !validityProblem(open.validity, now)) {
    const text = `tls.cert_file: ${listenerConfig.tls?.certFile} ${invalid}, while the certificate in use is valid until`
    throw failure('invalid', 'tls.not-valid', `${text} ${toIso(open.validity.notAfter)}.`)
  }
  listener.reloadTls(tls)
  noteValidity(base, open, validity)
}

/** Remembers until when the certificate in use is valid, and shows it to those who watch the server. */
function noteValidity({ log, clock, metrics }: ListenerBase, open: OpenListener, validity: Validity): void {
  open.validity = validity
  const { name, tls } = open.listenerConfig
  metrics
    .gauge('holdfast_server_certificate_expiry_time', 'Unix time when the server certificate expires.', ['listener'])
    .set({ listener: name }, Math.floor(validity.notAfter / 1_000))
  const problem = validityProblem(validity, clock.now())
  if (problem)
    log.warn(
      { listener: name, problem: `${tls?.certFile} ${problem}` },
      'the server certificate is not valid now; clients refuse it',
    )
}

function tlsOf({ tls, clientCertificate }: ListenerConfig, config: Config): TlsSettings | undefined {
  return tls && { ...readTlsFiles(tls), clientCertificate, minVersion: config.tls.minVersion }
}

/** The addresses of these listeners. */
export function addressesOf(listeners: readonly OpenListener[]): Addresses {
  const { https, http, ...further } = Object.fromEntries(
    listeners.map((open) => [open.listenerConfig.name, urlOf(open)]),
  )
  return { https, http, listeners: Object.keys(further).length > 0 ? Object.values(further) : undefined }
}

const urlOf = ({ listenerConfig, listener }: OpenListener): string =>
  `${listenerConfig.tls ? 'https' : 'http'}://${showAddress(listener.address)}`

const listenerLimitsOf = ({ limits }: Config, maxConnections: number): ListenerLimits => ({
  ...defaultListenerLimits,
  maxHeaderBytes: limits.headerBytes,
  maxConnections,
  headersTimeoutMs: limits.headerTimeout,
  keepAliveTimeoutMs: limits.idleTimeout,
  handshakeTimeoutMs: limits.handshakeTimeout,
  stallTimeoutMs: limits.stallTimeout,
})

/** As many as configured, if the system allows that many open files. */
function connectionsOf({ limits }: Config, log: Log): number {
  const openFiles = openFilesLimit()
  const connections = connectionLimit(openFiles, limits.maxConnections)
  if (connections < limits.maxConnections)
    log.warn(
      { openFiles, connections, configured: limits.maxConnections },
      'open file limit too low; allowing fewer connections than configured',
    )
  return connections
}
