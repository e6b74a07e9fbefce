import { expect, test, vi } from 'vitest'
import { encryptionOf } from './encryption.ts'

test.each([
  ['postgres://u@db1/d', [{ host: 'db1', tls: 'none' }]],
  ['postgres://u@db1/d?sslmode=disable', [{ host: 'db1', tls: 'none' }]],
  ['postgres://u@db1/d?sslmode=no-verify', [{ host: 'db1', tls: 'unverified' }]],
  ['postgres://u@db1/d?sslmode=require&uselibpqcompat=true', [{ host: 'db1', tls: 'unverified' }]],
  ['postgres://u@db1/d?sslmode=require', [{ host: 'db1', tls: 'verified' }]],
  [
    'postgres://u@db1:5432,db2:5433/d?sslmode=verify-full',
    [
      { host: 'db1', tls: 'verified' },
      { host: 'db2', tls: 'verified' },
    ],
  ],
  ['postgres://u@%2Fvar%2Frun%2Fpostgresql/d', [{ host: '', tls: 'none' }]],
  ['postgres://u@db1/d?sslrootcert=/nowhere/ca.pem', []],
])('encryption: %s', (url, expected) => {
  expect(encryptionOf(url)).toEqual(expected)
})

test('encryption: the driver takes a mode from the environment where the address has none', () => {
  vi.stubEnv('PGSSLMODE', 'require')
  const levels = ['postgres://u@db1/d', 'postgres://u@db1/d?sslmode=disable'].map((url) => encryptionOf(url)[0]?.tls)
  expect(levels).toEqual(['verified', 'none'])
})
