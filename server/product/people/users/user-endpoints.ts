import {
  actorOf,
  anyActor,
  anyPerson,
  canInOrganization,
  grantsOf,
  hidden,
  type OrganizationGrants,
} from '../../../access/permissions/index.ts'
import { failure } from '../../../kernel/failure.ts'
import { isId } from '../../../kernel/ids.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { secret } from '../../../kernel/secret.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import {
  type Access,
  type Call,
  defineEndpoints,
  type Endpoint,
  endpoint,
  type RuleCall,
} from '../../../kit/endpoint.ts'
import { answerOne, documentSchema, type Resource, requireSameId, showQuery } from '../../../kit/jsonapi/index.ts'
import { invitationIdOf } from './invited/invitation.ts'
import { loadInvited } from './invited/invitation-store.ts'
import { passwordClaim, requirePassword, setPassword, wrongPassword } from './password-actions.ts'
import { isVerifiedWhenSet, type User } from './user.ts'
import { changeUser } from './user-actions.ts'
import {
  accountBody,
  passwordBody,
  serviceUserId,
  toInvitedResource,
  toServiceUserResource,
  toUserResource,
  userSchema,
} from './user-fields.ts'
import { belongsToOneOf, loadUser, loadUsers, membersAmong } from './user-store.ts'

/**
 * Those of the people whose e-mail address the caller sees: the caller, members of organizations whose people the
 * caller manages, and everyone for site administrators.
 */
async function visibleEmailOwners(
  { deps, caller }: Pick<Call, 'deps' | 'caller'>,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const actor = actorOf(caller)
  if (actor.siteAdmin) return new Set(userIds)
  const others = userIds.filter((id) => id !== actor.id)
  const grants = [...(await grantsOf(deps, actor)).byId.values()]
  const managing = grants.filter((each) => canInOrganization(each, 'can-manage-users'))
  const managed = managing.map((each) => each.organizationId)
  return new Set([...(await membersAmong(deps.db, others, managed)), ...(actor.kind === 'user' ? [actor.id] : [])])
}

const userDocument = documentSchema(userSchema)

/** The person behind the call. */
async function personOf(call: Pick<Call, 'deps' | 'caller'>): Promise<User> {
  const user = await loadUser(call.deps.db, actorOf(call.caller).id)
  if (!user) throw failure('unauthenticated', 'user.missing', 'This person does not exist any more.')
  return user
}

/**
 * People see themselves and those they share an organization with; those who manage people see e-mail addresses too.
 * Whom these organizations have invited is seen as its membership shows it. The service accounts of the caller's
 * organizations and teams are seen as well: they hold locks and are named as authors.
 */
const visibleUser: Access<Resource> = {
  kind: 'rule',
  name: 'user:read',
  check: async (call: RuleCall): Promise<Resource> => {
    const actor = actorOf(call.caller)
    const id = call.params.userId ?? ''
    const user = isId('user', id) ? await loadUser(call.deps.db, id) : undefined
    const { byId } = await grantsOf(call.deps, actor)
    if (!user) {
      const invited = isId('user', id) ? await loadInvited(call.deps.db, invitationIdOf(id)) : undefined
      if (invited && (byId.has(invited.organizationId) || actor.siteAdmin)) return toInvitedResource(invited)
      const owner = [...byId.values()].flatMap(serviceOwnersIn).find((each) => serviceUserId(each) === id)
      if (!owner) throw hidden()
      return toServiceUserResource(owner)
    }
    const self = actor.kind === 'user' && actor.id === user.id
    const shared = await belongsToOneOf(call.deps.db, user.id, [...byId.keys()])
    if (!(self || shared || actor.siteAdmin)) throw hidden()
    const email = (await visibleEmailOwners(call, [user.id])).has(user.id)
    return toUserResource(user, { email, self })
  },
}

/** A token ends some day and is not accepted everywhere, so it must not turn into a password, which is for good. */
function requireNoUserToken({ caller }: Pick<Call, 'caller'>): void {
  if (actorOf(caller).tokenId === '') return
  const text = 'A user token cannot set the first password: ask an administrator for a link to set one.'
  throw failure('refused', 'password.by-token', text)
}

