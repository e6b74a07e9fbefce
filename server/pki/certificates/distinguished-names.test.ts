import { expect, test } from 'vitest'
import { encodeName, type NameAttribute } from '../../../test/support/certificate-parts.ts'
import { bmpString, printableString } from '../../../test/support/der-values.ts'
import { readElement } from '../der.ts'
import * as der from '../der-writer.ts'
import { isSameName, isWithin, type Name, nameText, readName } from './distinguished-names.ts'
import { addressText } from './general-names.ts'

const parse = (bytes: Buffer): Name => readName(readElement(bytes, 0, bytes.length), 'It')
const name = (...attributes: NameAttribute[]): Name => parse(encodeName(attributes))
const pair = (oid: string, value: Buffer): Buffer => der.sequence(der.oid(oid), value)

test.each<[string, Name, Name]>([
  ['another string type', name(['CN', 'Acme', printableString]), name(['CN', 'Acme', der.utf8String])],
  ['another case', name(['O', 'ACME Ltd']), name(['O', 'acme ltd'])],
  ['other spacing', name(['O', ' Acme   Ltd ']), name(['O', 'Acme Ltd'])],
  ['a wide letter', name(['O', 'Ａcme']), name(['O', 'acme'])],
  ['BMPString', name(['O', 'Grün', bmpString]), name(['O', 'grün'])],
  ['both empty', name(), name()],
  [
    'several attributes in one part, in any order',
    parse(der.sequence(der.tlv(0x31, pair('2.5.4.3', der.utf8String('a')), pair('2.5.4.10', der.utf8String('b'))))),
    parse(der.sequence(der.tlv(0x31, pair('2.5.4.10', der.utf8String('B')), pair('2.5.4.3', der.utf8String('A'))))),
  ],
])('names are equal: %s', (_case, a, b) => {
  expect(isSameName(a, b)).toBe(true)
})

test.each<[string, Name, Name]>([
  ['another value', name(['CN', 'a']), name(['CN', 'b'])],
  ['another attribute', name(['CN', 'a']), name(['OU', 'a'])],
  ['another order of parts', name(['O', 'a'], ['CN', 'b']), name(['CN', 'b'], ['O', 'a'])],
  ['one part more', name(['O', 'a']), name(['O', 'a'], ['CN', 'b'])],
  ['a NUL inside', name(['CN', 'a\0b']), name(['CN', 'ab'])],
  ['a look-alike', name(['CN', 'аcme']), name(['CN', 'acme'])],
  ['text that imitates two parts', name(['CN', 'a\u00002.5.4.3=b']), name(['CN', 'a'], ['CN', 'b'])],
  [
    'values that are not text',
    parse(der.sequence(der.setOf(pair('2.5.4.3', der.integer(5))))),
    parse(der.sequence(der.setOf(pair('2.5.4.3', der.integer(6))))),
  ],
])('names differ: %s', (_case, a, b) => {
  expect(isSameName(a, b)).toBe(false)
})

test.each<[string, Name, Name]>([
  ['below', name(['C', 'DE'], ['O', 'Acme'], ['CN', 'x']), name(['C', 'de'], ['O', 'ACME'])],
  ['equal', name(['C', 'DE']), name(['C', 'DE'])],
  ['below the empty name', name(['C', 'DE']), name()],
])('a name is within a base: %s', (_case, a, base) => {
  expect(isWithin(a, base)).toBe(true)
})

test.each<[string, Name, Name]>([
  ['above', name(['C', 'DE']), name(['C', 'DE'], ['O', 'Acme'])],
  ['beside', name(['C', 'DE'], ['O', 'Other']), name(['C', 'DE'], ['O', 'Acme'])],
])('a name is not within a base: %s', (_case, a, base) => {
  expect(isWithin(a, base)).toBe(false)
})

test.each<[Name, string]>([
  [name(['C', 'DE'], ['O', 'A, B'], ['CN', 'x']), 'CN=x,O=A\\, B,C=DE'],
  [name(['CN', ' #"+;<>\\ ']), 'CN=\\ #\\"\\+\\;\\<\\>\\\\\\ '],
  [name(['CN', '#a']), 'CN=\\#a'],
  [name(['CN', 'a\nb\0']), 'CN=a\\0ab\\00'],
  [name(['1.2.3', 'x']), '1.2.3=x'],
  [parse(der.sequence(der.setOf(pair('2.5.4.3', der.integer(5))))), 'CN=#020105'],
])('name as text: %#', (given, expected) => {
  expect(nameText(given)).toBe(expected)
})

test.each([
  ['0a000001', '10.0.0.1'],
  ['00000000000000000000000000000001', '::1'],
  ['20010db8000000000000000000000001', '2001:db8::1'],
  ['20010db8000000010001000100010001', '2001:db8:0:1:1:1:1:1'],
  ['00000000000000000000000000000000', '::'],
  ['20010000000000010000000000000001', '2001:0:0:1::1'],
  ['0102', '0102'],
])('address %s as text', (hex, expected) => {
  expect(addressText(Buffer.from(hex, 'hex'))).toBe(expected)
})
