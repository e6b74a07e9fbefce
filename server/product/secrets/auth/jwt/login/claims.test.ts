import { describe, expect, test } from 'vitest'
import { blankRole, type JwtRole } from '../roles/role.ts'
import { type Claims, claimAt, judgeClaims, judgeTimes } from './claims.ts'

const now = 1_000_000
const role = (fields: Partial<JwtRole> = {}): JwtRole => ({ ...blankRole('ci'), userClaim: 'sub', ...fields })
const judge = (claims: Claims, fields: Partial<JwtRole> = {}, issuer?: string) =>
  judgeClaims({ sub: 'ann', exp: now + 60, ...claims }, { role: role(fields), issuer, now })

describe('times', () => {
  test.each<[Claims, Partial<JwtRole>, boolean]>([
    [{}, {}, false],
    [{ iat: now - 100 }, {}, true],
    [{ iat: now - 210 }, {}, true],
    [{ iat: now - 211 }, {}, false],
    [{ iat: now - 400 }, {}, false],
    [{ iat: now - 400 }, { expirationLeeway: 400 }, true],
    [{ iat: now - 61 }, { expirationLeeway: -1 }, false],
    [{ iat: now - 400, nbf: now - 100 }, {}, true],
    [{ exp: now - 50 }, {}, true],
    [{ exp: now - 60 }, {}, true],
    [{ exp: now - 61 }, {}, false],
    [{ exp: now - 1 }, { clockSkewLeeway: -1 }, false],
    [{ exp: now }, { clockSkewLeeway: -1 }, true],
    [{ exp: now - 70 }, { clockSkewLeeway: 70 }, true],
    [{ exp: now - 70 }, { expirationLeeway: 300 }, false],
    [{ nbf: now + 50, exp: now + 900 }, {}, true],
    [{ nbf: now + 70, exp: now + 900 }, {}, false],
    [{ nbf: now + 70, exp: now + 900 }, { notBeforeLeeway: 300 }, false],
    [{ iat: now + 50, exp: now + 900 }, {}, true],
    [{ iat: now + 70, exp: now + 900 }, {}, false],
    [{ iat: now + 70, nbf: now, exp: now + 900 }, {}, false],
    [{ exp: now + 205 }, {}, true],
    [{ exp: now + 211 }, {}, false],
    [{ exp: now + 211 }, { notBeforeLeeway: 200 }, true],
    [{ exp: `${now}` }, {}, false],
    [{ exp: now + 60, iat: 'x' }, {}, false],
    [{ exp: null }, {}, false],
  ])('%j with %j is valid: %s', (claims, fields, valid) => {
    expect(judgeTimes(claims, role(fields), now).ok).toBe(valid)
  })
})

test.each([
  ['a', { a: 1 }, 1],
  ['/a/b', { a: { b: 2 } }, 2],
  ['/a~1b/~0', { 'a/b': { '~': 3 } }, 3],
  ['/kubernetes.io/namespace', { 'kubernetes.io': { namespace: 'web' } }, 'web'],
  ['/list/1', { list: ['x', 'y'] }, 'y'],
  ['/a/b', { a: null }, undefined],
  ['/a/constructor', { a: {} }, undefined],
  ['__proto__', {}, undefined],
])('the claim %s of %j is %j', (name, claims, value) => {
  expect(claimAt(claims, name)).toEqual(value)
})

