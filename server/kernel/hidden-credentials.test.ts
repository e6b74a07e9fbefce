import { expect, test } from 'vitest'
import { failure } from './failure.ts'
import { sentAddress, shownAddress, withoutCredentials } from './hidden-credentials.ts'

test.each([
  ['https://user:hunter2@h/x', 'https://user:[redacted]@h/x'],
  ['https://hunter2@h', 'https://[redacted]@h'],
  ['https://:hunter2@h', 'https://:[redacted]@h'],
  ['https://user:hunter2@hunter2@h/x', 'https://user:[redacted]@h/x'],
  ['https://user:hunter2/x@h', 'https://user:[redacted]@h'],
  ['https://us\ner:hunter2@h/x', 'https://user:[redacted]@h/x'],
  [' HTTPS:\\\\user:hunter2@h', ' HTTPS:\\\\user:[redacted]@h'],
  ['https://h/x?api_key=hunter2&id=3#top', 'https://h/x?api_key=[redacted]&id=3#top'],
  ['https://h/x?id=3&X-Amz-Signature=hunter2', 'https://h/x?id=3&X-Amz-Signature=[redacted]'],
  ['https://h/x?sig=hunter2', 'https://h/x?sig=[redacted]'],
  ['user:hunter2@h:514', 'user:[redacted]@h:514'],
  ['postgres://user:hunter2@h1,h2/d?password=hunter2', 'postgres://user:[redacted]@h1,h2/d?password=[redacted]'],
])('credentials: %j is shown as %j, which is shown as it is', (address, shown) => {
  expect(shownAddress(address)).toBe(shown)
  expect(shownAddress(shown)).toBe(shown)
})

test.each([
  'https://h:8080/a@b?mail=a:b@c&design=1',
  'https://[::1]:8200/x',
  '127.0.0.1:514',
  '/run/audit:1/a.sock',
  'postgres://holdfast@db1:5432,db2:5432/holdfast?sslmode=verify-full',
])('credentials: %j holds none and is shown as it is', (address) => {
  expect(shownAddress(address)).toBe(address)
})

test('credentials: are removed from addresses in a text, and from the texts of failures', () => {
  const text = "'https://user:hunter2@h', (http://hunter2@h/y) and a@b.example, https://h/p?token=hunter2&x=1."
  const clean =
    "'https://user:[redacted]@h', (http://[redacted]@h/y) and a@b.example, https://h/p?token=[redacted]&x=1."
  expect(withoutCredentials(text)).toBe(clean)
  const failed = failure('invalid', 'x', text, { faults: [{ detail: text, pointer: '/data' }] })
  expect([failed.message, failed.extras.faults]).toEqual([clean, [{ detail: clean, pointer: '/data' }]])
})

test('credentials: an address as it is shown stands for the stored one, and for no other', () => {
  const stored = ['https://user:hunter2@h/x', 'https://h/y?token=hunter2']
  expect(sentAddress('https://user:[redacted]@h/x', stored)).toBe(stored[0])
  expect(sentAddress('https://user:%5Bredacted%5D@h/x', stored)).toBe(stored[0])
  expect(sentAddress('https://h/y?token=[redacted]', stored)).toBe(stored[1])
  for (const other of ['https://user:[redacted]@g/x', 'http://user:[redacted]@h/x', 'https://me:[redacted]@h/x']) {
    expect(sentAddress(other, stored)).toBeUndefined()
  }
  expect(sentAddress('https://user:new@g/x', stored)).toBe('https://user:new@g/x')
})
