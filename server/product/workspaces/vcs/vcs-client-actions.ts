import { hidden } from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { type Author, type Members, recordChange, recordUpdate } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Stored } from '../../../kit/field-set.ts'
import { invalidAttribute, invalidRelationship } from '../../../kit/jsonapi/index.ts'
import type { Tx } from '../../../storage/open.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { hasAgentPool } from '../../people/organizations/index.ts'
import { changeInTransaction, describeRepo } from '../workspaces/index.ts'
import { isSameProvider, type OauthClient, type OauthToken } from './vcs-client.ts'
import { origin, settings, tokenFacts } from './vcs-client-fields.ts'
import {
  deleteClient,
  deleteSshKey,
  deleteToken,
  insertClient,
  insertToken,
  listLinkedWorkspaces,
  listTokensOf,
  lockClientForUpdate,
  lockTokenForUpdate,
  replaceToken,
  saveSecret,
  saveSshKey,
  updateClient,
} from './vcs-client-store.ts'

type ConnectionDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'store' | 'keyring'>

/** The place for which the text of a token is encrypted. */
const tokenPlace = (id: string) => ({ table: 'oauth_tokens', column: 'token', row: id })
const secretPlace = (id: string) => ({ table: 'oauth_clients', column: 'secret', row: id })
const sshKeyPlace = (id: string) => ({ table: 'oauth_ssh_keys', column: 'value', row: id })

const changeOf = (client: OauthClient) => ({
  organizationId: client.organizationId,
  subject: { type: 'oauth-clients', id: client.id, name: client.name ?? client.serviceProvider },
})

const tokenChange = (token: OauthToken) => ({
  organizationId: token.organizationId,
  subject: { type: 'oauth-tokens', id: token.id, name: token.id },
})

const describeClient = (client: OauthClient): Members => ({
  ...settings.toDocument(client),
  ...origin.toDocument(client),
})

/** A connection that is to be made, with the provider's token and the secret in clear. */
type NewConnection = Omit<OauthClient, 'id' | 'organizationId' | 'createdAt' | 'hasSecret'> & {
  readonly token: string | null | undefined
  readonly secret: string | null | undefined
}

/** A connection with its tokens. */
type Connection = { readonly client: OauthClient; readonly tokens: readonly OauthToken[] }

/** What a document would confine a connection to. */
type RequestedScopes = {
  readonly agentPool?: string | null | undefined
  readonly projects?: readonly unknown[] | undefined
}

/** Refuses to confine a connection to an agent pool or to projects, which is not supported. */
export async function refuseScopes(
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  { agentPool, projects = [] }: RequestedScopes,
): Promise<void> {
  if (agentPool) {
    const detail = (await hasAgentPool(db, organizationId, agentPool))
      ? 'Agent pool is not supported: the organization does not have private VCS enabled'
      : 'Agent pool is invalid: the provided agent pool does not exist or you are not authorized to use it'
    throw invalidRelationship('agent-pool', detail)
  }
  if (projects.length > 0) {
    throw invalidRelationship('projects', 'Projects are not supported: a connection is for the whole organization')
  }
}

/** Connects an organization to a provider, by a token that was made there or by a key pair. */
export async function createConnection(
  deps: ConnectionDeps,
  author: Author,
  organizationId: string,
  { token: text, secret, ...requested }: NewConnection,
): Promise<Connection> {
  const createdAt = deps.clock.now()
  const ids = { id: deps.ids.newId('oc'), organizationId, createdAt }
  const client: OauthClient = { ...requested, ...ids, hasSecret: Boolean(secret) }
  const token: OauthToken = {
    ...tokenFacts.initial,
    id: deps.ids.newId('ot'),
    organizationId,
    clientId: client.id,
    createdAt,
  }
  const sealedSecret = secret ? deps.keyring.seal(secret, secretPlace(client.id)) : null
  await inTransaction(deps.db, async (tx) => {
    await insertClient(tx, client, sealedSecret)
    if (text) await insertToken(tx, token, deps.keyring.seal(text, tokenPlace(token.id)))
    await recordChange(deps, tx, author, { ...changeOf(client), action: 'create', after: describeClient(client) })
  })
  return { client, tokens: text ? [token] : [] }
}

