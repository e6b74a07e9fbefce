import { type TSchema, Type } from 'typebox'
import { fields } from '../../../../../kit/bodies.ts'
import { acl, endpoint, type MountEndpoint } from '../../../../../kit/endpoint.ts'
import { WarningsAlone } from '../../../../../kit/envelope.ts'
import { model } from '../../../../../kit/model.ts'
import { data } from '../../../../../kit/reply.ts'
import { requireRole, roleEndpoints, roleParams, writeAddressedRole } from '../../../login-roles/index.ts'
import { type AppRole, blankRole } from './role.ts'
import { appRoles } from './role-actions.ts'
import { RoleBody, type RoleInput, roleAliases, roleFields } from './role-fields.ts'

const RoleAnswer = model('AppRole', roleFields.shown)

/** A field that has paths of its own: what it is called there, and in a write of the role. */
type SingleField = {
  readonly path: string
  /** The name in the body and the answer. */
  readonly name: keyof RoleInput & string
  /** The field of the role, and the name by which a write sends it. */
  readonly field: keyof AppRole
  readonly sentAs: keyof typeof roleFields.body
}

const single = (path: string, field: keyof AppRole, sentAs: SingleField['sentAs']): SingleField => ({
  path,
  name: path.replaceAll('-', '_') as SingleField['name'],
  field,
  sentAs,
})

const singleFields: readonly SingleField[] = [
  single('policies', 'tokenPolicies', 'token_policies'),
  single('bound-cidr-list', 'secretIdBoundCidrs', 'secret_id_bound_cidrs'),
  single('secret-id-bound-cidrs', 'secretIdBoundCidrs', 'secret_id_bound_cidrs'),
  single('token-bound-cidrs', 'tokenBoundCidrs', 'token_bound_cidrs'),
  single('bind-secret-id', 'bindSecretId', 'bind_secret_id'),
  single('secret-id-num-uses', 'secretIdNumUses', 'secret_id_num_uses'),
  single('secret-id-ttl', 'secretIdTtl', 'secret_id_ttl'),
  single('period', 'tokenPeriod', 'token_period'),
  single('token-num-uses', 'tokenNumUses', 'token_num_uses'),
  single('token-ttl', 'tokenTtl', 'token_ttl'),
  single('token-max-ttl', 'tokenMaxTtl', 'token_max_ttl'),
]

const common = { access: acl(), params: roleParams } as const

/** Read, write and reset of one field of a role. */
function singleEndpoints({ path, name, field, sentAs }: SingleField): MountEndpoint[] {
  const route = `/role/:name/${path}` as const
  const words = path.replaceAll('-', ' ')
  const shown: TSchema = roleFields.shown[sentAs]
  const document = blankRole('')
  return [
    endpoint({
      ...common,
      id: `approle-role-${path}.read`,
      route: `GET ${route}`,
      summary: `Read ${words} of an application role.`,
      returns: { 200: Type.Object({ [name]: shown }) },
      fails: ['missing'],
      handle: async (call) => data({ [name]: (await requireRole(call, appRoles, 'read')).role[field] }),
    }),
    endpoint({
      ...common,
      id: `approle-role-${path}.write`,
      route: `POST ${route}`,
      summary: `Change ${words} of an application role.`,
      body: fields(Type.Object({ [name]: RoleBody.properties[sentAs] as TSchema })),
      returns: { 200: WarningsAlone, 204: null },
      fails: ['invalid', 'missing'],
      handle: (call) => {
        const sent = (call.body as Record<string, unknown>)[name] ?? document[field]
        return writeAddressedRole(call, appRoles, { [sentAs]: sent } as RoleInput, { mustExist: true })
      },
    }),
    endpoint({
      ...common,
      id: `approle-role-${path}.reset`,
      route: `DELETE ${route}`,
      summary: `Set ${words} of an application role back to the default.`,
      returns: { 200: WarningsAlone, 204: null },
      fails: ['invalid', 'missing'],
      handle: (call) =>
        writeAddressedRole(call, appRoles, { [sentAs]: document[field] } as RoleInput, { mustExist: true }),
    }),
  ]
}

const RoleId = Type.Object({ role_id: Type.String({ description: 'The role id to log in with.' }) })

/** Application roles. */
export const appRoleEndpoints: readonly MountEndpoint[] = [
  ...roleEndpoints({
    kind: appRoles,
    ids: 'approle-roles',
    noun: 'an application role',
    nouns: 'application roles',
    body: RoleBody,
    aliases: roleAliases,
    answer: RoleAnswer,
    show: (role) => roleFields.toDocument(role),
    example: { token_policies: ['web'], secret_id_ttl: '10m', secret_id_num_uses: 1 },
  }),
  endpoint({
    ...common,
    id: 'approle-role-id.read',
    route: 'GET /role/:name/role-id',
    summary: 'Read the role id of an application role.',
    returns: { 200: RoleId },
    fails: ['missing'],
    handle: async (call) => data({ role_id: (await requireRole(call, appRoles, 'read')).role.roleId }),
  }),
  endpoint({
    ...common,
    id: 'approle-role-id.write',
    route: 'POST /role/:name/role-id',
    summary: 'Change the role id of an application role.',
    body: fields(Type.Object({ role_id: RoleBody.properties.role_id })),
    returns: { 200: WarningsAlone, 204: null },
    fails: ['invalid', 'missing'],
    handle: (call) => writeAddressedRole(call, appRoles, { role_id: call.body.role_id ?? '' }, { mustExist: true }),
  }),
  endpoint({
    ...common,
    id: 'approle-role-local.read',
    route: 'GET /role/:name/local-secret-ids',
    summary: 'Read whether the secret ids of an application role are local.',
    returns: { 200: Type.Object({ local_secret_ids: roleFields.shown.local_secret_ids }) },
    fails: ['missing'],
    handle: async (call) => data({ local_secret_ids: (await requireRole(call, appRoles, 'read')).role.localSecretIds }),
  }),
  ...singleFields.flatMap(singleEndpoints),
]
