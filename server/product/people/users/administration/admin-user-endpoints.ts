import { siteAdministrator } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { isId } from '../../../../kernel/ids.ts'
import { secret } from '../../../../kernel/secret.ts'
import { authorOf } from '../../../../kit/change-log/index.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../../kit/endpoint.ts'
import {
  type AnswerContext,
  answerCreated,
  answerOne,
  answerPage,
  attribute,
  documentSchema,
  invalidAttribute,
  listQuery,
  pageSchema,
  parameter,
  type Resource,
  rangeOf,
  requireSameId,
  resourceBody,
  showQuery,
  toMany,
} from '../../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../../kit/parts.ts'
import { nothing, type Reply } from '../../../../kit/reply.ts'
import { invitationIdOf } from '../invited/invitation.ts'
import { listInvited, loadInvited } from '../invited/invitation-store.ts'
import { issueLink } from '../links/account-link-actions.ts'
import { loadOrganizationsOf, type OwnOrganization } from '../own-membership-store.ts'
import { emailProblem, passwordProblem, type User, usernameProblem } from '../user.ts'
import { changeUser, createUser, noSuchPerson, removeInvited, removeUser } from '../user-actions.ts'
import { email, notBlank, toInvitedResource, toUserResource, username, userSchema } from '../user-fields.ts'
import { listUsers, loadUser } from '../user-store.ts'

/** The person that a path names. */
export const personInPath = { userId: { description: 'Identifier of the user.' } } as const

/** The body that makes a person. */
const newUserBody = resourceBody('users', {
  attributes: {
    username: attribute.text('Username to sign in with.', { ...username, required: true }),
    email: attribute.text('E-mail address.', { ...email, required: true }),
    password: attribute.text('Password; without one, the response contains an invitation link.'),
    isAdmin: attribute.flag('Whether the user is a site administrator.', { default: false }),
  },
})

/** The body that changes a person, by an administrator. */
const changedUserBody = resourceBody('users', {
  attributes: {
    username: attribute.text('Username to sign in with.', { ...username, check: notBlank(usernameProblem) }),
    email: attribute.text('E-mail address.', { ...email, check: notBlank(emailProblem) }),
    isAdmin: attribute.flag('Whether the user is a site administrator.'),
  },
})

const include = ['organizations'] as const

/** The query of the list of people. */
const usersQuery = listQuery({
  include,
  parameters: {
    search: parameter.text('q', 'Part of a username or e-mail address.'),
    siteAdmin: parameter.flag('filter[admin]', 'Only site administrators, or only other users.'),
    suspended: parameter.flag('filter[suspended]', 'Only suspended users, or only users who are not.'),
  },
})

/** The query of endpoints that answer with one person. */
export const administeredQuery = showQuery({ include })

/** A person as administrators see them. */
function toAdministeredResource(
  user: User,
  organizations: readonly OwnOrganization[],
  extra: Record<string, unknown> = {},
): Resource {
  const person = toUserResource(user, { email: true, self: false }, { 'is-suspended': user.suspended, ...extra })
  const names = organizations.map(({ name }) => name)
  return { ...person, relationships: { ...person.relationships, organizations: toMany('organizations', names) } }
}

declare module '../../../../kit/parts.ts' {
  interface FeatureParts {
    /** Renders organizations as their own address shows them to a caller. */
    renderOrganizations: (call: Pick<Call, 'deps' | 'caller'>, ids: readonly string[]) => Promise<readonly Resource[]>
  }
}

/** The organizations with these ids, each once. */
async function renderOwnOrganizations(
  call: Pick<Call, 'deps' | 'caller'>,
  ids: readonly string[],
): Promise<readonly Resource[]> {
  const all = partsOf(call.deps, 'renderOrganizations')
  const rendered = await Promise.all(all.map((render) => render(call, [...new Set(ids)])))
  return rendered.flat()
}

type Addressing = Pick<Call, 'deps' | 'params'>

/** The person a path names, if there is one. */
async function findAddressedUser({ deps, params: { userId = '' } }: Addressing): Promise<User | undefined> {
  return isId('user', userId) ? await loadUser(deps.db, userId) : undefined
}

/** The person that a path names; refuses if there is none. */
export async function requireAddressedUser(call: Addressing): Promise<User> {
  const user = await findAddressedUser(call)
  if (!user) throw noSuchPerson()
  return user
}

/** The invitation that the id of a placeholder refers to. */
function invitationOf({ params: { userId = '' } }: Addressing): string {
  if (!isId('user', userId)) throw noSuchPerson()
  return invitationIdOf(userId)
}

type Including = Pick<Call, 'deps' | 'caller'> & { readonly query: { readonly include: ReadonlySet<string> } }

const includedOf = async (call: Including, organizations: readonly OwnOrganization[]): Promise<readonly Resource[]> => {
  if (!call.query.include.has('organizations')) return []
  const ids = organizations.map(({ id }) => id)
  return await renderOwnOrganizations(call, ids)
}

/** Answers with a person, and with facts that are shown only once. */
export async function answerPerson(
  call: AnswerContext & Including,
  user: User,
  { created = false, once = {} }: { readonly created?: boolean; readonly once?: Record<string, unknown> } = {},
): Promise<Reply> {
  const organizations = await loadOrganizationsOf(call.deps.db, [user.id])
  const answer = created ? answerCreated : answerOne
  const extras = { included: await includedOf(call, organizations) }
  return answer(call, toAdministeredResource(user, organizations, once), extras)
}

type PeopleCall = Including & { readonly query: ReturnType<typeof usersQuery.parse> }

/** A page of people, and what was asked to be included. */
type PeoplePage = {
  readonly resources: readonly Resource[]
  readonly total: number
  readonly included: readonly Resource[]
}

/** People by user name, followed by those who are invited and have not joined yet. */
async function peoplePage(call: PeopleCall): Promise<PeoplePage> {
  const { search, siteAdmin, suspended, page } = call.query
  const { reads } = call.deps
  const { offset, limit } = rangeOf(page)
  const { users, total } = await listUsers(reads, { search, siteAdmin, suspended, offset, limit })
  const organizations = await loadOrganizationsOf(
    reads,
    users.map(({ id }) => id),
  )
  const byUser = Map.groupBy(organizations, ({ userId }) => userId)
  const people = users.map((user) => toAdministeredResource(user, byUser.get(user.id) ?? []))
  const included = await includedOf(call, organizations)
  // A placeholder is neither a site administrator nor suspended.
  if (siteAdmin || suspended) return { resources: people, total, included }
  // People who are invited follow the last user, so they fill what is left of the page.
  const rest = { offset: Math.max(0, offset - total), limit: limit - users.length }
  const { invited, total: invitedTotal } = await listInvited(reads, { search, ...rest })
  return { resources: [...people, ...invited.map(toInvitedResource)], total: total + invitedTotal, included }
}

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
    notRehearsed: 'it shows a link that works',
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
    notRehearsed: 'it shows a link that works',
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