/** Settings that were sent for a connection, and a new text of its token and a new secret in clear. */
type RequestedChange = {
  readonly settings: Partial<Stored<typeof settings.fields>>
  readonly token?: string | undefined
  /** Null removes it. */
  readonly secret?: string | null | undefined
}

/**
 * Renames or moves a connection, or replaces the text of its token or its secret; workspaces keep their link. What is
 * stored for one address is not used with another: token and secret must be sent again, and the SSH key is removed.
 */
export async function changeConnection(
  deps: ConnectionDeps,
  author: Author,
  { id }: OauthClient,
  { token: text, secret, settings: requested }: RequestedChange,
): Promise<Connection> {
  return inTransaction(deps.db, async (tx) => {
    const before = await lockClientForUpdate(tx, id)
    if (!before) throw hidden()
    const after = {
      ...settings.applied(requested, before),
      hasSecret: secret === undefined ? before.hasSecret : !!secret,
    }
    const [token] = await listTokensOf(tx, [id])
    const isMoved = !isSameProvider(before, after)
    if (isMoved && token && text === undefined) throw neededAgain('oauth-token-string', 'Oauth token string')
    if (isMoved && before.hasSecret && secret === undefined) throw neededAgain('secret', 'Secret')
    if (!token && text === undefined) requireKeysToStay(before, after)
    if (Object.keys(requested).length > 0) await update(deps, tx, author, { before, after })
    if (secret !== undefined) await replaceSecret(deps, tx, author, { client: after, secret })
    if (text !== undefined) await replaceTokenText(deps, tx, author, { token, text })
    if (isMoved && token?.hasSshKey) await removeSshKey(deps, tx, author, token)
    return { client: after, tokens: await listTokensOf(tx, [id]) }
  })
}

/** Without a token requests are signed, and both keys say for whom. Removing the secret is how signing is stopped. */
function requireKeysToStay(before: OauthClient, after: OauthClient): void {
  if (before.key && !after.key) throw invalidAttribute('key', "Key can't be blank")
  if (before.rsaPublicKey && !after.rsaPublicKey)
    throw invalidAttribute('rsa-public-key', "Rsa public key can't be blank")
}

const neededAgain = (name: string, label: string) =>
  invalidAttribute(name, `${label} must be sent again: the stored one is not used with another http-url or api-url`)

type NewSecret = { readonly client: OauthClient; readonly secret: string | null }

async function replaceSecret(
  deps: ConnectionDeps,
  tx: Tx,
  author: Author,
  { client, secret }: NewSecret,
): Promise<void> {
  await saveSecret(tx, client.id, secret ? deps.keyring.seal(secret, secretPlace(client.id)) : null)
  await recordChange(deps, tx, author, { ...changeOf(client), action: 'replace-secret' })
}

type ClientChange = { readonly before: OauthClient; readonly after: OauthClient }

async function update(deps: ConnectionDeps, tx: Tx, author: Author, { before, after }: ClientChange): Promise<void> {
  await updateClient(tx, after, deps.clock.now())
  const change = { ...changeOf(after), before: describeClient(before), after: describeClient(after) }
  await recordUpdate(deps, tx, author, change)
}

async function removeSshKey(deps: ConnectionDeps, tx: Tx, author: Author, token: OauthToken): Promise<void> {
  await deleteSshKey(tx, token.id)
  await recordChange(deps, tx, author, { ...tokenChange(token), action: 'remove-ssh-key' })
}

type NewText = { readonly token: OauthToken | undefined; readonly text: string }

async function replaceTokenText(deps: ConnectionDeps, tx: Tx, author: Author, { token, text }: NewText): Promise<void> {
  if (!token || !(await replaceToken(tx, token.id, deps.keyring.seal(text, tokenPlace(token.id))))) {
    throw failure('invalid', 'oauth-client.no-token', 'The connection has no token any more; make a new connection.')
  }
  await recordChange(deps, tx, author, { ...tokenChange(token), action: 'replace' })
}

