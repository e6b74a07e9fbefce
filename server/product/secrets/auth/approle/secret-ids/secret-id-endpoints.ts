import { toIsoNano } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Operation } from '../../../../../kit/access.ts'
import { fields } from '../../../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint, Type } from '../../../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../../../kit/envelope.ts'
import { field } from '../../../../../kit/fields.ts'
import { listTerms, namesReply } from '../../../../../kit/list.ts'
import { model } from '../../../../../kit/model.ts'
import { data, nothing, type Reply } from '../../../../../kit/reply.ts'
import { mountOf } from '../../../../../kit/request.ts'
import { addressedRole, type KnownRole, requireRole, roleParams } from '../../../login-roles/index.ts'
import type { AppRole } from '../roles/role.ts'
import { appRoles } from '../roles/role-actions.ts'
import { isLive, type SecretId } from './secret-id.ts'
import { hashOf, makeSecretId, tidySoon } from './secret-id-actions.ts'
import { deleteByAccessor, deleteSecretId, findByAccessor, findSecretId, listAccessors } from './secret-id-store.ts'

const made = {
  secret_id: Type.String({ description: 'The secret id; it is shown this once.' }),
  secret_id_accessor: Type.String({ description: 'Names the secret id without giving access.' }),
  secret_id_ttl: Type.Integer({ description: 'Seconds for which it is good; 0 for no end.' }),
  secret_id_num_uses: Type.Integer({ description: 'How many logins it is good for; 0 for no limit.' }),
}

const MadeSecretIdAnswer = model('MadeSecretId', made)

const time = (description: string) => Type.String({ description })

const SecretIdAnswer = model('SecretId', {
  secret_id_accessor: made.secret_id_accessor,
  secret_id_num_uses: Type.Integer({ description: 'How many logins are left; 0 for no limit.' }),
  secret_id_ttl: made.secret_id_ttl,
  creation_time: time('When it was made.'),
  expiration_time: time('When it ends; `0001-01-01T00:00:00Z` for never.'),
  last_updated_time: time('When it was last used.'),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'Becomes metadata of its tokens.' }),
  cidr_list: Type.Array(Type.String(), { description: 'From where it is accepted.' }),
  token_bound_cidrs: Type.Array(Type.String(), { description: 'The bounds of its tokens.' }),
})

const answerOf = (secretId: SecretId): Record<string, unknown> => ({
  secret_id_accessor: secretId.accessor,
  secret_id_num_uses: secretId.usesLeft,
  secret_id_ttl: secretId.ttl,
  creation_time: toIsoNano(secretId.createdAt),
  expiration_time: secretId.expiresAt === undefined ? '0001-01-01T00:00:00Z' : toIsoNano(secretId.expiresAt),
  last_updated_time: toIsoNano(secretId.updatedAt),
  metadata: secretId.metadata,
  cidr_list: secretId.cidrs,
  token_bound_cidrs: secretId.tokenCidrs,
})

const newFields = {
  metadata: field.textMap('Becomes metadata of its tokens; also accepted as JSON text.'),
  cidr_list: field.list('From where it is accepted; within the blocks of the role.'),
  token_bound_cidrs: field.list('The bounds of its tokens; within those of the role.'),
  num_uses: field.whole('How many logins it is good for; at most what the role says, which is also the default.', {
    minimum: 0,
  }),
  ttl: field.seconds('How long it is good for; at most what the role says, which is also the default.'),
}

const SecretIdField = { secret_id: field.text('The secret id.') }
const AccessorField = { secret_id_accessor: field.text('The accessor of the secret id.') }

type RoleCall = Parameters<typeof requireRole>[0]

async function make(
  call: RoleCall & Pick<Call<Record<string, string>, unknown, Parameters<typeof makeSecretId>[3]['input']>, 'body'>,
  custom?: string,
): Promise<Reply> {
  const known = await requireRole(call, appRoles, 'update')
  const wish = { input: call.body, ...(custom === undefined ? {} : { custom }) }
  const { text, accessor, ttl, numUses } = await makeSecretId(call.deps, mountOf(call.request), known, wish)
  return data({ secret_id: text, secret_id_accessor: accessor, secret_id_ttl: ttl, secret_id_num_uses: numUses })
}

const required = (name: string, value: string | undefined): string => {
  if (value) return value
  throw failure('invalid', 'approle-secret-id.missing', `missing ${name}`)
}

const keyOf = (call: RoleCall, { id }: KnownRole<AppRole>, text: string): string =>
  hashOf(call.deps, { mountId: mountOf(call.request).id, roleId: id }, text)

async function destroy(call: RoleCall, operation: Operation, sent: string | undefined): Promise<Reply> {
  const secretId = required('secret_id', sent)
  const known = await addressedRole(call, appRoles, operation)
  if (known) await deleteSecretId(call.deps.db, keyOf(call, known, secretId))
  return nothing(204)
}

async function destroyByAccessor(call: RoleCall, operation: Operation, sent: string | undefined): Promise<Reply> {
  const accessor = required('secret_id_accessor', sent)
  const known = await addressedRole(call, appRoles, operation)
  const isThere = known !== undefined && (await deleteByAccessor(call.deps.db, known.id, accessor))
  if (!isThere) call.warn('The role has no secret id with this accessor; it may have expired or been used up.')
  return nothing(204)
}

