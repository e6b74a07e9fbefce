import { expect, test } from 'vitest'
import { endpointsOf } from '../app.ts'
import { features } from '../product/index.ts'
import { secretHeaders } from './secret-headers.ts'

test('every header of an endpoint that carries a key, a token or a password is known as secret', () => {
  const names = endpointsOf(features, '1.2.3').flatMap(({ headers = {} }) => Object.keys(headers))
  const telling = names.map((name) => name.toLowerCase()).filter((name) => /key|token|secret|password/.test(name))
  expect(telling).toContain('x-holdfast-seal-key')
  // An idempotency key names a request, and opens nothing.
  expect(telling.filter((name) => !secretHeaders.has(name))).toEqual(['idempotency-key'])
})
