import { cacheKeyOf } from '../../../crypto/cache-key.ts'
import { type Instant, maybeIso } from '../../../kernel/clock.ts'
import { textOf } from '../../../kernel/failure.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { type Secret, secret } from '../../../kernel/secret.ts'
import { type Author, recordChange } from '../../../kit/change-log/index.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { invalidDocument } from '../../../kit/jsonapi/index.ts'
import { unlessTaken } from '../../../storage/database-errors.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { VersionedCache } from '../../../storage/versions.ts'
import {
  type ApiToken,
  isAlive,
  prefixOf,
  settleExpiry,
  type TokenOwner,
  type TokenPurpose,
  useRecordInterval,
} from './api-token.ts'
import {
  deleteToken,
  findTokenInUse,
  insertToken,
  loadAgentToken,
  loadTokenLimit,
  type TokenInUse,
  touchToken,
} from './api-token-store.ts'

type TokenDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'keyring' | 'store'>

/** A token to be issued. */
export type TokenWanted = {
  readonly owner: TokenOwner
  /** Empty for tokens of people. */
  readonly organizationId: string
  readonly single: boolean
  readonly purpose?: TokenPurpose | undefined
  readonly description: string
  /** When it is to end, null for never, and where a document says so; without it, it ends when such tokens usually do. */
  readonly expiry?: { readonly at: Instant | null; readonly pointer: string } | undefined
  /** Runs in the same transaction; if it throws, no token is made. */
  readonly claim?: (tx: Tx) => Promise<void>
}

/** A token just made, with its text: it is never shown again. */
type IssuedToken = { readonly token: ApiToken; readonly text: Secret<string> }

const hashOf = (deps: Pick<Deps, 'keyring'>, text: string): string => deps.keyring.keyedHash('api-token', text)

const changeOf = (token: ApiToken, organizationId: string) => ({
  organizationId,
  subject: { type: 'authentication-tokens', id: token.id, name: token.description || token.hint },
})

const describeToken = (token: ApiToken) => ({
  owner: token.owner,
  ...(token.purpose === undefined ? {} : { purpose: token.purpose }),
  description: token.description,
  'expired-at': maybeIso(token.expiresAt),
})

const deletionOf = (token: ApiToken, organizationId: string) => ({
  ...changeOf(token, organizationId),
  action: 'delete',
  before: describeToken(token),
})

/** Makes a token. */
export async function issueToken(deps: TokenDeps, author: Author, wanted: TokenWanted): Promise<IssuedToken> {
  const { owner, organizationId, single, purpose, description } = wanted
  const text = `${prefixOf(owner, purpose)}${deps.ids.text(32)}`
  const token: ApiToken = {
    id: deps.ids.newId('at'),
    owner,
    single,
    purpose,
    hint: `${text.slice(0, 8)}…`,
    description,
    createdBy: { kind: author.kind, id: author.id },
    createdAt: deps.clock.now(),
    lastUsedAt: null,
    expiresAt: await expiryOf(deps, wanted),
  }
  const hash = hashOf(deps, text)
  await unlessTaken(descriptionTaken, () =>
    inTransaction(deps.db, async (tx) => {
      await wanted.claim?.(tx)
      const replaced = await insertToken(tx, token, hash)
      if (replaced) await recordChange(deps, tx, author, deletionOf(replaced, organizationId))
      const change = { ...changeOf(token, organizationId), action: 'create', after: describeToken(token) }
      await recordChange(deps, tx, author, change)
    }),
  )
  return { token, text: secret(text) }
}

async function expiryOf({ db, clock }: TokenDeps, wanted: TokenWanted): Promise<Instant | null> {
  const limit = await loadTokenLimit(db, wanted)
  const expiresAt = settleExpiry(wanted.owner, wanted.expiry?.at, { at: clock.now(), limit })
  if (expiresAt !== undefined) return expiresAt
  const detail =
    `Expired at must be at most ${durationText(limit ?? 0)} from now, ` +
    'which is how long an organization allows such tokens to last'
  throw invalidDocument([{ detail, pointer: wanted.expiry?.pointer ?? '', code: 'token.lasts-too-long' }])
}

const durationText = (milliseconds: number): string => {
  const [size, unit] = milliseconds % 86_400_000 === 0 ? [86_400_000, 'days'] : [60_000, 'minutes']
  return `${Math.floor(milliseconds / size)} ${unit}`
}

/** Several tokens of one team differ in their descriptions. Go clients recognise this by title and detail as a whole. */
const descriptionTaken = () =>
  invalidDocument([
    {
      title: 'invalid attributes',
      detail: 'Validation failed: Description has already been taken',
      pointer: '/data/attributes/description',
      code: 'token.description-taken',
    },
  ])

/** Revokes a token; false when it was gone already. */
export async function revokeToken(
  deps: TokenDeps,
  author: Author,
  token: ApiToken,
  organizationId: string,
): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    if (!(await deleteToken(tx, token.id))) return false
    await recordChange(deps, tx, author, deletionOf(token, organizationId))
    return true
  })
}

const tokenCache = perApp(
  (deps) => new VersionedCache<string, TokenInUse>(deps.store.versions, 'api-tokens', { max: 50_000 }),
)

/** Who an API token acts for; undefined when it is unknown, revoked or expired. */
export async function authenticateApiToken(
  deps: TokenDeps & Pick<Deps, 'log'>,
  text: string,
): Promise<ActorPrincipal | undefined> {
  const key = cacheKeyOf(text)
  // The version is taken before the token is read: one that is revoked right afterwards must not be remembered.
  const asOf = tokenCache(deps).version()
  const token = await tokenCache(deps).recall(key, () => findTokenInUse(deps.db, hashOf(deps, text)))
  const at = deps.clock.now()
  if (!token || !isAlive(token, at)) return undefined
  const isRecorded = token.lastUsedAt !== null && at - token.lastUsedAt < useRecordInterval
  if (!isRecorded) await recordUse(deps, { ...token, lastUsedAt: at }, { key, asOf })
  return token.actor
}

/** Notes a use. If that cannot be written, the token works all the same: a full disk must not stop reads. */
async function recordUse(
  deps: TokenDeps & Pick<Deps, 'log'>,
  used: TokenInUse & { readonly lastUsedAt: Instant },
  { key, asOf }: { readonly key: string; readonly asOf: number },
): Promise<void> {
  try {
    await touchToken(deps.db, used.id, used.lastUsedAt)
  } catch (error) {
    deps.log.warn({ token: used.id, error: textOf(error) }, 'could not record the use of a token')
  }
  tokenCache(deps).set(key, used, asOf)
}

/** The pool whose token this is; undefined when it is unknown, revoked or expired. */
export async function authenticateAgentToken(
  deps: TokenDeps & Pick<Deps, 'log'>,
  text: string,
): Promise<{ readonly tokenId: string; readonly poolId: string } | undefined> {
  const token = await loadAgentToken(deps.db, hashOf(deps, text))
  const at = deps.clock.now()
  if (!token || !isAlive(token, at)) return undefined
  if (token.lastUsedAt === null || at - token.lastUsedAt >= useRecordInterval)
    await touchToken(deps.db, token.id, at).catch((error) =>
      deps.log.warn({ token: token.id, error: textOf(error) }, 'could not record the use of a token'),
    )
  return { tokenId: token.id, poolId: token.owner.id }
}
