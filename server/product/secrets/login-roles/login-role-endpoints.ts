import type { Static, TObject } from 'typebox'
import { aclRequestOf, type Operation, permissionDenied } from '../../../kit/access.ts'
import { fields } from '../../../kit/bodies.ts'
import { acl, type Call, endpoint, type MountEndpoint } from '../../../kit/endpoint.ts'
import { KeyList, WarningsAlone } from '../../../kit/envelope.ts'
import { checkEquivalentPaths } from '../../../kit/equivalent-paths.ts'
import type { FieldAliases } from '../../../kit/field-notes.ts'
import { listTerms, namesReply } from '../../../kit/list.ts'
import { data, nothing, type Reply } from '../../../kit/reply.ts'
import { mountOf } from '../../../kit/request.ts'
import type { LoginRole } from './login-role.ts'
import { findRole, type KnownRole, noRole, type RoleKind, removeRole, writeRole } from './login-role-actions.ts'
import { listRoleNames } from './login-role-store.ts'

type RoleCall = Pick<Call, 'deps' | 'caller' | 'request' | 'params' | 'warn'>

/** Linked roles give access to the other API, so a right to write roles is not enough to write one. */
export async function requireLinkSudo(call: Pick<Call, 'deps' | 'caller' | 'request'>): Promise<void> {
  const { deps, caller, request } = call
  const aclRequest = aclRequestOf(request, 'update', { sudo: true })
  const refused = () =>
    permissionDenied({ cause: new Error("A role with 'platform_team' or 'platform_user' is written with sudo only.") })
  if (caller.kind !== 'token' || !(await deps.policies.authorize(caller, aclRequest)).allowed) throw refused()
  await checkEquivalentPaths(call, 'update', { sudo: true })
}

/** The role a call addresses, if there is one; refuses callers who may not do this to it. */
export async function addressedRole<R extends LoginRole>(
  call: RoleCall,
  kind: RoleKind<R, never>,
  operation: Operation,
): Promise<KnownRole<R> | undefined> {
  await checkEquivalentPaths(call, operation)
  return await findRole(call.deps.db, kind, mountOf(call.request).id, call.params.name ?? '')
}

/** The role a call is about; refuses if there is none. */
export async function requireRole<R extends LoginRole>(
  call: RoleCall,
  kind: RoleKind<R, never>,
  operation: Operation,
): Promise<KnownRole<R>> {
  const found = await addressedRole(call, kind, operation)
  if (!found) throw noRole(call.params.name ?? '')
  return found
}

/** Writes fields of the role that a call addresses. */
export async function writeAddressedRole<R extends LoginRole, I extends object>(
  call: RoleCall,
  kind: RoleKind<R, I>,
  input: I,
  { mustExist = false } = {},
): Promise<Reply> {
  const { deps, request, params, warn } = call
  await checkEquivalentPaths(call, 'update')
  const wish = { name: params.name ?? '', input, mustExist, checkLink: () => requireLinkSudo(call) }
  for (const text of await writeRole(deps, mountOf(request), kind, wish)) warn(text)
  return nothing()
}

/** What the path of a role says. */
export const roleParams = { name: { description: 'Name of the role; case-insensitive.', example: 'web' } } as const

/** How the roles of a method are written and shown. */
type RoleDocument<R extends LoginRole, B extends TObject> = {
  readonly kind: RoleKind<R, Static<B>>
  /** What comes before the verb in the ids of the endpoints: `approle-roles`. */
  readonly ids: string
  /** What texts call such a role: `an application role`. */
  readonly noun: string
  readonly nouns: string
  readonly body: B
  readonly aliases: FieldAliases
  readonly answer: TObject
  readonly show: (role: R) => Record<string, unknown>
  readonly example: object
}

/** The fields of a role that narrow who gets a token by it. */
const narrowing = /bound_|^bind_|^allowed_/

/** List, read, write and delete of the roles of a method, below `role`. */
export function roleEndpoints<R extends LoginRole, B extends TObject>(
  document: RoleDocument<R, B>,
): readonly MountEndpoint[] {
  const { kind, ids, noun, nouns, answer, show } = document
  const common = { access: acl(), params: roleParams } as const
  return [
    endpoint({
      ...listTerms,
      id: `${ids}.list`,
      route: 'LIST /role',
      summary: `List ${nouns}.`,
      access: acl(),
      returns: { 200: KeyList },
      handle: (call) => {
        const { id } = mountOf(call.request)
        return namesReply(call, (db, place) => listRoleNames(db, id, place))
      },
    }),
    endpoint({
      ...common,
      id: `${ids}.read`,
      route: 'GET /role/:name',
      summary: `Read ${noun}.`,
      returns: { 200: answer },
      fails: ['missing'],
      handle: async (call) => {
        const found = await addressedRole(call, kind as RoleKind<R, never>, 'read')
        return found ? data(show(found.role)) : nothing()
      },
    }),
    endpoint({
      ...common,
      id: `${ids}.write`,
      route: 'POST /role/:name',
      summary: `Create or update ${noun}.`,
      description:
        'Omitted fields keep their values. If there are warnings the status is 200 instead of 204; the role is stored ' +
        'either way. A role that has `platform_team`, before or after the write, needs the `sudo` capability.',
      body: fields(document.body, { aliases: document.aliases, narrowing }),
      returns: { 200: WarningsAlone, 204: null },
      fails: ['invalid'],
      example: { request: document.example },
      exists: async ({ deps, request, params }) =>
        (await findRole(deps.db, kind as RoleKind<R, never>, mountOf(request).id, params.name ?? '')) !== undefined,
      handle: (call) => writeAddressedRole(call, kind, call.body as Static<B> & object),
    }),
    endpoint({
      ...common,
      id: `${ids}.delete`,
      route: 'DELETE /role/:name',
      summary: `Delete ${noun}.`,
      returns: { 204: null },
      handle: async (call) => {
        await checkEquivalentPaths(call, 'delete')
        await removeRole(call.deps, mountOf(call.request).id, call.params.name ?? '')
        return nothing()
      },
    }),
  ]
}