/** Clients look for these words, and take them to mean that the secret id is gone. */
const noAccessor = () =>
  failure('missing', 'approle-secret-id.no-accessor', 'failed to find accessor entry for secret_id_accessor')

const common = { access: acl(), params: roleParams } as const

/** Secret ids of application roles. */
export const secretIdEndpoints: readonly MountEndpoint[] = [
  endpoint({
    ...common,
    id: 'approle-secret-ids.make',
    route: 'POST /role/:name/secret-id',
    summary: 'Make a secret id of an application role.',
    body: fields(Type.Object(newFields), { narrowing: /cidr/ }),
    returns: { 200: MadeSecretIdAnswer },
    fails: ['invalid', 'missing'],
    example: { request: { metadata: { build: '42' }, ttl: '10m' } },
    handle: (call) => make(call),
  }),
  endpoint({
    ...common,
    id: 'approle-secret-ids.make-custom',
    route: 'POST /role/:name/custom-secret-id',
    summary: 'Make a secret id of an application role from a text that you choose.',
    description: 'Chosen texts can be guessed; after several wrong ones, callers have to wait.',
    body: fields(Type.Object({ ...SecretIdField, ...newFields }), { narrowing: /cidr/ }),
    returns: { 200: MadeSecretIdAnswer },
    fails: ['invalid', 'missing'],
    handle: (call) => make(call, required('secret_id', call.body.secret_id?.trim())),
  }),
  endpoint({
    ...common,
    ...listTerms,
    id: 'approle-secret-ids.list',
    route: 'LIST /role/:name/secret-id',
    summary: 'List the accessors of the secret ids of an application role.',
    returns: { 200: KeyList },
    handle: async (call) => {
      const { id } = await requireRole(call, appRoles, 'list')
      return await namesReply(call, (db, place) => listAccessors(db, id, place))
    },
  }),
  endpoint({
    ...common,
    id: 'approle-secret-ids.lookup',
    route: 'POST /role/:name/secret-id/lookup',
    summary: 'Read what is known of a secret id.',
    body: fields(Type.Object(SecretIdField)),
    returns: { 200: SecretIdAnswer, 204: null },
    fails: ['invalid', 'missing'],
    handle: async (call) => {
      const text = required('secret_id', call.body.secret_id)
      const known = await requireRole(call, appRoles, 'update')
      const found = await findSecretId(call.deps.db, keyOf(call, known, text))
      return found && isLive(found, call.deps.clock.now()) ? data(answerOf(found)) : nothing(204)
    },
  }),
  endpoint({
    ...common,
    id: 'approle-secret-ids.destroy',
    route: 'POST /role/:name/secret-id/destroy',
    summary: 'Destroy a secret id.',
    body: fields(Type.Object(SecretIdField)),
    returns: { 204: null },
    fails: ['invalid'],
    handle: (call) => destroy(call, 'update', call.body.secret_id),
  }),
  endpoint({
    ...common,
    id: 'approle-secret-ids.delete',
    route: 'DELETE /role/:name/secret-id/destroy',
    summary: 'Destroy a secret id that the query names.',
    query: Type.Object(SecretIdField),
    secretPath: true,
    returns: { 204: null },
    fails: ['invalid'],
    handle: (call) => destroy(call, 'delete', call.query.secret_id),
  }),
  endpoint({
    ...common,
    id: 'approle-accessors.lookup',
    route: 'POST /role/:name/secret-id-accessor/lookup',
    summary: 'Read what is known of the secret id with an accessor.',
    body: fields(Type.Object(AccessorField)),
    returns: { 200: SecretIdAnswer },
    fails: ['invalid', 'missing'],
    handle: async (call) => {
      const accessor = required('secret_id_accessor', call.body.secret_id_accessor)
      const { id } = await requireRole(call, appRoles, 'update')
      const found = await findByAccessor(call.deps.db, id, accessor)
      if (!found || !isLive(found, call.deps.clock.now())) throw noAccessor()
      return data(answerOf(found))
    },
  }),
  endpoint({
    ...common,
    id: 'approle-accessors.destroy',
    route: 'POST /role/:name/secret-id-accessor/destroy',
    summary: 'Destroy the secret id with an accessor.',
    body: fields(Type.Object(AccessorField)),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    handle: (call) => destroyByAccessor(call, 'update', call.body.secret_id_accessor),
  }),
  endpoint({
    ...common,
    id: 'approle-accessors.delete',
    route: 'DELETE /role/:name/secret-id-accessor/destroy',
    summary: 'Destroy the secret id with an accessor that the query names.',
    query: Type.Object(AccessorField),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid'],
    handle: (call) => destroyByAccessor(call, 'delete', call.query.secret_id_accessor),
  }),
  endpoint({
    id: 'approle-secret-ids.tidy',
    route: 'POST /tidy/secret-id',
    summary: 'Remove secret ids that have expired, which the server also does every hour.',
    access: acl(),
    returns: { 200: WarningsAlone, 202: WarningsAlone },
    handle: async ({ deps, warn }) => {
      const isStarted = await tidySoon(deps)
      warn(isStarted ? 'Tidy operation successfully started.' : 'Tidy operation already in progress.')
      return { kind: 'data', status: isStarted ? 202 : 200 }
    },
  }),
]
