import { expect, test } from 'vitest'
import { crc32c } from '../../../../../test/support/fakes/gcs-fake.ts'
import { Crc32c } from '../gcs-api-adapter.ts'

const sumOf = (...pieces: readonly Uint8Array[]): string => {
  const sum = new Crc32c()
  for (const piece of pieces) sum.update(piece)
  return sum.base64()
}

/** RFC 3720, appendix B.4, and the check value of the catalogues; of no bytes it is 0. */
test.each([
  ['nothing', Buffer.alloc(0), '00000000'],
  ['digits', Buffer.from('123456789'), 'e3069283'],
  ['32 zeros', Buffer.alloc(32), '8a9136aa'],
  ['32 ones', Buffer.alloc(32, 0xff), '62a8ab43'],
  ['32 bytes that rise', Buffer.from(Array.from({ length: 32 }, (_, byte) => byte)), '46dd794e'],
  ['32 bytes that fall', Buffer.from(Array.from({ length: 32 }, (_, byte) => 31 - byte)), '113fdb5c'],
])('crc32c: known value for %s', (_name, bytes, expected) => {
  expect(Buffer.from(sumOf(bytes), 'base64').toString('hex')).toBe(expected)
})

test('crc32c: the result does not depend on how the bytes are split', () => {
  const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, at) => (at * 37) & 0xff))
  expect(sumOf(bytes.subarray(0, 1), bytes.subarray(1, 400), Buffer.alloc(0), bytes.subarray(400))).toBe(crc32c(bytes))
})
