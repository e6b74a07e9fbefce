import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Failure } from '../kernel/failure.ts'
import {
  bigintOf,
  contents,
  decimalOf,
  open,
  readBitString,
  readBoolean,
  readElement,
  readInteger,
  readOid,
  readSmallInteger,
  readWhole,
} from './der.ts'
import * as der from './der-writer.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const value = (bytes: Buffer) => readElement(bytes, 0, bytes.length)

/** The code of what a function throws; fails if it throws anything else. */
function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
  return 'accepted'
}

test.each([
  ['a short length', '04 01 00', 'accepted'],
  ['a length of two octets', `04 81 80 ${'00'.repeat(128)}`, 'accepted'],
  ['the long form for a short length', '04 81 01 00', 'x509.length'],
  ['a leading zero in the length', `04 82 00 80 ${'00'.repeat(128)}`, 'x509.length'],
  ['an indefinite length', '30 80 00 00', 'x509.length'],
  ['a length of five octets', '04 85 01 00 00 00 00', 'x509.length'],
  ['contents that are cut off', '04 02 00', 'x509.truncated'],
  ['a length that is cut off', '04 82 01', 'x509.truncated'],
  ['nothing at all', '', 'x509.truncated'],
  ['a tag number above 30', '1f 81 00 00', 'x509.tag'],
  ['the end marker of BER', '00 00', 'x509.tag'],
])('element: verdict on %s', (_name, text, expected) => {
  expect(codeOf(() => value(hex(text)))).toBe(expected)
})

test('element: bytes behind the value are refused', () => {
  expect(codeOf(() => readWhole(hex('30 00 00'), 0x30, 'It'))).toBe('x509.trailing-bytes')
})

test('element: endless nesting is refused before the stack overflows', () => {
  let bytes: Buffer = der.sequence()
  for (let depth = 0; depth < 2000; depth++) bytes = der.sequence(bytes)
  const descend = (): void => {
    for (let element = readWhole(bytes, 0x30, 'It'); ; element = open(element, 'It').takeAny()) contents(element)
  }
  expect(codeOf(descend)).toBe('x509.too-deep')
})

test.each([
  ['00', 'accepted', '0'],
  ['7f', 'accepted', '127'],
  ['00 80', 'accepted', '128'],
  ['80', 'accepted', '-128'],
  ['ff', 'accepted', '-1'],
  ['01 00 00 00 00 00 00 00 00', 'accepted', '18446744073709551616'],
  ['7f ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff', 'accepted', (2n ** 159n - 1n).toString()],
  ['00 7f', 'x509.integer', ''],
  ['ff 80', 'x509.integer', ''],
  ['', 'x509.integer', ''],
])('integer: verdict on %s', (text, verdict, decimal) => {
  const element = value(der.tlv(der.tag.integer, hex(text)))
  expect(codeOf(() => readInteger(element, 'It'))).toBe(verdict)
  if (verdict !== 'accepted') return
  expect(decimalOf(readInteger(element, 'It'))).toBe(decimal)
})

test('integer: random integers written are read back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), (number) => {
      const bytes = readInteger(value(der.integer(number)), 'It')
      expect(bigintOf(bytes)).toBe(number)
      expect(decimalOf(bytes)).toBe(number.toString())
    }),
  )
})

test.each([
  [5, 5],
  [2 ** 31 - 1, 2 ** 31 - 1],
  [2 ** 31, 'x509.integer'],
  [-1, 'x509.integer'],
])('small integer: value of %s', (number, expected) => {
  const read = (): number => readSmallInteger(value(der.integer(number)), 'It')
  expect(typeof expected === 'number' ? read() : codeOf(read)).toBe(expected)
})

test.each([
  ['00', false],
  ['ff', true],
  ['01', 'x509.boolean'],
  ['', 'x509.boolean'],
  ['ff ff', 'x509.boolean'],
])('boolean: value of %s', (text, expected) => {
  const read = (): boolean => readBoolean(value(der.tlv(der.tag.boolean, hex(text))), 'It')
  expect(typeof expected === 'boolean' ? read() : codeOf(read)).toBe(expected)
})

test.each([
  ['00', 'accepted'],
  ['07 80', 'accepted'],
  ['07 81', 'x509.bit-string'],
  ['08 00', 'x509.bit-string'],
  ['01', 'x509.bit-string'],
  ['', 'x509.bit-string'],
])('bit string: verdict on %s', (text, expected) => {
  expect(codeOf(() => readBitString(value(der.tlv(der.tag.bitString, hex(text))), 'It'))).toBe(expected)
})

test.each([
  '1.2.840.113549.1.1.11',
  '2.5.29.17',
  '0.9.2342.19200300.100.1.25',
  '2.999.3',
  '2.25.329800735698586629295641978511506172918',
  '1.39.9007199254740993',
])('object identifier: %s is read as written', (dotted) => {
  expect(readOid(value(der.oid(dotted)), 'It')).toBe(dotted)
})

test.each([
  ['no octet', ''],
  ['an unfinished arc', '2a 86'],
  ['a padded arc', '2a 80 01'],
  ['a padded first arc', '80 2a'],
  ['hundreds of octets', '2a'.repeat(200)],
])('object identifier: %s is refused', (_name, text) => {
  expect(codeOf(() => readOid(value(der.tlv(der.tag.oid, hex(text))), 'It'))).toBe('x509.oid')
})
