import { type Instant, later } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'

/** The identifier of an API token; not the token itself. */
export type ApiTokenId = Id<'at'>

/** Who a token acts for. */
export type TokenOwner =
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'team'; readonly id: string }
  | { readonly kind: 'organization'; readonly id: string }
  | { readonly kind: 'agent-pool'; readonly id: string }

/**
 * Purposes for which an owner has a token beside its ordinary one. No endpoint accepts such a token yet, but clients of
 * this family make them, and making one must not replace the ordinary token.
 */
export const tokenPurposes = ['audit-trails'] as const

/** One of these purposes. */
export type TokenPurpose = (typeof tokenPurposes)[number]

/** What is known about a token after it was shown once. */
export type ApiToken = {
  readonly id: ApiTokenId
  readonly owner: TokenOwner
  /** True for the one token an owner has at the address without a list. */
  readonly single: boolean
  /** Set for a token beside that one, which works for this purpose and nothing else. */
  readonly purpose?: TokenPurpose | undefined
  readonly hint: string
  readonly description: string
  readonly createdBy: { readonly kind: string; readonly id: string }
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  readonly expiresAt: Instant | null
}

/** The first letters of a token show what it is, to people and to scanners that look for leaked ones. */
const tokenPrefixes = { user: 'hfu.', team: 'hft.', organization: 'hfo.', 'agent-pool': 'hfa.' } as const

/** The first letters of a token of this owner, for this purpose. */
export const prefixOf = ({ kind }: TokenOwner, purpose: TokenPurpose | undefined): string =>
  purpose === undefined ? tokenPrefixes[kind] : 'hfp.'

/**
 * True if a text has the form of a token that acts for somebody here. Tokens of agent pools work only for executors,
 * and tokens with a purpose only for that purpose.
 */
export const isApiToken = (text: string): boolean => /^hf[uto]\.[0-9A-Za-z]{32}$/.test(text)

/** True while a token works. */
export const isAlive = (token: Pick<ApiToken, 'expiresAt'>, at: Instant): boolean =>
  token.expiresAt === null || token.expiresAt > at

/** Uses are noted once a minute; more often would turn every read into a write. */
export const useRecordInterval = 60_000

/** The fields by which a list of team tokens can be sorted. */
export const tokenOrders = ['team-name', 'created-by', 'created-at', 'expired-at', 'last-used-at'] as const

/** One of the orders of a list of team tokens. */
export type TokenOrder = (typeof tokenOrders)[number]

/** When a token ends that may last as long as given here, or as it likes; undefined if it would end too late. */
export function settleExpiry(
  owner: TokenOwner,
  wanted: Instant | null | undefined,
  { at, limit }: { readonly at: Instant; readonly limit: number | undefined },
): Instant | null | undefined {
  const last = limit === undefined ? undefined : later(at, limit)
  if (wanted === undefined) return earliest(standardExpiry(owner, at), last)
  return last !== undefined && (wanted === null || wanted > last) ? undefined : wanted
}

const earliest = (end: Instant | null, last: Instant | undefined): Instant | null =>
  last !== undefined && (end === null || end > last) ? last : end

/** Tokens of agent pools begin runners, which see secrets, so they end sooner than others. */
const agentTokenLife = 90 * 86_400_000

/** When a token ends if its maker did not say: clients of this family expect two years. */
function standardExpiry({ kind }: TokenOwner, at: Instant): Instant | null {
  if (kind === 'agent-pool') return later(at, agentTokenLife)
  const end = new Date(at)
  end.setUTCFullYear(end.getUTCFullYear() + 2)
  return end.getTime() as Instant
}
