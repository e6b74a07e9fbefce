import { hash } from 'node:crypto'
import { Failure } from '../../../kernel/failure.ts'
import type { TokenPrincipal } from '../../../kernel/principal.ts'
import { permissionDenied } from '../../../kit/access.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import type { RequestFacts as Request } from '../../../kit/endpoint.ts'
import { late, soonOr, storeUnreachable } from './store-probe.ts'

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
    const question = { path: 'sys/metrics', operation: 'read', sudo: false, fields: {}, wrapTtl: undefined } as const
    const verdict = await policies.authorize(token, question)
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
export const metricsReaders: (deps: Deps) => MetricsReaders = perApp((deps: Deps) => new MetricsReaders(deps))
