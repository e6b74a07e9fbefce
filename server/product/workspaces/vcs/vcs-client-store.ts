import type { Sealed } from '../../../crypto/keyring.ts'
import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type ColumnsOf, columnsOfSome, rowReader, rowWriter } from '../../../kit/field-set.ts'
import type { Queryable, Tx } from '../../../storage/open.ts'
import { bumpVersion } from '../../../storage/versions.ts'
import type { OauthClient, OauthToken } from './vcs-client.ts'
import { facts, origin, settings, tokenFacts } from './vcs-client-fields.ts'

/** A version control provider as an organization connects to it. */
interface OauthClientRow
  extends ColumnsOf<typeof settings.fields>,
    ColumnsOf<typeof origin.fields>,
    ColumnsOf<typeof facts.fields> {
  id: string
  organization_id: string
  organization_scoped: number
  updated_at: number
  /** What signs requests, sealed. */
  secret: Uint8Array | null
}

/** A credential for a version control provider; workspaces name it in their `vcs-repo`. */
interface OauthTokenRow extends ColumnsOf<typeof tokenFacts.fields> {
  id: string
  organization_id: string
  oauth_client_id: string
  /** The provider's token, sealed. */
  token: Uint8Array | null
  service_provider_user: string | null
}

/** A private key that goes with a token, for submodules; sealed. */
interface OauthSshKeyRow {
  oauth_token_id: string
  value: Uint8Array
}

declare module '../../../storage/tables.ts' {
  interface DescribedTables {
    oauth_clients: OauthClientRow
    oauth_tokens: OauthTokenRow
    oauth_ssh_keys: OauthSshKeyRow
  }
}

type Page = { readonly offset: number; readonly limit: number }

const toClient: (row: OauthClientRow) => OauthClient = rowReader([settings, origin, facts], {
  id: (row) => row.id as Id<'oc'>,
  organizationId: (row) => row.organization_id,
  hasSecret: (row) => row.secret !== null,
})

const toClientRow: (client: OauthClient) => Omit<OauthClientRow, 'secret'> = rowWriter([settings, origin, facts], {
  id: (client) => client.id,
  organization_id: (client) => client.organizationId,
  organization_scoped: () => 1,
  updated_at: (client) => client.createdAt,
})

const tokenColumns = ['id', 'organization_id', 'oauth_client_id', 'has_ssh_key', 'created_at'] as const

type TokenRow = Pick<OauthTokenRow, (typeof tokenColumns)[number]>

const toToken: (row: TokenRow) => OauthToken = rowReader([tokenFacts], {
  id: (row) => row.id as Id<'ot'>,
  organizationId: (row) => row.organization_id,
  clientId: (row) => row.oauth_client_id,
})

const toTokenRow: (token: OauthToken) => TokenRow = rowWriter([tokenFacts], {
  id: (token) => token.id,
  organization_id: (token) => token.organizationId,
  oauth_client_id: (token) => token.clientId,
})

/** A connection by its id. */
export async function loadClient(db: Queryable, id: string): Promise<OauthClient | undefined> {
  const row = await db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toClient(row)
}

/** The same, locked: nobody can change or delete it before the transaction ends. */
export async function lockClientForUpdate(tx: Tx, id: string): Promise<OauthClient | undefined> {
  const row = await tx.selectFrom('oauth_clients').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toClient(row)
}

/** One page of the connections of an organization, the oldest first, and how many there are. */
export async function listClients(
  db: Queryable,
  organizationId: string,
  page: Page,
): Promise<{ clients: OauthClient[]; total: number }> {
  const all = db.selectFrom('oauth_clients').where('organization_id', '=', organizationId)
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ordered = all.selectAll().orderBy('created_at').orderBy('id')
  const rows = await ordered.offset(page.offset).limit(page.limit).execute()
  return { clients: rows.map(toClient), total: Number(total) }
}

/** A token by its id. */
export async function loadToken(db: Queryable, id: string): Promise<OauthToken | undefined> {
  const row = await db.selectFrom('oauth_tokens').select(tokenColumns).where('id', '=', id).executeTakeFirst()
  return row && toToken(row)
}

