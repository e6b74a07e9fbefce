import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isVerifierOf, readAuthorization, redirectTarget } from './authorization.ts'

const terms = { client: 'cli', ports: [10_000, 10_010] } as const
const challenge = 'c'.repeat(43)
const requested = { client_id: 'cli', response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }

const read = (changes: Record<string, string>) =>
  readAuthorization(
    new URLSearchParams({ ...requested, redirect_uri: 'http://localhost:10003/login', ...changes }),
    terms,
  )

test.each([
  ['http://127.0.0.1:10003/login'],
  ['http://[::1]:10003/login'],
  ['http://localhost:10000/login'],
  ['http://localhost:10010/login?x=1'],
])('authorization request: a code may be sent to %s', (redirectUri) => {
  const request = { redirectUri, state: '', challenge }
  expect(read({ redirect_uri: redirectUri })).toEqual({ kind: 'request', request })
})

test.each([
  [''],
  ['localhost'],
  ['https://localhost:10003/login'],
  ['ftp://localhost:10003/login'],
  ['http://localhost/login'],
  ['http://localhost:9999/login'],
  ['http://localhost:10011/login'],
  ['http://127.0.0.2:10003/login'],
  ['http://user@localhost:10003/login'],
  ['http://:password@localhost:10003/login'],
  ['http://localhost:10003/login#part'],
])('authorization request: none is sent to "%s"', (redirectUri) => {
  expect(read({ redirect_uri: redirectUri })).toMatchObject({ kind: 'stranger', why: expect.stringContaining('10010') })
})

test('authorization request: without a client it is that of a stranger; a state is kept up to 2048 characters', () => {
  expect(readAuthorization(new URLSearchParams(), terms)).toMatchObject({ kind: 'stranger' })
  expect(read({ state: 's'.repeat(2_049) })).toMatchObject({ request: { state: 's'.repeat(2_048) } })
})

test('authorization answer: carries what is told and the state, if there was one', () => {
  const redirectUri = 'http://localhost:10003/login?x=1'
  expect(redirectTarget({ redirectUri, state: '' }, { code: 'a b' })).toBe(`${redirectUri}&code=a+b`)
  expect(redirectTarget({ redirectUri, state: 's' }, { code: 'c' })).toBe(`${redirectUri}&code=c&state=s`)
})

test.each([
  ['the least', 'v'.repeat(43), true],
  ['the longest', 'v'.repeat(128), true],
  ['too short', 'v'.repeat(42), false],
  ['too long', 'v'.repeat(129), false],
  ['made of other characters', `${'v'.repeat(43)} `, false],
])('verifier: one that is %s', (_what, verifier, expected) => {
  const made = createHash('sha256').update(verifier).digest('base64url')
  expect(isVerifierOf(verifier, made)).toBe(expected)
  expect(isVerifierOf(verifier, challenge)).toBe(false)
})
