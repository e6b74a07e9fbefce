import { expect, test } from 'vitest'
import { cookieFor, readCookie, requireSameOrigin, setSessionCookie } from './session-cookie-endpoints.ts'

const origin = 'https://holdfast.example'

test.each([
  ['no headers about it', {}],
  ['our origin', { origin }],
  ['our origin behind a proxy that ends TLS', { origin: 'http://holdfast.example' }],
  ['an origin that is kept secret', { origin: 'null' }],
  ['same-origin', { origin, 'sec-fetch-site': 'same-origin' }],
  ['none, as typed addresses have', { 'sec-fetch-site': 'none' }],
])('forms: one with %s is accepted', (_what, headers) => {
  expect(() => requireSameOrigin({ origin, headers })).not.toThrow()
})

test.each([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'https://holdfast.example:8443' }],
  ['our name as the beginning of another', { origin: 'https://holdfast.example.evil.example' }],
  ['another origin, whatever else is said', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ['same-site', { origin, 'sec-fetch-site': 'same-site' }],
  ['cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['a secret origin of another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
])('forms: one with %s is refused', (_what, headers) => {
  expect(() => requireSameOrigin({ origin, headers })).toThrow('another site')
})

test.each([
  [true, 'http://holdfast.example', true],
  [true, origin, true],
  [false, origin, true],
  [false, 'http://holdfast.example', false],
])('cookies: with TLS here: %s, and the address %s, it is only for TLS: %s', (tls, address, secure) => {
  const plain = 'x=y; Path=/; Max-Age=5; HttpOnly; SameSite=Strict'
  expect(cookieFor({ tls, origin: address }, 'x', 'y', 5)).toBe(secure ? `${plain}; Secure` : plain)
})

test('cookies: a session lasts two weeks, and an empty text removes it', () => {
  expect(setSessionCookie({ tls: true, origin }, 'text')).toContain('=text; Path=/; Max-Age=1209600;')
  expect(setSessionCookie({ tls: true, origin }, '')).toContain('=; Path=/; Max-Age=0;')
})

test.each([
  [undefined, ''],
  ['x=1', '1'],
  ['a=0; x = 1 ; b=2', '1'],
  ['x=a=b', 'a=b'],
  ['x=1; x=2', '1'],
  ['y=1; ax=2', ''],
  ['xy', ''],
  ['=x', ''],
])('cookies: the text of x in "%s" is "%s"', (cookie, text) => {
  expect(readCookie({ headers: cookie === undefined ? {} : { cookie } }, 'x')).toBe(text)
})