/** True if there is such a token, locked: nobody can change or delete it before the transaction ends. */
export async function lockTokenForUpdate(tx: Tx, id: string): Promise<boolean> {
  const row = await tx.selectFrom('oauth_tokens').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return row !== undefined
}

/** The tokens of these connections, the oldest first. */
export async function listTokensOf(db: Queryable, clientIds: readonly string[]): Promise<OauthToken[]> {
  if (clientIds.length === 0) return []
  const query = db.selectFrom('oauth_tokens').select(tokenColumns).where('oauth_client_id', 'in', clientIds)
  return (await query.orderBy('created_at').orderBy('id').execute()).map(toToken)
}

/** One page of the tokens of an organization, the oldest first, and how many there are. */
export async function listTokens(
  db: Queryable,
  organizationId: string,
  page: Page,
): Promise<{ tokens: OauthToken[]; total: number }> {
  const all = db.selectFrom('oauth_tokens').where('organization_id', '=', organizationId)
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const ordered = all.select(tokenColumns).orderBy('created_at').orderBy('id')
  const rows = await ordered.offset(page.offset).limit(page.limit).execute()
  return { tokens: rows.map(toToken), total: Number(total) }
}

/** Stores a connection. */
export async function insertClient(tx: Tx, client: OauthClient, secret: Sealed | null): Promise<void> {
  await tx
    .insertInto('oauth_clients')
    .values({ ...toClientRow(client), secret })
    .execute()
}

/** Stores the token of a connection. */
export async function insertToken(tx: Tx, token: OauthToken, sealed: Sealed): Promise<void> {
  await tx
    .insertInto('oauth_tokens')
    .values({ ...toTokenRow(token), token: sealed, service_provider_user: null })
    .execute()
}

/** Stores the settings of a connection; documents of workspaces show them. */
export async function updateClient(tx: Tx, client: OauthClient, at: Instant): Promise<void> {
  const columns = { ...columnsOfSome(settings.fields, client), updated_at: at }
  await tx.updateTable('oauth_clients').set(columns).where('id', '=', client.id).execute()
  bumpVersion(tx, 'organizations')
}

/** Replaces or removes the secret of a connection. */
export async function saveSecret(tx: Tx, id: string, secret: Sealed | null): Promise<void> {
  await tx.updateTable('oauth_clients').set({ secret }).where('id', '=', id).execute()
}

/** Replaces the text of a token; false when it is gone. */
export async function replaceToken(tx: Tx, id: string, sealed: Sealed): Promise<boolean> {
  const query = tx.updateTable('oauth_tokens').set({ token: sealed }).where('id', '=', id)
  return (await query.executeTakeFirst()).numUpdatedRows === 1n
}

/** Sets the SSH key of a token, replacing the one it had. */
export async function saveSshKey(tx: Tx, tokenId: string, value: Sealed): Promise<void> {
  await tx
    .insertInto('oauth_ssh_keys')
    .values({ oauth_token_id: tokenId, value })
    .onConflict((conflict) => conflict.column('oauth_token_id').doUpdateSet({ value }))
    .execute()
  await tx.updateTable('oauth_tokens').set({ has_ssh_key: 1 }).where('id', '=', tokenId).execute()
}

/** Removes the SSH key of a token. */
export async function deleteSshKey(tx: Tx, tokenId: string): Promise<void> {
  await tx.deleteFrom('oauth_ssh_keys').where('oauth_token_id', '=', tokenId).execute()
  await tx.updateTable('oauth_tokens').set({ has_ssh_key: 0 }).where('id', '=', tokenId).execute()
}

/** Up to so many of the workspaces that reach their repository by one of these tokens. */
export async function listLinkedWorkspaces(
  db: Queryable,
  tokenIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('workspaces')
    .select('id')
    .where('vcs_oauth_token_id', 'in', tokenIds)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes a connection with its tokens; false when it was gone already. */
export async function deleteClient(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('oauth_clients').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Removes a token; false when it was gone already. */
export async function deleteToken(tx: Tx, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('oauth_tokens').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}
