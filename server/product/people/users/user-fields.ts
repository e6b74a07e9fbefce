import { toIso } from '../../../kernel/clock.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { resourceBody } from '../../../kit/jsonapi/resource-bodies.ts'
import { toOne } from '../../../kit/jsonapi/resource-documents.ts'
import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/schemas.ts'
import { type InvitedPerson, invitedUserId } from './invited/invitation.ts'
import { emailProblem, isAdministrator, pictureOf, type User, usernameProblem } from './user.ts'

/** How user names are checked. */
export const username = { maxLength: 64, check: usernameProblem, example: 'ann' } as const
/** How e-mail addresses are checked. */
export const email = { maxLength: 254, check: emailProblem, example: 'ann@example.com' } as const

/** The body with which people change their own account. */
export const accountBody = resourceBody('users', {
  attributes: {
    username: attribute.text('Username to sign in with.', { ...username, check: notBlank(usernameProblem) }),
    email: attribute.text('E-mail address.', { ...email, check: notBlank(emailProblem) }),
    allowCertificateLogin: attribute.flag('Whether you may sign in with a certificate whose role names you.'),
  },
})

/** The body with which people change their own password. */
export const passwordBody = resourceBody('users', {
  attributes: {
    currentPassword: attribute.text('The current password; required if one is set.'),
    password: attribute.text('The new password.', { required: true }),
    passwordConfirmation: attribute.text('The new password, repeated.'),
  },
  check: ({ attributes: { password, passwordConfirmation } }) =>
    password === undefined || passwordConfirmation === undefined || password === passwordConfirmation
      ? []
      : [
          {
            detail: "Password confirmation doesn't match the password",
            pointer: '/data/attributes/password-confirmation',
          },
        ],
})

/** A check for an attribute that may be absent, but not blank. */
export function notBlank(check: (value: string) => string | undefined): (value: string) => string | undefined {
  return (value) => (value === '' ? "can't be blank" : check(value))
}

/** A person as answers show them. */
export const userSchema = resourceSchema('users', {
  attributes: {
    username: shown.text('Username to sign in with.'),
    email: shown.maybeText('E-mail address; null if the caller may not see it.'),
    'is-email-verified': shown.sometimes(
      shown.flag(
        'True if a site administrator has set the e-mail address; only such addresses accept invitations. Shown with ' +
          'the address.',
      ),
    ),
    'is-service-account': shown.flag('True if the account belongs to a team or organization rather than a person.'),
    'is-admin': shown.flag('True for site administrators.'),
    'is-suspended': shown.sometimes(shown.flag('Whether the user is suspended; shown to administrators.')),
    'avatar-url': shown.text('Picture, as a `data:` URL.'),
    'v2-only': shown.flag('Always false.'),
    'unconfirmed-email': shown.sometimes(shown.maybeText('Always null.')),
    'has-password': shown.sometimes(shown.flag('True once a password has been set.')),
    'allow-certificate-login': shown.sometimes(shown.flag('Whether the user may sign in with a certificate.')),
    'invitation-url': shown.sometimes(
      shown.text('Link to set the first password; only in the response that creates the user.'),
    ),
    'reset-url': shown.sometimes(shown.text('Link to set a new password; only in the response that creates the link.')),
    'created-at': shown.sometimes(shown.time('When the user was created.')),
    'two-factor': shown.flags(['enabled', 'verified'], 'Two-factor authentication; not in use.'),
    permissions: shown.flags(
      ['can-create-organizations', 'can-change-email', 'can-change-username', 'can-manage-user-tokens'],
      'What the caller may do with the account.',
    ),
  },
  relationships: {
    'authenticated-resource': 'The team or organization of a service account, otherwise the user.',
    organizations: 'The organizations the user belongs to; shown to administrators.',
  },
})

/** How much of a person the caller may see. */
type UserView = { readonly email: boolean; readonly self: boolean }

const accountAttributes = (user: User) => ({
  'unconfirmed-email': null,
  'has-password': user.hasPassword,
  'allow-certificate-login': user.allowCertificateLogin,
})

/** A person as a resource. */
export const toUserResource = (user: User, view: UserView, extra: Record<string, unknown> = {}): Resource => ({
  type: 'users',
  id: user.id,
  attributes: {
    username: user.username,
    email: view.email ? user.email : null,
    ...(view.email ? { 'is-email-verified': user.emailVerified } : {}),
    'is-service-account': false,
    'is-admin': user.siteAdmin,
    'avatar-url': pictureOf(user.username),
    'v2-only': false,
    ...(view.self ? accountAttributes(user) : {}),
    'created-at': toIso(user.createdAt),
    'two-factor': { enabled: false, verified: false },
    permissions: {
      'can-create-organizations': view.self,
      'can-change-email': view.self,
      'can-change-username': view.self && !isAdministrator(user),
      'can-manage-user-tokens': view.self,
    },
    ...extra,
  },
  relationships: { 'authenticated-resource': toOne('users', user.id, `/api/v2/users/${user.id}`) },
  links: { self: `/api/v2/users/${user.id}` },
})

/** A person who is invited: until the invitation is accepted, all that is known is the address. */
export const toInvitedResource = (invited: InvitedPerson): Resource => ({
  type: 'users',
  id: invitedUserId(invited),
  attributes: {
    username: '',
    email: invited.email,
    'is-service-account': false,
    'avatar-url': pictureOf(invited.email),
    ...noAccountAttributes,
  },
  links: { self: `/api/v2/users/${invitedUserId(invited)}` },
})

const noAccountAttributes = {
  'is-admin': false,
  'v2-only': false,
  'two-factor': { enabled: false, verified: false },
  permissions: {
    'can-create-organizations': false,
    'can-change-email': false,
    'can-change-username': false,
    'can-manage-user-tokens': false,
  },
} as const

/** Teams and organizations appear as service accounts where clients expect a user; the id is derived from theirs. */
export const serviceUserId = (actor: Pick<ActorPrincipal, 'id'>): string => `user-${actor.id.split('-').at(-1)}`

/** The service account of a team or organization, as a resource. */
export function toServiceUserResource(actor: Pick<ActorPrincipal, 'kind' | 'id' | 'name'>): Resource {
  const id = serviceUserId(actor)
  const behind = actor.kind === 'team' ? toOne('teams', actor.id) : toOne('organizations', actor.name)
  const username = `api-${actor.kind}_${actor.id.split('-').at(-1)}`
  return {
    type: 'users',
    id,
    attributes: {
      username,
      email: null,
      'is-service-account': true,
      'avatar-url': pictureOf(username),
      ...noAccountAttributes,
    },
    relationships: { 'authenticated-resource': behind },
    links: { self: `/api/v2/users/${id}` },
  }
}
