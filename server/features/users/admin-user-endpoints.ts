import { siteAdministrator } from '../../access/permissions/index.ts'
import { isId } from '../../kernel/ids.ts'
import { secret } from '../../kernel/secret.ts'
import type { Deps } from '../../kit/deps.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../kit/endpoint.ts'
import {
  answerCreated,
  answerOne,
  answerPage,
  documentSchema,
  invalidAttribute,
  pageSchema,
  type Resource,
  rangeOf,
  requireSameId,
  showQuery,
} from '../../kit/jsonapi/index.ts'
import { nothing } from '../../kit/reply.ts'
import { authorOf } from '../change-log/index.ts'
import { invitationIdOf } from './invited/invited-rules.ts'
import { listInvited, loadInvited } from './invited/invited-store.ts'
import { issueLink } from './link-actions.ts'
import { changeUser, createUser, noSuchPerson, removeInvited, removeUser } from './user-actions.ts'
import { passwordProblem, type User } from './user-rules.ts'
import { listUsers, loadUser } from './user-store.ts'
import { changedUserBody, newUserBody, toInvitedResource, toUserResource, userSchema, usersQuery } from './user-wire.ts'

const view = { email: true, self: false }
const params = { userId: { description: 'Identifier of the person.' } }
const document = documentSchema(userSchema)

type Addressing = Pick<Call, 'deps' | 'params'>

async function known({ deps, params: { userId = '' } }: Addressing): Promise<User | undefined> {
  return isId('user', userId) ? await loadUser(deps.db, userId) : undefined
}

async function addressed(call: Addressing): Promise<User> {
  const user = await known(call)
  if (!user) throw noSuchPerson()
  return user
}

/** The invitation that stands behind a person who is not known. */
function invitationOf({ params: { userId = '' } }: Addressing): string {
  if (!isId('user', userId)) throw noSuchPerson()
  return invitationIdOf(userId)
}

async function shownPerson(call: Addressing): Promise<Resource> {
  const user = await known(call)
  if (user) return toUserResource(user, view)
  const invited = await loadInvited(call.deps.db, invitationOf(call))
  if (!invited) throw noSuchPerson()
  return toInvitedResource(invited)
}

type PeopleQuery = ReturnType<typeof usersQuery.parse>

/** People by user name, and after them who is invited and not known here yet. */
async function peoplePage(db: Deps['db'], { search, siteAdmin, suspended, page }: PeopleQuery) {
  if (suspended) return { resources: [], total: 0 }
  const { offset, limit } = rangeOf(page)
  const { users, total } = await listUsers(db, { search, siteAdmin, offset, limit })
  const people = users.map((user) => toUserResource(user, view))
  if (siteAdmin) return { resources: people, total }
  const rest = { offset: Math.max(0, offset - total), limit: limit - users.length }
  const { invited, total: more } = await listInvited(db, { search, ...rest })
  return { resources: [...people, ...invited.map(toInvitedResource)], total: total + more }
}

/** Making, changing and removing people, for site administrators. */
export const adminUserEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'admin-users.list',
    route: 'GET /admin/users',
    summary: 'List all people, and those who are invited but not known here yet.',
    access: siteAdministrator(),
    query: usersQuery,
    returns: { 200: pageSchema(userSchema) },
    fails: ['missing'],
    handle: async (call) => answerPage(call, await peoplePage(call.deps.db, call.query)),
  }),
  endpoint({
    id: 'admin-users.create',
    route: 'POST /admin/users',
    summary: 'Make a person; without a password the answer has an invitation link.',
    access: siteAdministrator(),
    query: showQuery(),
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
        siteAdmin: isAdmin,
        password: password === undefined ? undefined : secret(password),
      }
      const user = await createUser(call.deps, authorOf(call), wanted)
      const path = password === undefined ? await issueLink(call.deps, user, 'invitation') : undefined
      const extra = path === undefined ? {} : { 'invitation-url': `${call.request.origin}${path}` }
      return answerCreated(call, toUserResource(user, view, extra))
    },
  }),
  endpoint({
    id: 'admin-users.show',
    route: 'GET /admin/users/:userId',
    summary: 'Read a person, or somebody who is invited.',
    access: siteAdministrator(),
    params,
    query: showQuery(),
    returns: { 200: document },
    fails: ['missing'],
    handle: async (call) => answerOne(call, await shownPerson(call)),
  }),
  endpoint({
    id: 'admin-users.update',
    route: 'PATCH /admin/users/:userId',
    summary: 'Change a person, or who administers the site.',
    access: siteAdministrator(),
    params,
    query: showQuery(),
    body: changedUserBody,
    returns: { 200: document },
    fails: ['missing', 'invalid', 'conflict'],
    handle: async (call) => {
      const user = await addressed(call)
      requireSameId(call.body, user.id)
      const { isAdmin, ...names } = call.body.attributes
      const changes = { ...names, ...(isAdmin === undefined ? {} : { siteAdmin: isAdmin }) }
      return answerOne(call, toUserResource(await changeUser(call.deps, authorOf(call), user.id, changes), view))
    },
  }),
  endpoint({
    id: 'admin-users.delete',
    route: 'DELETE /admin/users/:userId',
    summary: 'Remove a person with memberships, tokens and sessions, or take invitations back.',
    access: siteAdministrator(),
    params,
    returns: { 204: null },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const user = await known(call)
      if (user) await removeUser(call.deps, authorOf(call), user.id)
      else await removeInvited(call.deps, authorOf(call), invitationOf(call))
      return nothing()
    },
  }),
  endpoint({
    id: 'admin-users.reset',
    route: 'POST /admin/users/:userId/actions/reset-password',
    summary: 'Make a link with which a person sets a new password.',
    access: siteAdministrator(),
    params,
    query: showQuery(),
    returns: { 201: document },
    fails: ['missing'],
    handle: async (call) => {
      const user = await addressed(call)
      const path = await issueLink(call.deps, user, user.hasPassword ? 'reset' : 'invitation')
      return answerCreated(call, toUserResource(user, view, { 'reset-url': `${call.request.origin}${path}` }))
    },
  }),
])
