import { expect, test } from 'vitest'
import {
  bytes,
  delayUpTo,
  type Kind,
  listOf,
  milliseconds,
  onOff,
  releaseVersion,
  seconds,
  text,
  wholeNumber,
  workerCount,
} from './kinds.ts'
import {
  address,
  addressOrOff,
  addressRange,
  isLoopback,
  type StorageTarget,
  storageTarget,
  webAddress,
} from './network-kinds.ts'

const read = <T>(kind: Kind<T>, raw: unknown): T | 'refused' => {
  const reading = kind.read(raw)
  return reading.ok ? reading.value : 'refused'
}

const cases: [Kind<unknown>, unknown, unknown][] = [
  [onOff, 'yes', true],
  [onOff, false, false],
  [onOff, 'perhaps', 'refused'],
  [onOff, 'constructor', 'refused'],
  [wholeNumber(1, 9), 9, 9],
  [wholeNumber(1, 9), '10', 'refused'],
  [wholeNumber(0), '1.5', 'refused'],
  [bytes, '64 KiB', 65_536],
  [bytes, 12, 12],
  [bytes, '0', 'refused'],
  [bytes, '3 apples', 'refused'],
  [milliseconds, '1m30s', 90_000],
  [milliseconds, '10', 'refused'],
  [milliseconds, '0s', 'refused'],
  [milliseconds, '576h', 2_073_600_000],
  [milliseconds, '577h', 'refused'],
  [seconds, '768h', 2_764_800],
  [seconds, 60, 60],
  [seconds, '10ms', 'refused'],
  [delayUpTo(60), '0s', 0],
  [delayUpTo(60), 0, 0],
  [delayUpTo(60), '15', 15_000],
  [delayUpTo(60), '1500ms', 1_500],
  [delayUpTo(60), '1m', 60_000],
  [delayUpTo(60), '61s', 'refused'],
  [delayUpTo(60), '-1s', 'refused'],
  [delayUpTo(60), 'soon', 'refused'],
  [text, ['a'], 'refused'],
  [text, '', 'refused'],
  [listOf(text), 'a, b,', ['a', 'b']],
  [listOf(text), 'none', []],
  [listOf(wholeNumber(1)), [1, 'x'], 'refused'],
  [address, '127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
  [address, '[::1]:8200', { host: '::1', port: 8200 }],
  [address, ':8200', { host: '::', port: 8200 }],
  [address, 'vault.example.com:443', { host: 'vault.example.com', port: 443 }],
  [address, '1.2.3:80', 'refused'],
  [address, '[1.2.3.4]:80', 'refused'],
  [address, 'localhost:99999', 'refused'],
  [address, 'a b:80', 'refused'],
  [addressOrOff, 'off', 'off'],
  [addressOrOff, false, 'off'],
  [addressRange, '10.1.2.3', '10.1.2.3/32'],
  [addressRange, '10.0.0.0/33', 'refused'],
  [webAddress, 'https://h.example.com:8443/', 'https://h.example.com:8443'],
  [webAddress, 'https://h.example.com/path', 'refused'],
  [webAddress, 'ftp://h', 'refused'],
  [storageTarget, 'sqlite:/a/b.db', { engine: 'sqlite', file: '/a/b.db' }],
  [storageTarget, 'sqlite:///a/b.db', { engine: 'sqlite', file: '/a/b.db' }],
  [storageTarget, '/a/b.db', { engine: 'sqlite', file: '/a/b.db' }],
  [storageTarget, 'mysql://x', 'refused'],
  [storageTarget, 'postgres://u@db:port/x', 'refused'],
  [storageTarget, 'postgres://u@/x', 'refused'],
  [storageTarget, 'postgres://u@db1:5432,:5432/x', 'refused'],
  [storageTarget, 'sqlite::memory:', 'refused'],
  [releaseVersion, '1.21.0+ent', '1.21.0+ent'],
  [releaseVersion, 'v1', 'refused'],
  [workerCount, '0', 'refused'],
  [workerCount, 'auto', 'auto'],
]

test.each(cases.map(([kind, ...rest]) => [kind.name, ...rest, kind] as const))(
  '%s: %o is read as %o',
  (_name, raw, expected, kind) => {
    expect(read(kind, raw)).toEqual(expected)
  },
)

test.each([
  ['mysql://root:hunter2@h/x', '"mysql://root:[redacted]@h/x" is not a storage URL'],
  ['postgres2://root:hunter2@h/x', '"postgres2://root:[redacted]@h/x" is not a storage URL'],
  ['jdbc:postgresql://root:hunter2@h/x', '"jdbc:postgresql://root:[redacted]@h/x" is not a storage URL'],
  ['postgres:root:hunter2@h/x', '"postgres:[redacted]@h/x" is not a storage URL'],
  ['postgres://root:hunter2@x@h/x', '"postgres://root:[redacted]@h/x" is not a storage URL'],
  ['postgres://root:12/hunter2@h/x', '"postgres://root:[redacted]@h/x" is not a storage URL'],
  ['mysql://h/x?password=hunter2&a=b', '"mysql://h/x?password=[redacted]&a=b" is not a storage URL'],
  ["user=root password = 'hunter2 \\' x' host=h", '"user=root password = [redacted] host=h" is not a storage URL'],
  [['postgres://root:hunter2@h/x'], 'a list is not allowed here'],
  [{ url: 'postgres://root:hunter2@h/x' }, 'a map is not allowed here'],
])('a refused storage URL does not repeat its password: %o', (raw, text) => {
  const reading = storageTarget.read(raw)
  expect(reading.ok ? '' : reading.text).toBe(text)
})

test('the message about a refused storage URL says how to escape an @ in a password', () => {
  expect(storageTarget.read('postgres://root:hunter@2@h/x')).toMatchObject({ fix: expect.stringContaining('%40') })
})

test('a shown storage URL hides only the password', () => {
  const shown = (raw: string) => storageTarget.show(read(storageTarget, raw) as StorageTarget)
  expect(shown('postgres://u:p%40w@h:1/d?sslmode=require')).toBe('postgres://u:[redacted]@h:1/d?sslmode=require')
  expect(shown('postgres://u@h:1,g:2/d?x=a@b')).toBe('postgres://u@h:1,g:2/d?x=a@b')
})

test('a refused base URL does not repeat its password', () => {
  const reading = webAddress.read('https://root:hunter2@h/')
  expect(reading.ok ? '' : reading.text).toBe('"https://root:[redacted]@h/" holds more than scheme, host and port')
})

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['localhost', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['localhost.example.com', false],
])('loopback: %s is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
