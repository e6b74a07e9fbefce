import { hash } from 'node:crypto'
import { Failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { permissionDenied, sealedFailure, tokenMissing } from '../../../kit/access.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import {
  defineEndpoints,
  type Endpoint,
  endpoint,
  open,
  type RequestFacts as Request,
  type RuleCall,
} from '../../../kit/endpoint.ts'
import { startAddress } from '../../../kit/page.ts'
import { bytes, nothing } from '../../../kit/reply.ts'
import { late, requireStore, requireWritable, soonOr, storeUnreachable } from './store-probe-adapter.ts'

/** Milliseconds; monitoring systems wait for several seconds. */
const patienceMs = 1_000
/** For how long a token that was allowed to read metrics still may when the store cannot be asked. */
const rememberedMs = 3_600_000
const maxRemembered = 64

type Approval = { readonly since: number; readonly expiresAt: number | undefined }

/**
 * Who may read metrics at their address for monitoring systems. They are needed most while the database is lost, when no
 * token can be looked up: then those count that were allowed to read them within the last hour, from the same address.
 */
class MetricsReaders {
  readonly #deps: Deps
  readonly #approved = new Map<string, Approval>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Throws unless the token of the request may read metrics. */
  async require(request: Request): Promise<void> {
    const reader = hash('sha256', `${request.remoteAddress} ${request.presentedToken}`)
    if (this.#deps.store.isAway()) return this.#requireRemembered(reader, storeUnreachable())
    try {
      const token = await soonOr(() => this.#look(request), patienceMs)
      if (token === late) this.#requireRemembered(reader, storeUnreachable())
      else this.#remember(reader, token)
    } catch (thrown) {
      if (isAboutStore(thrown)) return this.#requireRemembered(reader, thrown)
      this.#approved.delete(reader)
      throw thrown
    }
  }

  async #look(request: Request): Promise<TokenPrincipal> {
    const { tokens, policies, store } = this.#deps
    await store.versions.refresh()
    const token = await tokens.authenticate(request.presentedToken, request)
    const aclRequest = { path: 'sys/metrics', operation: 'read', sudo: false, fields: {}, wrapTtl: undefined } as const
    const verdict = await policies.authorize(token, aclRequest)
    if (!verdict.allowed) throw permissionDenied()
    return token
  }

  /** A token whose uses are counted, or that only works with a certificate, has to be looked up each time. */
  #remember(reader: string, { limitedUses, certificateFingerprint, expiresAt }: TokenPrincipal): void {
    if (limitedUses || certificateFingerprint !== '') return
    this.#approved.delete(reader)
    this.#approved.set(reader, { since: this.#deps.clock.now(), expiresAt })
    const [oldest] = this.#approved.keys()
    if (this.#approved.size > maxRemembered && oldest !== undefined) this.#approved.delete(oldest)
  }

  #requireRemembered(reader: string, otherwise: unknown): void {
    const now = this.#deps.clock.now()
    const { since, expiresAt } = this.#approved.get(reader) ?? { since: Number.NEGATIVE_INFINITY, expiresAt: undefined }
    const isExpired = expiresAt !== undefined && now >= expiresAt
    if (isExpired || now - since > rememberedMs) throw otherwise
  }
}

const isAboutStore = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code.startsWith('storage.')

/** Those of this process. */
const metricsReaders: (deps: Deps) => MetricsReaders = perApp((deps: Deps) => new MetricsReaders(deps))

const plain = 'text/plain; charset=utf-8'
const probe = { unaudited: true, whileSealed: true } as const

/** Metrics are open where the configuration says so; else the token's policies must allow `sys/metrics` to be read. */
const metricsAccess = {
  kind: 'rule',
  name: 'metrics:read',
  check: async ({ deps, request }: RuleCall): Promise<void> => {
    if (deps.settings.metricsOpen) return
    // Before anything else: a token that this process remembers must not work longer than one that has to be read.
    const seal = deps.seal.status()
    if (seal !== 'unsealed') throw sealedFailure(seal)
    if (request.presentedToken === '') throw tokenMissing()
    await metricsReaders(deps).require(request)
  },
} as const

/** Probes and metrics at the addresses monitoring systems look for. */
export const siteEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  endpoint({
    ...probe,
    id: 'site.home',
    route: 'GET /',
    summary: 'Redirect to the web UI.',
    access: open('It only says where the pages are.'),
    returns: { 303: null },
    handle: () => nothing(303, { Location: startAddress }),
  }),
  endpoint({
    ...probe,
    withoutStore: true,
    probed: true,
    id: 'site.healthz',
    route: 'GET /healthz',
    summary: 'Check liveness: the process is running and does not need a restart.',
    access: open('Probes have no token.'),
    handle: ({ deps }) => {
      requireWritable(deps)
      return bytes(plain, 'ok\n')
    },
  }),
  endpoint({
    ...probe,
    withoutStore: true,
    probed: true,
    id: 'site.readyz',
    route: 'GET /readyz',
    summary: 'Check readiness: the store responds, the server is unsealed, and requests can be audited.',
    access: open('Probes have no token.'),
    fails: ['unavailable'],
    handle: async ({ deps }) => {
      if (deps.node.isStopping()) return bytes(plain, 'stopping\n', { status: 503 })
      const seal = deps.seal.status()
      if (seal !== 'unsealed') return bytes(plain, `${seal}\n`, { status: 503 })
      await requireStore(deps)
      if (!(await deps.audit.canRecord())) return bytes(plain, 'no audit device takes records\n', { status: 503 })
      return bytes(plain, 'ready\n')
    },
  }),
  endpoint({
    ...probe,
    withoutStore: true,
    probed: true,
    id: 'site.metrics',
    route: 'GET /metrics',
    summary: 'Read the metrics of this node, in Prometheus text format.',
    access: metricsAccess,
    handle: async ({ deps }) => bytes(deps.metrics.contentType, await deps.metrics.render()),
  }),
])
