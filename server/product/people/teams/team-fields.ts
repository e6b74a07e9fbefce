import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'

/** The auth methods whose roles may name a team. */
const linkableMethods = ['cert', 'approle', 'jwt'] as const

/** What is wrong with the name of a team; plain ASCII, so that no two look alike. */
export function teamNameProblem(name: string): string | undefined {
  if (name.length > 90) return 'is too long, the maximum is 90 characters'
  return /^[A-Za-z0-9_-](?:[A-Za-z0-9 _./-]*[A-Za-z0-9_.-])?$/.test(name)
    ? undefined
    : 'may contain only letters, numbers, spaces, ".", "/", "-" and "_"; it begins with a letter, a number, "-" or "_", ' +
        'and does not end in a space or "/"'
}

/** The settings of a team besides its access to the organization. */
export const settings = fieldSet({
  name: attribute.text('Name of the team.', { required: true, check: teamNameProblem, example: 'operators' }),
  visibility: attribute.choice(
    'Who sees the team: its members, or everybody in the organization.',
    ['secret', 'organization'],
    { shown: '`secret` or `organization`.' },
  ),
  allowMemberTokenManagement: attribute.flag('Whether members may create tokens of the team.', {
    default: true,
    shown: 'Whether members may create its tokens.',
  }),
  allowCertificateLogin: attribute.flag('Whether tokens from certificate logins may act as this team.', {
    default: false,
  }),
  allowedLoginMethods: attribute.list(
    'Auth methods whose tokens may act as this team; `cert` is the same as `allow-certificate-login`.',
    attribute.choice('Type of an auth method.', linkableMethods),
    { default: [] },
  ),
  ssoTeamId: attribute.text('Name of the team in single sign-on; stored for clients, has no effect.', {
    nullable: true,
    emptyIsNull: true,
    maxLength: 255,
  }),
})

/** What the server notes. */
export const facts = fieldSet({
  owners: attribute.flag('The team that may do everything; each organization has one, and it is never empty.', {
    shown: false,
  }),
  createdAt: attribute.time('When it was created.'),
})
