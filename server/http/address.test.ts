import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test.each([
  ['/v1/sys/health', 'v1', 'sys/health', false],
  ['/v1/auth/cert/certs/', 'v1', 'auth/cert/certs', true],
  ['/api/v2/ping?x=1', 'api/v2', 'ping', false],
  ['/v1', 'v1', '', false],
  ['/v10/sys', 'site', 'v10/sys', false],
  ['/', 'site', '', false],
  ['/v1/certs/a%20b', 'v1', 'certs/a b', false],
  ['http://localhost:8201/v1/sys/health?x=1', 'v1', 'sys/health', false],
  ['HTTPS://[::1]:8200/api/v2/ping', 'api/v2', 'ping', false],
  ['http://localhost', 'site', '', false],
  ['http://localhost?x=/v1/sys', 'site', '', false],
] as const)('address: %s is split into API, path and trailing slash', (url, api, path, trailingSlash) => {
  const address = readAddress(url)
  expect({ api: address.api, path: address.path, trailingSlash: address.trailingSlash, fault: address.fault }).toEqual({
    api,
    path,
    trailingSlash,
    fault: undefined,
  })
})

test.each([
  '/v1/sys/../secret',
  '/v1/sys/./health',
  '/v1//sys',
  '/v1/sys//health',
  '/v1/sys/%2e%2e/secret',
  '/v1/sys/%2E/x',
  '/v1/a%2fb',
  '/v1/a%2Fb',
  '/v1/a%00b',
  '/v1/%',
  '/v1/%ff',
  '/v1/sys/health//',
  '*',
  'v1/sys/health',
  'ftp://localhost/v1/sys/health',
  'http:///v1/sys/health',
  'http://localhost//v1/sys/health',
])('address: %s is refused', (url) => {
  expect(readAddress(url).fault?.detail).toContain('an empty, dotted or badly encoded part')
})

test.each([
  ['/api/v2/teams/a%2Fb%2fc/x', ['teams', 'a/b/c', 'x'], 'teams/a%2Fb%2Fc/x'],
  ['/api/v2/teams/%2F', ['teams', '/'], 'teams/%2F'],
])('address: in %s, an encoded slash is part of a name', (url, segments, path) => {
  expect(readAddress(url)).toMatchObject({ segments, path, fault: undefined })
})

test.each(['/api/v2/workspaces/a%00b', '/api/v2/workspaces/%0A', '/api/v2/workspaces/a%7f/vars'])(
  'address: there is nothing at %s, since no name has control characters',
  (url) => {
    expect(readAddress(url).fault?.code).toBe('route.missing')
  },
)

test.each(['/api/v2/workspaces/%2e%2e/x', '/api/v2//x', '/api/v2/%zz', '/app/a%2Fb', '/app/a%00b'])(
  'address: %s is unclean',
  (url) => {
    expect(readAddress(url).fault?.code).toBe('path.unclean')
  },
)

test.each([
  ['x=%zz', 'x'],
  ['x=%', 'x'],
  ['x=%f', 'x'],
  ['x=1&y%5B=%ff&z=%20', 'y%5B'],
  ['%zz=1', '%zz'],
  ['x=%00', 'x'],
  ['x=%C3&y=%A4', 'x'],
])('address: the query %s is refused and its parameter %s named', (query, parameter) => {
  for (const path of ['/v1/a', '/api/v2/a', '/a'])
    expect(readAddress(`${path}?${query}`).fault).toMatchObject({ code: 'query.undecodable', parameter })
})

test.each(['x=%C3%A4+%2B', 'page%5Bsize%5D=1&q[a]=%25', '=&&', 'a%20b'])(
  'address: the query %s is accepted',
  (query) => {
    expect(readAddress(`/v1/a?${query}`).fault).toBeUndefined()
  },
)

test.each(['/v1/auth/token/lookup/', '/api/v2/', '/'])(
  'address: a token in the path below %s is refused, and the parsed path shows (token) instead',
  (prefix) => {
    for (const token of [
      `hfs.${'aB3'.repeat(10)}zz`,
      `hfs.${'r'.repeat(24)}`,
      `hfu.${'x'.repeat(32)}`,
      `hfb.${'A-_9'.repeat(40)}`,
    ]) {
      const { fault, path } = readAddress(`${prefix}${token.replace('.', '%2E')}?x=1`)
      expect(fault?.detail).toContain('contains a token')
      expect(path).toMatch(/\(token\)$/)
    }
  },
)

test.each(['hfs.prod', 'hf', 'hfs.', `hfs.${'a'.repeat(31)}-`, `hfs.${'a'.repeat(33)}`])(
  'address: %s does not look like a token and is accepted as a name',
  (name) => {
    expect(readAddress(`/v1/auth/cert/certs/${name}`)).toMatchObject({
      fault: undefined,
      path: `auth/cert/certs/${name}`,
    })
  },
)
