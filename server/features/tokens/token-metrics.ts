import type { Counter, Gauge } from 'prom-client'
import type { Deps } from '../../kit/deps.ts'
import type { Token } from './records/token-rules.ts'

type MetricDeps = Pick<Deps, 'metrics'>

const created = ({ metrics }: MetricDeps): Counter<string> =>
  metrics.counter('holdfast_tokens_created_total', 'Tokens handed out.', ['type'])

/** Notes that a token was handed out. */
export const countCreated = (deps: MetricDeps, { type }: Pick<Token, 'type'>): void => created(deps).inc({ type })

/** Notes that tokens were revoked by somebody, descendants included. */
export const countRevoked = ({ metrics }: MetricDeps, tokens: number): void =>
  metrics.counter('holdfast_tokens_revoked_total', 'Tokens revoked, with their descendants.').inc(tokens)

/** Notes that tokens were removed because their time was over. */
export const countExpired = ({ metrics }: MetricDeps, tokens: number): void =>
  metrics.counter('holdfast_tokens_expired_total', 'Tokens removed because their time was over.').inc(tokens)

/** The number of stored tokens that live, counted by the background work of one node. */
export const activeTokens = ({ metrics }: MetricDeps): Gauge<string> =>
  metrics.gauge('holdfast_tokens_active', 'Stored tokens that live, as of the last look for expired ones.')