/** Removes a connection with its tokens; workspaces lose the repositories they reached by it. */
export async function removeConnection(deps: ConnectionDeps, author: Author, client: OauthClient): Promise<void> {
  const known = await listTokensOf(deps.db, [client.id])
  const unlinked = await unlinkMost(deps, author, idsOf(known))
  await inTransaction(deps.db, async (tx) => {
    const ids = idsOf(await listTokensOf(tx, [client.id]))
    // Deleted before it is unlinked: a request that links a workspace at this moment has locked the token, and is waited for.
    if (!(await deleteClient(tx, client.id))) throw hidden()
    const last = await unlinkRest(deps, tx, author, ids)
    const before = { ...describeClient(client), 'unlinked-workspaces': [...unlinked, ...last] }
    await recordChange(deps, tx, author, { ...changeOf(client), action: 'delete', before })
  })
}

const idsOf = (tokens: readonly OauthToken[]): string[] => tokens.map(({ id }) => id)

/** Workspaces that are unlinked at once. */
const batchSize = 50

/** Unlinks the workspaces that these tokens link, each batch in a transaction of its own, so that nobody waits long. */
const unlinkMost = (deps: ConnectionDeps, author: Author, tokenIds: readonly string[]): Promise<string[]> =>
  untilNoneIsLeft(() => inTransaction(deps.db, (tx) => unlinkRepositories(deps, tx, author, tokenIds)))

/** Unlinks the workspaces that others have linked since then. */
const unlinkRest = (deps: ConnectionDeps, tx: Tx, author: Author, tokenIds: readonly string[]): Promise<string[]> =>
  untilNoneIsLeft(() => unlinkRepositories(deps, tx, author, tokenIds))

/** A batch that others got ahead of is smaller, so that its size does not tell whether it was the last one. */
async function untilNoneIsLeft(unlinkBatch: () => Promise<string[]>): Promise<string[]> {
  const unlinked: string[] = []
  for (;;) {
    const batch = await unlinkBatch()
    if (batch.length === 0) return unlinked
    unlinked.push(...batch)
  }
}

/** Removes the repositories that were reached by these tokens from a batch of workspaces; returns which. */
async function unlinkRepositories(
  deps: ConnectionDeps,
  tx: Tx,
  author: Author,
  tokenIds: readonly string[],
): Promise<string[]> {
  const unlinked: string[] = []
  for (const id of await listLinkedWorkspaces(tx, tokenIds, batchSize)) {
    const { before, after } = await changeInTransaction(deps, tx, author, { id }, async ({ vcsRepo }) =>
      tokenIds.includes(vcsRepo?.oauthTokenId ?? '')
        ? {
            members: { vcsRepo: null, updatedAt: deps.clock.now() },
            update: { before: { 'vcs-repo': describeRepo(vcsRepo) }, after: { 'vcs-repo': null } },
          }
        : undefined,
    )
    if (before !== after) unlinked.push(id)
  }
  return unlinked
}

/** Sets the SSH key of a token; it is encrypted and never returned. */
export async function setTokenSshKey(
  deps: ConnectionDeps,
  author: Author,
  token: OauthToken,
  sshKey: string | undefined,
): Promise<OauthToken> {
  if (sshKey === undefined) return token
  const sealed = deps.keyring.seal(sshKey, sshKeyPlace(token.id))
  return inTransaction(deps.db, async (tx) => {
    if (!(await lockTokenForUpdate(tx, token.id))) throw hidden()
    await saveSshKey(tx, token.id, sealed)
    await recordChange(deps, tx, author, { ...tokenChange(token), action: 'set-ssh-key' })
    return { ...token, hasSshKey: true }
  })
}

/** Removes a token; workspaces lose the repositories they reached by it. */
export async function removeToken(deps: ConnectionDeps, author: Author, token: OauthToken): Promise<void> {
  const unlinked = await unlinkMost(deps, author, [token.id])
  await inTransaction(deps.db, async (tx) => {
    if (!(await deleteToken(tx, token.id))) throw hidden()
    const last = await unlinkRest(deps, tx, author, [token.id])
    const before = { 'oauth-client': token.clientId, 'unlinked-workspaces': [...unlinked, ...last] }
    await recordChange(deps, tx, author, { ...tokenChange(token), action: 'delete', before })
  })
}
