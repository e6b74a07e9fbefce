import { isId } from '../../../../kernel/ids.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import { type AnswerContext, answerCreated, answerOne, type Resource, rangeOf } from '../../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../../kit/parts.ts'
import type { Reply } from '../../../../kit/reply.ts'
import { invitationIdOf } from '../invited/invited-rules.ts'
import { listInvited } from '../invited/invited-store.ts'
import { noSuchPerson } from '../user-actions.ts'
import type { User } from '../user-rules.ts'
import { listUsers, loadUser } from '../user-store.ts'
import { toInvitedResource } from '../user-wire.ts'
import { toAdministeredResource, type usersQuery } from './admin-user-wire.ts'
import type { OwnOrganization } from './own-organization-rules.ts'
import { loadOrganizationsOf } from './own-organization-store.ts'

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
export async function findAddressedUser({ deps, params: { userId = '' } }: Addressing): Promise<User | undefined> {
  return isId('user', userId) ? await loadUser(deps.db, userId) : undefined
}

/** The person that a path names; refuses if there is none. */
export async function requireAddressedUser(call: Addressing): Promise<User> {
  const user = await findAddressedUser(call)
  if (!user) throw noSuchPerson()
  return user
}

/** The invitation that the id of a placeholder refers to. */
export function invitationOf({ params: { userId = '' } }: Addressing): string {
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
export async function peoplePage(call: PeopleCall): Promise<PeoplePage> {
  const { search, siteAdmin, suspended, page } = call.query
  const { db } = call.deps
  const { offset, limit } = rangeOf(page)
  const { users, total } = await listUsers(db, { search, siteAdmin, suspended, offset, limit })
  const organizations = await loadOrganizationsOf(
    db,
    users.map(({ id }) => id),
  )
  const byUser = Map.groupBy(organizations, ({ userId }) => userId)
  const people = users.map((user) => toAdministeredResource(user, byUser.get(user.id) ?? []))
  const included = await includedOf(call, organizations)
  // A placeholder is neither a site administrator nor suspended.
  if (siteAdmin || suspended) return { resources: people, total, included }
  // People who are invited follow the last user, so they fill what is left of the page.
  const rest = { offset: Math.max(0, offset - total), limit: limit - users.length }
  const { invited, total: invitedTotal } = await listInvited(db, { search, ...rest })
  return { resources: [...people, ...invited.map(toInvitedResource)], total: total + invitedTotal, included }
}
