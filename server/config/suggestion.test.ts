import { expect, test } from 'vitest'
import { editDistance, suggestion } from './suggestion.ts'

test.each([
  ['listen', 'listen', 0],
  ['lsiten', 'listen', 1],
  ['lissten', 'listen', 1],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('distance of %s and %s is %i', (from, to, expected) => {
  expect(editDistance(from, to)).toBe(expected)
})

test.each([
  ['lsiten', 'listen'],
  ['cert_file', 'tls.cert_file'],
  ['tls.certFile', 'tls.cert_file'],
  ['tls.cert-file', 'tls.cert_file'],
  ['banana', undefined],
])('suggestion for %s is %s', (word, expected) => {
  expect(suggestion(word, ['listen', 'http_listen', 'tls.cert_file', 'tls.key_file'])).toBe(expected)
})
