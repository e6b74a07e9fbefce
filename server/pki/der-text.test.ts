import { expect, test } from 'vitest'
import { instant, toIso } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import { readElement } from './der.ts'
import { readText, readTime } from './der-text.ts'
import * as der from './der-writer.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const value = (tagByte: number, text: string) => {
  const bytes = der.tlv(tagByte, hex(text))
  return readElement(bytes, 0, bytes.length)
}
const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex')

test.each([
  ['UTF8String', der.tag.utf8String, 'c3bc', 'ü'],
  ['UTF8String with bad UTF-8', der.tag.utf8String, 'c3', undefined],
  ['UTF8String with a surrogate', der.tag.utf8String, 'eda080', undefined],
  ['PrintableString', der.tag.printableString, ascii("A z9 '()+,-./:=?"), "A z9 '()+,-./:=?"],
  ['PrintableString with star and ampersand', der.tag.printableString, ascii('*&'), '*&'],
  ['PrintableString with an @', der.tag.printableString, ascii('a@b'), undefined],
  ['IA5String', der.tag.ia5String, ascii('a@b'), 'a@b'],
  ['IA5String beyond ASCII', der.tag.ia5String, 'fc', undefined],
  ['NumericString', der.tag.numericString, ascii('12 3'), '12 3'],
  ['NumericString with a letter', der.tag.numericString, ascii('1a'), undefined],
  ['VisibleString', der.tag.visibleString, ascii('abc'), 'abc'],
  ['T61String in UTF-8', der.tag.t61String, 'c3bc', 'ü'],
  ['T61String in Latin-1', der.tag.t61String, 'fc', 'ü'],
  ['GeneralString', der.tag.generalString, ascii('abc'), 'abc'],
  ['BMPString', der.tag.bmpString, '00fc0041', 'üA'],
  ['BMPString of odd length', der.tag.bmpString, '00fc00', undefined],
  ['BMPString with half a pair', der.tag.bmpString, 'd800', undefined],
  ['UniversalString', der.tag.universalString, '0001f600', '😀'],
  ['UniversalString beyond Unicode', der.tag.universalString, '00110000', undefined],
  ['OCTET STRING', der.tag.octetString, ascii('abc'), undefined],
  ['an empty UTF8String', der.tag.utf8String, '', ''],
])('text: value of %s', (_name, tagByte, contents, expected) => {
  expect(readText(value(tagByte, contents))).toBe(expected)
})

test.each([
  [der.tag.utcTime, '260228235959Z', '2026-02-28T23:59:59.000Z'],
  [der.tag.utcTime, '491231000000Z', '2049-12-31T00:00:00.000Z'],
  [der.tag.utcTime, '500101000000Z', '1950-01-01T00:00:00.000Z'],
  [der.tag.utcTime, '240229000000Z', '2024-02-29T00:00:00.000Z'],
  [der.tag.generalizedTime, '99991231235959Z', '9999-12-31T23:59:59.000Z'],
  [der.tag.generalizedTime, '00010101000000Z', '0001-01-01T00:00:00.000Z'],
  [der.tag.utcTime, '230229000000Z', 'no day of the calendar'],
  [der.tag.utcTime, '261301000000Z', 'no month'],
  [der.tag.utcTime, '260100000000Z', 'day zero'],
  [der.tag.utcTime, '260101240000Z', 'hour 24'],
  [der.tag.utcTime, '260101000060Z', 'second 60'],
  [der.tag.utcTime, '2601010000Z', 'no seconds'],
  [der.tag.utcTime, '260101000000+0100', 'an offset'],
  [der.tag.utcTime, '2601010000 0Z', 'a space'],
  [der.tag.generalizedTime, '20260101000000.5Z', 'a fraction'],
  [der.tag.generalizedTime, '20260101000000', 'local time'],
  [der.tag.octetString, '260101000000Z', 'another type'],
])('time: tag %i, %s is %s', (tagByte, text, expected) => {
  const read = (): string => toIso(readTime(value(tagByte, ascii(text)), 'It'))
  if (expected.endsWith('Z')) expect(read()).toBe(expected)
  else expect(read).toThrow(Failure)
})

test('time: the writer changes to GeneralizedTime in 2050, and the reader reads both', () => {
  for (const iso of ['2049-12-31T23:59:59.000Z', '2050-01-01T00:00:00.000Z']) {
    const bytes = der.time(new Date(iso))
    expect(bytes[0]).toBe(iso < '2050' ? der.tag.utcTime : der.tag.generalizedTime)
    expect(readTime(readElement(bytes, 0, bytes.length), 'It')).toBe(instant(Date.parse(iso)))
  }
})
