import type { Counter, Gauge } from 'prom-client'
import type { Deps } from '../../../kit/deps.ts'
import type { Token } from './records/token.ts'

type MetricDeps = Pick<Deps, 'metrics'>

const createdCounter = ({ metrics }: MetricDeps): Counter<string> =>
  metrics.counter('holdfast_tokens_created_total', 'Tokens issued.', ['type'])

/** Counts a token that was issued. */
export const countCreated = (deps: MetricDeps, { type }: Pick<Token, 'type'>): void =>
  createdCounter(deps).inc({ type })

/** Counts tokens that were revoked on request, descendants included. */
export const countRevoked = ({ metrics }: MetricDeps, tokens: number): void =>
  metrics.counter('holdfast_tokens_revoked_total', 'Tokens revoked, including descendants.').inc(tokens)

/** Counts tokens that were removed because they had expired. */
export const countExpired = ({ metrics }: MetricDeps, tokens: number): void =>
  metrics.counter('holdfast_tokens_expired_total', 'Tokens removed because they expired.').inc(tokens)

/** The number of stored tokens that are alive, counted by the background work of one node. */
export const activeTokens = ({ metrics }: MetricDeps): Gauge<string> =>
  metrics.gauge('holdfast_tokens_active', 'Stored tokens that are valid, as of the last check for expired ones.')
