import { expect, test } from 'vitest'
import { type Explanation, explanationText, headline, inOrder, verdictLine } from './explanation.ts'

const check = (name: string, ok: boolean | null, fix = '') => ({ check: name, ok, detail: `about ${name}`, fix })

const explained = (checks: ReturnType<typeof check>[], rest: Partial<Explanation> = {}): Explanation => ({
  chain: [{ subject: 'CN=a', issuer: 'CN=ca', serial: '7', not_after: 'then', fingerprint: 'ff' } as never],
  accepted: false,
  accepted_by: '',
  roles: [{ role: 'web', pinned: false, accepted: false, path: [], links: [], checks }],
  roles_total: 1,
  ...rest,
})

test('a name that does not match leaves the chain fine', () => {
  const answer = explained([check('path', true), check('allowed_common_names', false, 'Issue another.')])
  expect(headline(answer)).toBe('Refused: the name on the certificate is not allowed')
  expect(verdictLine(answer)).toBe('The chain is fine. Role web needs one change.')
})

test('a chain that is wrong is not called fine', () => {
  expect(verdictLine(explained([check('validity', false), check('allowed_dns_sans', false)]))).toBe(
    'Role web needs 2 changes.',
  )
})

test.each([
  [{ accepted: true, accepted_by: 'web' }, 'Accepted by role web', 'A login with it would get a token.'],
  [
    { accepted: null },
    'Undecided: not all checks were made',
    'The chain is fine. Ask for the checks that were not made.',
  ],
  [
    { roles: [], roles_total: 0 },
    'Refused: no role trusts an issuer of the certificate',
    'There is no role that could accept it.',
  ],
])('%j', (rest, head, line) => {
  const answer = explained([check('path', true)], rest)
  expect([headline(answer), verdictLine(answer)]).toEqual([head, line])
})

test('failed checks come first, and the text has every one with its fix', () => {
  const answer = explained([check('path', true), check('ocsp', null), check('allowed_uri_sans', false, 'Do this.')])
  expect(answer.roles.flatMap(inOrder).map(({ ok }) => ok)).toEqual([false, null, true])
  expect(explanationText(answer)).toContain('  FAILED allowed_uri_sans: about allowed_uri_sans Fix: Do this.\n')
  expect(explanationText(answer)).toContain('- CN=a, issued by CN=ca, serial 7')
})
