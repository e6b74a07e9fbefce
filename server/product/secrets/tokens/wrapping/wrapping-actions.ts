import { responseWrappingPolicyName } from '../../../../access/policies/index.ts'
import { later, toIsoNano } from '../../../../kernel/clock.ts'
import { type Failure, failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { RequestFacts } from '../../../../kit/endpoint.ts'
import type { Tx } from '../../../../storage/open.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import { findLiving, type LookupDeps } from '../known-token-actions.ts'
import { findValue, saveValue } from '../records/cubbyhole-store.ts'
import { hasUses, type Token } from '../records/token.ts'
import { insertToken, takeUse } from '../records/token-store.ts'
import { newTokenText } from '../records/token-text-actions.ts'
import { removeCountedToken } from '../revoking/revocation-store.ts'
import { countCreated } from '../token-metrics-actions.ts'

const openingPaths: ReadonlySet<string> = new Set(['sys/wrapping/unwrap', 'sys/wrapping/rewrap'])

/** True for a request that opens a wrapped answer with the token it presents, instead of naming another one. */
export const opensOwnAnswer = ({ path, fields, presentedToken }: RequestFacts): boolean =>
  openingPaths.has(path) && (!fields.token || fields.token === presentedToken)

/** The refusal clients of this family look for: the wrapped answer is gone, or was never there. */
export const notAWrappingToken = (): Failure =>
  failure('invalid', 'wrapping.invalid-token', 'wrapping token is not valid or does not exist')

type WrapDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'keyring' | 'metrics'>

/** How an answer is to be wrapped. */
type WrapTerms = { readonly ttl: number; readonly creationPath: string }

/** An answer that was wrapped: the text of its body, where it came from, and for how long it is kept. */
type Wrapped = { readonly body: string; readonly terms: WrapTerms }

/** The path in its private store under which a wrapping token keeps the answer; older clients read it there. */
const responsePath = 'response'

/** Stores an answer behind a new token of one use; returns what the caller gets instead. */
export async function wrapAnswer(deps: WrapDeps, body: string, terms: WrapTerms): Promise<Record<string, unknown>> {
  const { token, text } = wrappingToken(deps, terms)
  await inTransaction(deps.db, (tx) => store(deps, tx, token, body))
  return wrapInfo(deps, token, text, body)
}

/** Stores an answer behind a new token; the old token is revoked. */
export async function rewrapAnswer(deps: WrapDeps, old: Token, wrapped: Wrapped): Promise<Record<string, unknown>> {
  const { token, text } = wrappingToken(deps, wrapped.terms)
  await inTransaction(deps.db, async (tx) => {
    await store(deps, tx, token, wrapped.body)
    await removeCountedToken(tx, old.id)
  })
  return wrapInfo(deps, token, text, wrapped.body)
}

/** A living wrapping token that has not been used yet; refuses everything else. */
export async function findWrapping(deps: LookupDeps, text: string): Promise<Token> {
  const token = text === '' ? undefined : await findLiving(deps, text)
  if (token?.wrapping && hasUses(token)) return token
  throw notAWrappingToken()
}

/** Takes the one use of a wrapping token; refuses if another request was first. */
export async function spendWrapping(deps: Pick<Deps, 'db'>, token: Token): Promise<void> {
  if ((await takeUse(deps.db, token.id)) === undefined) throw notAWrappingToken()
}

/** The answer that a wrapping token holds. Its use must have been taken before. */
export async function openWrapped(deps: Pick<Deps, 'db' | 'keyring'>, token: Token): Promise<Wrapped> {
  const value = await findValue(deps.db, deps.keyring, { tokenId: token.id, path: responsePath })
  if (typeof value?.response !== 'string') throw notAWrappingToken()
  return { body: value.response, terms: { ttl: token.creationTtl, creationPath: token.path } }
}

function wrappingToken(deps: WrapDeps, { ttl, creationPath }: WrapTerms): { token: Token; text: string } {
  const text = newTokenText(deps)
  const blank = blankToken(deps, text)
  const token: Token = {
    ...blank,
    policies: [responseWrappingPolicyName],
    path: creationPath,
    displayName: 'wrapping',
    expiresAt: later(blank.createdAt, ttl * 1_000),
    creationTtl: ttl,
    explicitMaxTtl: ttl,
    numUses: 1,
    usesLeft: 1,
    wrapping: true,
  }
  return { token, text }
}

async function store(deps: WrapDeps, tx: Tx, token: Token, body: string): Promise<void> {
  await insertToken(tx, token)
  await saveValue(tx, deps.keyring, { tokenId: token.id, path: responsePath }, { response: body })
}

function wrapInfo(deps: WrapDeps, token: Token, text: string, body: string): Record<string, unknown> {
  countCreated(deps, token)
  const accessor = wrappedAccessor(body, token.path)
  return {
    token: text,
    accessor: token.accessor,
    ttl: token.creationTtl,
    creation_time: toIsoNano(token.createdAt),
    creation_path: token.path,
    ...(accessor ? { wrapped_accessor: accessor } : {}),
  }
}

type WrappedAnswer = {
  readonly auth?: { readonly accessor?: string } | null
  readonly data?: { readonly secret_id_accessor?: string } | null
}

/** The accessor of what an answer hands out: of its token, or of the secret id that an auth method made. */
function wrappedAccessor(body: string, path: string): string | undefined {
  const { auth, data } = JSON.parse(body) as WrappedAnswer
  return auth?.accessor ?? (path.startsWith('auth/') ? data?.secret_id_accessor : undefined)
}