type ServiceOwner = Pick<ActorPrincipal, 'kind' | 'id' | 'name'>

/** The organization and the caller's teams in it: each acts as a service account. */
const serviceOwnersIn = ({ organizationId, organizationName, teamIds }: OrganizationGrants): ServiceOwner[] => [
  { kind: 'organization', id: organizationId, name: organizationName },
  ...[...teamIds].map((id): ServiceOwner => ({ kind: 'team', id, name: '' })),
]

/** What people read and change about themselves and each other. */
export const userEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'account.details',
    route: 'GET /account/details',
    summary: 'Read the account of the caller.',
    access: anyActor(),
    forRuns: 'tool',
    query: showQuery(),
    returns: { 200: userDocument },
    handle: async (call) =>
      call.subject.kind === 'user'
        ? answerOne(call, toUserResource(await personOf(call), { email: true, self: true }))
        : answerOne(call, toServiceUserResource(call.subject)),
  }),
  endpoint({
    id: 'account.update',
    route: 'PATCH /account/update',
    summary: 'Change your own username or e-mail address.',
    description:
      'An e-mail address that you set yourself is not verified, and accepts no invitations; one that a site ' +
      'administrator sets is. Repeating the present address changes nothing.',
    access: anyPerson(),
    query: showQuery(),
    body: accountBody,
    returns: { 200: userDocument },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const user = await personOf(call)
      requireSameId(call.body, user.id)
      const { attributes } = call.body
      const { siteAdmin } = actorOf(call.caller)
      const changed = await changeUser(call.deps, authorOf(call), user.id, (before) => ({
        ...attributes,
        ...(attributes.email === undefined
          ? {}
          : { emailVerified: isVerifiedWhenSet(before, attributes.email, siteAdmin) }),
      }))
      return answerOne(call, toUserResource(changed, { email: true, self: true }))
    },
  }),
  endpoint({
    id: 'account.password',
    route: 'PATCH /account/password',
    summary: 'Change your own password; this ends all sessions.',
    description:
      'A wrong current password is tolerated a few times; after that each failure lengthens the wait before the ' +
      'next try. A user token cannot set the first password: use an invitation link, or a session that did not begin ' +
      'with a token.',
    notRehearsed: 'wrong passwords are counted',
    access: anyPerson(),
    query: showQuery(),
    body: passwordBody,
    returns: { 200: userDocument },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const user = await personOf(call)
      requireSameId(call.body, user.id)
      const { currentPassword = '', password } = call.body.attributes
      if (!user.hasPassword) requireNoUserToken(call)
      const hash = user.hasPassword ? await requirePassword(call.deps, user.id, secret(currentPassword)) : null
      const claim = passwordClaim(user.id, hash, wrongPassword)
      await setPassword(call.deps, authorOf(call), { user, password: secret(password), claim })
      return answerOne(call, toUserResource({ ...user, hasPassword: true }, { email: true, self: true }))
    },
  }),
  endpoint({
    id: 'users.show',
    route: 'GET /users/:userId',
    summary:
      'Read a user you share an organization with or that it has invited, or the service account of your team or ' +
      'organization.',
    access: visibleUser,
    params: { userId: { description: 'Identifier of the user.' } },
    query: showQuery(),
    returns: { 200: userDocument },
    fails: ['missing'],
    handle: (call) => answerOne(call, call.subject),
  }),
])

/** People as they are included with something else: as the caller sees them at their own address. */
export async function renderUsers(call: Pick<Call, 'deps' | 'caller'>, ids: readonly string[]): Promise<Resource[]> {
  if (ids.length === 0) return []
  const users = await loadUsers(call.deps.db, ids)
  const withAddress = await visibleEmailOwners(call, ids)
  const actor = actorOf(call.caller)
  return users.map((user) => toUserResource(user, { email: withAddress.has(user.id), self: actor.id === user.id }))
}
