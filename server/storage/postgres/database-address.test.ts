import { expect, test } from 'vitest'
import { parseHosts } from './database-address.ts'

test.each([
  [
    'postgres://u:p@h1:5432,h2:5433/db?sslmode=disable',
    ['h1:5432', 'h2:5433'],
    'postgres://u:p@h2:5433/db?sslmode=disable',
  ],
  ['postgresql://h1,h2/db', ['h1:5432', 'h2:5432'], 'postgresql://h2/db'],
  ['postgres://u@[::1]:5432/db', ['[::1]:5432'], 'postgres://u@[::1]:5432/db'],
])('address: %s is split into its servers', (url, labels, last) => {
  const hosts = parseHosts(url)
  expect(hosts.map((host) => host.label)).toEqual(labels)
  expect(hosts.at(-1)?.url).toBe(last)
})

test.each(['postgres://', 'postgres://u@/db', 'postgres://a,,b/db', 'mysql://h/db'])(
  'address: %s is refused',
  (url) => {
    expect(() => parseHosts(url)).toThrow(/must look like/)
  },
)
