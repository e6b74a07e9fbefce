import { toIso } from '../../../../kernel/clock.ts'
import { attribute } from '../../../../kit/jsonapi/attribute-kinds.ts'
import { parameter } from '../../../../kit/jsonapi/parameters.ts'
import { listQuery, showQuery } from '../../../../kit/jsonapi/queries.ts'
import { relation } from '../../../../kit/jsonapi/relationships.ts'
import { resourceBody } from '../../../../kit/jsonapi/resource-bodies.ts'
import { toMany, toOne } from '../../../../kit/jsonapi/resource-documents.ts'
import { type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/schemas.ts'
import { emailProblem, invitedUserId } from '../../users/index.ts'
import type { MembershipDetails } from './membership.ts'

/** The body of an invitation. */
export const invitationBody = resourceBody('organization-memberships', {
  attributes: {
    email: attribute.text('E-mail address of the person.', {
      required: true,
      check: emailProblem,
      example: 'ann@example.com',
    }),
  },
  relationships: { teams: relation.items('teams', 'Teams to join.') },
})

const include = ['user', 'teams'] as const

/** The query of a list of memberships. */
export const membershipsQuery = listQuery({
  include,
  parameters: {
    search: parameter.text('q', 'Part of an e-mail address or username.'),
    status: parameter.text('filter[status]', '`invited` or `active`.'),
    emails: parameter.list('filter[email]', 'E-mail addresses.'),
  },
})

/** The query of a read of one membership. */
export const membershipQuery = showQuery({ include })

/** A membership as answers show it. */
export const membershipSchema = resourceSchema('organization-memberships', {
  attributes: {
    status: shown.text('`active`, or `invited` until somebody accepts the invitation.'),
    email: shown.text('E-mail address.'),
    'invitation-url': shown.sometimes(
      shown.text('Link to accept the invitation; only in the response that creates the invitation.'),
    ),
    'created-at': shown.time('When the person was invited.'),
  },
  relationships: {
    organization: 'The organization.',
    user: 'The user; while invited, a placeholder that has only the e-mail address.',
    teams: 'Teams the member is in.',
  },
})

/** A membership as a resource. */
export const toMembershipResource = (membership: MembershipDetails): Resource => ({
  type: 'organization-memberships',
  id: membership.id,
  attributes: {
    status: membership.status,
    email: membership.email,
    'created-at': toIso(membership.createdAt),
  },
  relationships: {
    organization: toOne('organizations', membership.organizationName),
    user: toOne('users', membership.userId ?? invitedUserId({ membershipId: membership.id })),
    teams: toMany(
      'teams',
      membership.teams.map(({ id }) => id),
    ),
  },
  links: { self: `/api/v2/organization-memberships/${membership.id}` },
})
