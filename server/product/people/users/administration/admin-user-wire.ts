import {
  attribute,
  listQuery,
  parameter,
  type Resource,
  resourceBody,
  showQuery,
  toMany,
} from '../../../../kit/jsonapi/index.ts'
import { emailProblem, type User, usernameProblem } from '../user-rules.ts'
import { email, notBlank, toUserResource, username } from '../user-wire.ts'
import type { OwnOrganization } from './own-organization-rules.ts'

/** The person that a path names. */
export const personInPath = { userId: { description: 'Identifier of the user.' } } as const

/** The body that makes a person. */
export const newUserBody = resourceBody('users', {
  attributes: {
    username: attribute.text('Username to sign in with.', { ...username, required: true }),
    email: attribute.text('E-mail address.', { ...email, required: true }),
    password: attribute.text('Password; without one, the response contains an invitation link.'),
    isAdmin: attribute.flag('Whether the user is a site administrator.', { default: false }),
  },
})

/** The body that changes a person, by an administrator. */
export const changedUserBody = resourceBody('users', {
  attributes: {
    username: attribute.text('Username to sign in with.', { ...username, check: notBlank(usernameProblem) }),
    email: attribute.text('E-mail address.', { ...email, check: notBlank(emailProblem) }),
    isAdmin: attribute.flag('Whether the user is a site administrator.'),
  },
})

const include = ['organizations'] as const

/** The query of the list of people. */
export const usersQuery = listQuery({
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
export function toAdministeredResource(
  user: User,
  organizations: readonly OwnOrganization[],
  extra: Record<string, unknown> = {},
): Resource {
  const person = toUserResource(user, { email: true, self: false }, { 'is-suspended': user.suspended, ...extra })
  const names = organizations.map(({ name }) => name)
  return { ...person, relationships: { ...person.relationships, organizations: toMany('organizations', names) } }
}
