import { expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { createAddressGuard } from './address-guard.ts'

const guard = createAddressGuard()

const denied = {
  'a cloud metadata address': [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '2002:a9fe:a9fe::1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '2001:0:a9fe:a9fe::1',
    '2001:0:808:808:0:0:5601:5601',
    '2001:db8::5efe:169.254.169.254',
  ],
  'a link-local address': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'an unspecified address': ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
  'a multicast or broadcast address': ['224.0.0.1', '255.255.255.255', 'ff02::1'],
  'not a valid address': ['not an address', ''],
}

test.each(
  Object.entries(denied).flatMap(([reason, addresses]) => addresses.map((address) => [address, reason] as const)),
)('address guard: %s is denied as %s', (address, reason) => {
  expect(guard(address)).toBe(reason)
})

test.each([
  '127.0.0.1',
  '::1',
  '10.0.0.1',
  '192.168.1.1',
  '172.16.0.1',
  'fd12:3456::1',
  '8.8.8.8',
  '2606:4700::1111',
  '::ffff:10.0.0.1',
  '64:ff9b::8.8.8.8',
  '100.64.0.1',
])('address guard: %s is allowed', (address) => {
  expect(guard(address)).toBeUndefined()
})

test('address guard: the configuration can deny ranges and allow exceptions', () => {
  const own = createAddressGuard({ allow: ['169.254.169.254', '10.1.2.0/24'], deny: ['10.0.0.0/8', '2001:db8::/32'] })
  expect(own('169.254.169.254')).toBeUndefined()
  expect(own('::ffff:169.254.169.254')).toBeUndefined()
  expect(own('169.254.169.253')).toBe('a link-local address')
  expect(own('10.1.2.3')).toBeUndefined()
  expect(own('10.1.3.1')).toBe('an address the configuration denies')
  expect(own('2001:db8::1')).toBe('an address the configuration denies')
  expect(own('2002:0a01:0001::1')).toBe('an address the configuration denies')
})

test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '64:ff9b::127.0.0.1'])(
  'address guard: %s is denied only where loopback is, and an exception opens it',
  (address) => {
    expect(createAddressGuard({ denyLoopback: true })(address)).toBe('a loopback address')
    expect(createAddressGuard({ denyLoopback: true, allow: ['127.0.0.0/8', '::1'] })(address)).toBe(undefined)
    expect(createAddressGuard({ denyLoopback: true })('10.0.0.1')).toBeUndefined()
  },
)

test('address guard: the reason names the kind of address', () => {
  expect(guard('169.254.169.254')).toBe('a cloud metadata address')
  expect(guard('169.254.1.1')).toBe('a link-local address')
})

test('address guard: the default configuration keeps the built-in reasons', () => {
  const loaded = loadConfig({ mode: 'dev' })
  if (!loaded.ok) throw new Error('The defaults have problems.')
  const { outbound } = loaded.config
  expect(createAddressGuard(outbound)('169.254.169.254')).toBe('a cloud metadata address')
})

test('address guard: all invalid entries are reported at once', () => {
  expect(() => createAddressGuard({ allow: ['10.0.0.0/33', '10.0.0.1'], deny: ['example'] })).toThrow(
    '10.0.0.0/33, example',
  )
})
