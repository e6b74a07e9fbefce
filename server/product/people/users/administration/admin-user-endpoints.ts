import { siteAdministrator } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { secret } from '../../../../kernel/secret.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  answerOne,
  answerPage,
  documentSchema,
  invalidAttribute,
  pageSchema,
  requireSameId,
} from '../../../../kit/jsonapi/index.ts'
import { nothing } from '../../../../kit/reply.ts'
import { loadInvited } from '../invited/invited-store.ts'
import { issueLink } from '../links/link-actions.ts'
import { changeUser, createUser, noSuchPerson, removeInvited, removeUser } from '../user-actions.ts'
import { passwordProblem } from '../user-rules.ts'
import { toInvitedResource, userSchema } from '../user-wire.ts'
import {
  answerPerson,
  findAddressedUser,
  invitationOf,
  peoplePage,
  requireAddressedUser,
} from './admin-user-answers.ts'
import { administeredQuery, changedUserBody, newUserBody, personInPath, usersQuery } from './admin-user-wire.ts'

const document = documentSchema(userSchema)

/** Making, changing and removing people, for site administrators. */
export const adminUserEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'admin-users.list',
    route: 'GET /admin/users',
    summary: 'List all users, including people who are invited and have not joined yet.',
    access: siteAdministrator(),
    query: usersQuery,
    returns: { 200: pageSchema(userSchema) },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const { included, ...page } = await peoplePage(call)
      return answerPage(call, page, { included })
    },
  }),
  endpoint({
    id: 'admin-users.create',
    route: 'POST /admin/users',
    summary: 'Create a user; without a password, the response contains an invitation link.',
    description:
      'The e-mail address is verified, and accepts the invitations for it. It is taken from another user who has set ' +
      'it without being verified.',
    access: siteAdministrator(),
    query: administeredQuery,
    body: newUserBody,
    returns: { 201: document },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { username, email, password, isAdmin = false } = call.body.attributes
      const problem = password === undefined ? undefined : passwordProblem(password, username)
      if (problem) throw invalidAttribute('password', `Password ${problem}`)
      const wanted = {
        username,
        email,
        emailVerified: true,
        siteAdmin: isAdmin,
        password: password === undefined ? undefined : secret(password),
      }
      const user = await createUser(call.deps, authorOf(call), wanted)
      const path = password === undefined ? await issueLink(call.deps, user, 'invitation') : undefined
      const once = path === undefined ? {} : { 'invitation-url': `${call.request.origin}${path}` }
      return answerPerson(call, user, { created: true, once })
    },
  }),
  endpoint({
    id: 'admin-users.show',
    route: 'GET /admin/users/:userId',
    summary: 'Read a user, or someone who is invited.',
    access: siteAdministrator(),
    params: personInPath,
    query: administeredQuery,
    returns: { 200: document },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const user = await findAddressedUser(call)
      if (user) return answerPerson(call, user)
      const invited = await loadInvited(call.deps.db, invitationOf(call))
      if (!invited) throw noSuchPerson()
      return answerOne(call, toInvitedResource(invited))
    },
  }),
  endpoint({
    id: 'admin-users.update',
    route: 'PATCH /admin/users/:userId',
    summary: 'Change a user, or whether the user is a site administrator.',
    description:
      'An e-mail address that is set here is verified, and accepts the invitations for it. It is taken from another ' +
      'user who has set it without being verified.',
    access: siteAdministrator(),
    params: personInPath,
    query: administeredQuery,
    body: changedUserBody,
    returns: { 200: document },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const user = await requireAddressedUser(call)
      requireSameId(call.body, user.id)
      const { isAdmin, ...names } = call.body.attributes
      const changes = {
        ...names,
        ...(names.email === undefined ? {} : { emailVerified: true }),
        ...(isAdmin === undefined ? {} : { siteAdmin: isAdmin }),
      }
      return answerPerson(call, await changeUser(call.deps, authorOf(call), user.id, changes))
    },
  }),
  endpoint({
    id: 'admin-users.delete',
    route: 'DELETE /admin/users/:userId',
    summary:
      'Delete a user with all memberships, tokens and sessions, or withdraw the invitations of someone without an ' +
      'account.',
    access: siteAdministrator(),
    params: personInPath,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const user = await findAddressedUser(call)
      if (user) await removeUser(call.deps, authorOf(call), user.id)
      else await removeInvited(call.deps, authorOf(call), invitationOf(call))
      return nothing()
    },
  }),
  endpoint({
    id: 'admin-users.reset',
    route: 'POST /admin/users/:userId/actions/reset-password',
    summary: 'Create a link with which a user can set a new password.',
    access: siteAdministrator(),
    params: personInPath,
    query: administeredQuery,
    returns: { 201: document },
    fails: ['missing', 'malformed'],
    handle: async (call) => {
      const user = await requireAddressedUser(call)
      if (user.suspended) throw failure('malformed', 'user.suspended', `${user.username} is suspended.`)
      const path = await issueLink(call.deps, user, user.hasPassword ? 'reset' : 'invitation')
      return answerPerson(call, user, { created: true, once: { 'reset-url': `${call.request.origin}${path}` } })
    },
  }),
])
