import { expect, test } from 'vitest'
import { defineSystemEndpoints, type Endpoint, endpoint, open, type Verb } from '../kit/endpoint.ts'
import { nothing } from '../kit/reply.ts'
import { Router } from './router.ts'

const at = (id: string, route: `${Verb} /${string}`) =>
  endpoint({ id, route, summary: id, access: open('test'), handle: () => nothing() })

const endpoints: readonly Endpoint[] = defineSystemEndpoints([
  at('list', 'LIST /certs'),
  at('read', 'GET /certs/:name'),
  at('write', 'POST /certs/:name'),
  at('fixed', 'GET /certs/special'),
  at('mount', 'GET /auth/*path'),
  at('tune', 'GET /auth/*path/tune'),
  at('lookup', 'GET /leases/lookup/*prefix'),
])

const router = new Router(endpoints)
const find = (verb: Verb, path: string) => router.find(verb, path.split('/').filter(Boolean))

test.each([
  ['a fixed path', 'LIST', 'certs', 'list', {}],
  ['a parameter', 'GET', 'certs/web', 'read', { name: 'web' }],
  ['a fixed segment before a parameter', 'GET', 'certs/special', 'fixed', {}],
  ['several segments', 'GET', 'auth/a/b/c', 'mount', { path: 'a/b/c' }],
  ['several segments and an ending', 'GET', 'auth/a/b/tune', 'tune', { path: 'a/b' }],
  ['an ending that is itself the value', 'GET', 'auth/tune', 'mount', { path: 'tune' }],
  ['a name with dots and dashes inside', 'GET', 'certs/a.b-c', 'read', { name: 'a.b-c' }],
] as const)('router: matches %s', (_case, verb, path, id, params) => {
  const match = find(verb, path)
  expect(match?.endpoint?.id).toBe(id)
  expect(match?.params).toEqual(params)
})

test.each(['nowhere', 'certs/.hidden', 'certs/a-', 'certs/web/more', ''])('router: "%s" matches nothing', (path) => {
  expect(find('GET', path)).toBeUndefined()
})

test('router: a known path with another method gives its siblings but no endpoint', () => {
  const match = find('DELETE', 'certs/web')
  expect(match?.endpoint).toBeUndefined()
  expect(match?.siblings.map((each) => each.id).sort()).toEqual(['read', 'write'])
})

test('router: what begins like an address with a secret is not matched by the wildcard of something else', () => {
  const secret = { ...at('secret', 'GET /pages/keys/:key'), secretPath: true }
  const own = new Router(defineSystemEndpoints([at('page', 'GET /pages/*page'), secret]))
  const found = (path: string) => own.find('GET', path.split('/'))?.endpoint?.id
  expect(['pages/keys/k', 'pages/keys/k/x', 'pages/keys', 'pages/other/k'].map(found)).toEqual([
    'secret',
    undefined,
    'page',
    'page',
  ])
})

test('router: two endpoints with the same route are an error at start', () => {
  const doubled = defineSystemEndpoints([at('one', 'GET /a/:x'), at('two', 'GET /a/:y')])
  expect(() => new Router(doubled)).toThrow(/one and two/)
})
