import type { AnswerOf, Schemas } from '../../api/client.ts'
import { reasonSentence, shortName } from './reasons.ts'

/** What the server says about a chain. */
export type Explanation = AnswerOf<'cert-login.explain'>['data']

/** What one role says about it. */
export type RoleVerdict = Schemas['CertRoleExplanation']

/** Checks of a role by how they went. */
export const failedIn = ({ checks }: RoleVerdict): RoleVerdict['checks'] => checks.filter(({ ok }) => ok === false)

/** Failed first, then what was not asked, then what passed. */
export const inOrder = ({ checks }: RoleVerdict): RoleVerdict['checks'] =>
  [...checks].sort((a, b) => rank(a.ok) - rank(b.ok))

const rank = (ok: boolean | null): number => (ok === false ? 0 : ok === null ? 1 : 2)

const isAboutChain = (check: string): boolean => !/_|^ocsp$|^identity$/.test(check)

/** One sentence for the head: what it comes to. */
export function headline({ accepted, accepted_by, roles }: Explanation): string {
  if (accepted === true) return accepted_by === '' ? 'Accepted' : `Accepted by role ${accepted_by}`
  if (accepted === null) return 'Undecided: not all checks were made'
  const first = roles[0] && failedIn(roles[0])[0]
  return first ? `Refused: ${reasonSentence(first.check)}` : 'Refused: no role trusts an issuer of the certificate'
}

/** What would have to change, in one line. */
export function verdictLine({ accepted, roles }: Explanation): string {
  const [role] = roles
  if (!role) return 'There is no role that could accept it.'
  if (accepted === true) return 'A login with it would get a token.'
  const failed = failedIn(role)
  const chain = failed.some(({ check }) => isAboutChain(check)) ? '' : 'The chain is fine. '
  if (failed.length === 0) return `${chain}Ask for the checks that were not made.`
  return `${chain}Role ${role.role} needs ${failed.length === 1 ? 'one change' : `${failed.length} changes`}.`
}

const words = { true: 'passed', false: 'FAILED', null: 'not asked' } as const

/** All of it as text, for a message to whoever has to act. */
export function explanationText(explained: Explanation): string {
  const { chain, roles, roles_total } = explained
  const lines = [
    headline(explained),
    verdictLine(explained),
    '',
    'Certificates sent:',
    ...chain.map(
      ({ subject, issuer, serial, not_after, fingerprint }) =>
        `- ${subject || shortName(subject)}, issued by ${issuer}, serial ${serial}, until ${not_after}, SHA-256 ${fingerprint}`,
    ),
    '',
    `Roles, nearest first (${roles.length} of ${roles_total}):`,
    ...roles.flatMap((role) => [
      `${role.role}: ${role.accepted === true ? 'accepts' : role.accepted === null ? 'undecided' : 'refuses'}`,
      ...inOrder(role).map(
        ({ check, ok, detail, fix }) => `  ${words[`${ok}`]} ${check}: ${detail}${fix === '' ? '' : ` Fix: ${fix}`}`,
      ),
    ]),
  ]
  return `${lines.join('\n')}\n`
}