describe('bounds', () => {
  test.each<[Claims, Partial<JwtRole>, string | undefined]>([
    [{}, {}, undefined],
    [{ aud: 'us' }, {}, 'audience'],
    [{ aud: [] }, {}, undefined],
    [{ aud: 'us' }, { boundAudiences: ['us'] }, undefined],
    [{ aud: ['them', 'us'] }, { boundAudiences: ['us', 'me'] }, undefined],
    [{ aud: 'them' }, { boundAudiences: ['us'] }, 'audience'],
    [{}, { boundAudiences: ['us'] }, 'audience'],
    [{}, { boundSubject: 'ann' }, undefined],
    [{}, { boundSubject: 'an' }, 'subject'],
    [{ sub: ['ann'] }, { boundSubject: 'ann' }, 'subject'],
    [{}, { userClaim: 'email' }, 'lacks a claim'],
    [{ email: 7 }, { userClaim: 'email' }, 'lacks a claim'],
    [{ email: '' }, { userClaim: 'email' }, 'lacks a claim'],
    [{ '/who': 'x' }, { userClaim: '/who' }, undefined],
    [{ a: { b: 'x' } }, { userClaim: '/a/b' }, 'lacks a claim'],
    [{ a: { b: 'x' } }, { userClaim: '/a/b', userClaimJsonPointer: true }, undefined],
    [{}, { groupsClaim: 'groups' }, 'lacks a claim'],
    [{ groups: [1] }, { groupsClaim: 'groups' }, 'lacks a claim'],
    [{ groups: ['a', ''] }, { groupsClaim: 'groups' }, undefined],
    [{ groups: 'a' }, { groupsClaim: 'groups' }, undefined],
    [{ n: 1 }, { boundClaims: { n: 1 } }, undefined],
    [{ n: 1 }, { boundClaims: { n: '1' } }, 'claims do not fit'],
    [{ n: true }, { boundClaims: { n: true } }, undefined],
    [{ n: ['a', 'b'] }, { boundClaims: { n: 'b' } }, undefined],
    [{ n: 'b' }, { boundClaims: { n: ['a', 'b'] } }, undefined],
    [{ n: ['a', 'b'] }, { boundClaims: { n: ['c', 'd'] } }, 'claims do not fit'],
    [{ n: 'a' }, { boundClaims: { n: 'a', m: 'b' } }, 'claims do not fit'],
    [{ n: [] }, { boundClaims: { n: [] } }, 'claims do not fit'],
    [{ n: 'a*' }, { boundClaims: { n: 'a*' } }, undefined],
    [{ n: 'ab' }, { boundClaims: { n: 'a*' } }, 'claims do not fit'],
    [{ n: 'repo:acme/x:ref' }, { boundClaims: { n: 'repo:acme/*' }, boundClaimsType: 'glob' }, undefined],
    [{ n: 'repo:evil/acme/x' }, { boundClaims: { n: 'repo:acme/*' }, boundClaimsType: 'glob' }, 'claims do not fit'],
    [{ n: 7 }, { boundClaims: { n: '*' }, boundClaimsType: 'glob' }, 'claims do not fit'],
    [{ a: { b: 'x' } }, { boundClaims: { '/a/b': 'x' } }, undefined],
    [{ m: 7 }, { claimMappings: { m: 'key' } }, 'no text'],
  ])('%j with %j: %s', (claims, fields, text) => {
    const verdict = judge(claims, fields)
    expect(verdict.ok ? undefined : verdict.text).toEqual(text && expect.stringContaining(text))
  })

  test.each([
    ['https://a', 'https://a', true],
    ['https://a/', 'https://a', false],
    [undefined, 'https://a', false],
    ['https://a', undefined, true],
  ])('a token of the issuer %s where %s is asked for is accepted: %s', (iss, issuer, accepted) => {
    expect(judge({ iss }, {}, issuer).ok).toBe(accepted)
  })

  test('mapped claims become metadata, those that are missing are left out, and the role is named', () => {
    const claimMappings = { repository: 'repo', '/a/b': 'nested', missing: 'none' }
    const verdict = judge({ repository: 'acme/app', a: { b: 'x' } }, { claimMappings })
    expect(verdict).toMatchObject({ ok: true, user: 'ann', metadata: { repo: 'acme/app', nested: 'x', role: 'ci' } })
  })

  test('no refusal tells what the role expects', () => {
    const expected = { boundSubject: 'hidden-a', boundAudiences: ['hidden-b'], boundClaims: { 'hidden-c': 'hidden-d' } }
    for (const [name, value] of Object.entries(expected)) {
      const verdict = judge({}, { [name]: value })
      expect(verdict.ok ? '' : verdict.text).not.toContain('hidden')
    }
    expect(judge({}, {}, 'hidden-e')).toMatchObject({ ok: false, text: expect.not.stringContaining('hidden') })
  })
})
