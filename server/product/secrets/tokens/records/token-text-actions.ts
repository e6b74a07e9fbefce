import type { Instant } from '../../../../kernel/clock.ts'
import { Failure, failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Token } from './token.ts'

/** Prefixes let people and log scanners tell tokens apart. */
const servicePrefix = 'hfs.'

/** What a batch token begins with. */
export const batchPrefix = 'hfb.'

type TextDeps = Pick<Deps, 'ids' | 'clock'>

/** In the order of their character codes, so that texts sort as the numbers do. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const markLength = 7

/**
 * The time in seven letters and digits that sort by it. Accessors and hashes begin with it, so that tokens made
 * together are neighbours in every index: a commit of many logins then writes a few pages instead of two for each.
 */
export function timeMark(at: Instant): string {
  let mark = ''
  for (let rest = at; mark.length < markLength; rest = Math.floor(rest / 62) as Instant) mark = digits[rest % 62] + mark
  return mark
}

/** True for the text of a token that carries its own record. */
export const isBatchText = (text: string): boolean => text.startsWith(batchPrefix)

/** The text of a new token: the prefix of its kind, when it was made, and 148 random bits. */
export const newTokenText = ({ ids, clock }: TextDeps): string =>
  `${servicePrefix}${timeMark(clock.now())}${ids.text(25)}`

/** The text of a root token: 142 random bits. Clients know its length, since they make one-time passwords as long. */
export const newRootTokenText = ({ ids }: Pick<Deps, 'ids'>): string => `${servicePrefix}${ids.text(24)}`

/** A name for a token that gives no access: when it was made, and 101 random bits. */
export const newAccessor = ({ ids, clock }: TextDeps): string => `${timeMark(clock.now())}${ids.text(17)}`

const generatedPattern = /^hfs\.([0-9A-Za-z]{7})[0-9A-Za-z]{25}$/

/** The keyed hash under which a token is stored; of its text only the time is kept. */
export const tokenId = (deps: Pick<Deps, 'keyring'>, text: string): string =>
  `${generatedPattern.exec(text)?.[1] ?? ''}${deps.keyring.keyedHash('token', text)}`

/** What a batch token carries: all its facts that are not the same for every batch token. */
type BatchRecord = Pick<
  Token,
  | 'parentId'
  | 'policies'
  | 'path'
  | 'displayName'
  | 'metadata'
  | 'entityId'
  | 'role'
  | 'mountId'
  | 'createdAt'
  | 'creationTtl'
  | 'boundCidrs'
  | 'certificateFingerprint'
  | 'platformTeam'
  | 'platformTeamId'
  | 'expiresAt'
>

const place = { table: 'tokens', column: 'batch', row: '' }

/** The longest text a token header may have; a longer token could never be presented. */
const maxLength = 8_192

const recordOf = (token: Token): BatchRecord => ({
  parentId: token.parentId,
  policies: token.policies,
  path: token.path,
  displayName: token.displayName,
  metadata: token.metadata,
  entityId: token.entityId,
  role: token.role,
  mountId: token.mountId,
  createdAt: token.createdAt,
  creationTtl: token.creationTtl,
  boundCidrs: token.boundCidrs,
  certificateFingerprint: token.certificateFingerprint,
  platformTeam: token.platformTeam,
  platformTeamId: token.platformTeamId,
  expiresAt: token.expiresAt,
})

/** Seals a token into its own text. */
export function sealBatchToken(deps: Pick<Deps, 'keyring'>, token: Token): string {
  const record = recordOf(token)
  const text = `${batchPrefix}${deps.keyring.seal(JSON.stringify(record), place).toString('base64url')}`
  if (text.length > maxLength) {
    throw failure('invalid', 'token.too-large', 'the metadata and policies are too large for a batch token')
  }
  return text
}

/** The token inside a text; undefined if it was not sealed with our keys. */
export function openBatchToken(deps: Pick<Deps, 'keyring'>, text: string): Token | undefined {
  const record = isBatchText(text) ? openRecord(deps, text.slice(batchPrefix.length)) : undefined
  if (!record) return undefined
  return {
    ...record,
    // Tokens of earlier versions have none.
    platformTeamId: record.platformTeamId ?? '',
    id: tokenId(deps, text),
    type: 'batch',
    accessor: '',
    explicitMaxTtl: 0,
    period: 0,
    renewable: false,
    lastRenewedAt: undefined,
    numUses: 0,
    usesLeft: 0,
    orphan: record.parentId === '',
    wrapping: false,
    authData: {},
    revoked: false,
  }
}

function openRecord(deps: Pick<Deps, 'keyring'>, encoded: string): BatchRecord | undefined {
  const sealed = Buffer.from(encoded, 'base64url')
  // Each token has one valid text: decoding ignores stray characters, so only the exact spelling is accepted.
  if (sealed.toString('base64url') !== encoded) return undefined
  try {
    return JSON.parse(deps.keyring.openText(sealed, place)) as BatchRecord
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.kind !== 'sealed') return undefined
    throw thrown
  }
}
