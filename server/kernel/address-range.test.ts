import { expect, test } from 'vitest'
import { isInRange, parseAddress, parseRange, showAddress } from './address-range.ts'

const shown = (text: string): string | undefined => {
  const range = parseRange(text)
  return range && `${showAddress(range.address)}/${range.bits}`
}

test.each([
  ['10.0.0.1', '10.0.0.1/32'],
  ['127.0.0.1/32', '127.0.0.1/32'],
  ['10.1.2.3/8', '10.1.2.3/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['::1', '::1/128'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['::/0', '::/0'],
  ['::ffff:10.0.0.1', '10.0.0.1/32'],
  ['::ffff:a00:1', '10.0.0.1/32'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
  ['::ffff:0:0/95', '::ffff:0:0/95'],
])('address range: %s is read as %s', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test.each([
  '',
  '/',
  '/8',
  'localhost',
  '10.0.0',
  '127.1',
  '010.0.0.1',
  '0x7f.0.0.1',
  '16909060',
  '256.0.0.1',
  '10.0.0.1/33',
  '::1/129',
  '::ffff:10.0.0.0/129',
  '10.0.0.1/',
  '10.0.0.1/-1',
  '10.0.0.1/08',
  '10.0.0.1/8/8',
  '10.0.0.1/255.0.0.0',
  'fe80::1%eth0',
  'fe80::%eth0/10',
  ' 10.0.0.1',
  '10.0.0.1 10.0.0.2',
])('address range: %j is invalid', (text) => {
  expect(parseRange(text)).toBeUndefined()
})

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['FE80:0::1', 'fe80::1'],
])('address: %s is read as %s', (text, expected) => {
  const address = parseAddress(text)
  expect(address && showAddress(address)).toBe(expected)
})

test.each(['', '10.0.0.0/8', '10.0.0.1%eth0', 'fe80::1%', 'fe80::1%a%b', '127.1', 'localhost', '10.0.0.1, 10.0.0.2'])(
  'address: %j is invalid',
  (text) => {
    expect(parseAddress(text)).toBeUndefined()
  },
)

const isIn = (address: string, range: string) => {
  const [parsed, block] = [parseAddress(address), parseRange(range)]
  return parsed && block && isInRange(parsed, block)
}

test.each([
  ['10.255.0.1', '10.0.0.0/8'],
  ['10.0.0.1', '0.0.0.0/0'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::ffff:7f00:1', '127.0.0.0/8'],
  ['fd12::1', 'fd00::/8'],
  ['fe80::1%eth0', 'fe80::/10'],
])('address range: %s is in %s', (address, range) => {
  expect(isIn(address, range)).toBe(true)
})

test.each([
  ['11.0.0.1', '10.0.0.0/8'],
  ['10.0.0.2', '10.0.0.1'],
  ['10.0.0.1', '::/0'],
  ['::1', '0.0.0.0/0'],
])('address range: %s is not in %s', (address, range) => {
  expect(isIn(address, range)).toBe(false)
})
