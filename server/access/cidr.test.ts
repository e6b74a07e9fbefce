import { expect, test } from 'vitest'
import { boundOf, matchesCidrs, normalizeCidr, normalizeCidrs } from './cidr.ts'

// What counts as an address or a block is tested with `parseRange`, which reads them.
test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['127.0.0.1/32', '127.0.0.1'],
  [' 10.1.2.3/8 ', '10.1.2.3/8'],
  ['::1/128', '::1'],
  ['2001:DB8:0:0::/32', '2001:db8::/32'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['localhost', undefined],
  ['10.0.0.1/33', undefined],
])('cidr: %j is normalised to %s', (text, expected) => {
  expect(normalizeCidr(text)).toBe(expected)
})

test('cidr list: every entry is normalised in place, or the first invalid one is named', () => {
  expect(normalizeCidrs(['10.0.0.1/32', '10.0.0.1', '::ffff:10.0.0.1', 'fd00::/8'])).toEqual({
    ok: true,
    cidrs: ['10.0.0.1', '10.0.0.1', '10.0.0.1', 'fd00::/8'],
  })
  expect(normalizeCidrs(['10.0.0.1', 'nonsense'])).toEqual({ ok: false, entry: 'nonsense' })
})

test.each<[string, string[], string | undefined]>([
  ['no bounds', [], '10.0.0.1'],
  ['no bounds, no address', [], undefined],
  ['inside', ['192.168.0.0/16', '10.0.0.0/8'], '10.255.0.1'],
  ['a single address', ['10.0.0.1'], '10.0.0.1'],
  ['IPv4 through a dual-stack listener', ['127.0.0.1'], '::ffff:127.0.0.1'],
  ['IPv4 through a dual-stack listener, in hexadecimal', ['127.0.0.1'], '::ffff:7f00:1'],
  ['IPv6 inside', ['fd00::/8'], 'fd12::1'],
  ['a zone is not part of the address', ['fe80::/10'], 'fe80::1%eth0'],
])('bound CIDRs: the client matches: %s', (_name, bounds, client) => {
  expect(matchesCidrs(bounds, client)).toBe(true)
})

test.each<[string, string[], string | undefined]>([
  ['bounds, no address', ['0.0.0.0/0', '::/0'], undefined],
  ['bounds, an empty address', ['0.0.0.0/0', '::/0'], ''],
  ['outside', ['10.0.0.0/8'], '11.0.0.1'],
  ['its neighbour', ['10.0.0.1'], '10.0.0.2'],
  ['IPv4 against all of IPv6', ['::/0'], '10.0.0.1'],
  ['mapped IPv4 against all of IPv6', ['::/0'], '::ffff:10.0.0.1'],
  ['IPv6 against all of IPv4', ['0.0.0.0/0'], '::1'],
  ['a list of two addresses as client', ['10.0.0.0/8'], '10.0.0.1, 10.0.0.2'],
  ['a block as client', ['10.0.0.0/8'], '10.0.0.0/8'],
  ['an unreadable bound matches nobody', ['nonsense'], '10.0.0.1'],
])('bound CIDRs: the client does not match: %s', (_name, bounds, client) => {
  expect(matchesCidrs(bounds, client)).toBe(false)
})

test.each(['10.0.0.1', '::ffff:10.0.0.1', '2001:DB8::1', 'fe80::1%eth0'])(
  'bound of one address: %s meets it, others do not',
  (address) => {
    const bounds = [boundOf(address)]
    expect(bounds).toEqual([normalizeCidr(bounds[0] ?? '')])
    expect(matchesCidrs(bounds, address)).toBe(true)
    expect(['10.0.0.2', '2001:db8::2', 'unknown'].some((other) => matchesCidrs(bounds, other))).toBe(false)
  },
)

test('bound of one address: nobody meets that of an address that cannot be read', () => {
  expect(['unknown', '', '10.0.0.1'].some((client) => matchesCidrs([boundOf('unknown')], client))).toBe(false)
  expect(['', '10.0.0.1'].some((client) => matchesCidrs([boundOf('')], client))).toBe(false)
})
