import { expect, test } from 'vitest'
import { systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { secret } from '../kernel/secret.ts'
import { Keyring } from './keyring.ts'
import { chunkBytes, maxSealedChunk } from './sealed-stream.ts'

const place = { table: 'blobs', column: 'bytes', row: 'sv-1' }

const newKeyring = (): Keyring => Keyring.create({ ids: randomIds, clock: systemClock }, secret(randomIds.bytes(32)))

const gather = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = []
  for await (const item of stream) items.push(item)
  return items
}

const opened = async (keyring: Keyring, chunks: Uint8Array[], where = place): Promise<Buffer> =>
  Buffer.concat(await gather(keyring.openStream(chunks, where)))

test.each([
  ['nothing', 0, 1],
  ['one byte', 1, 1],
  ['exactly one chunk', chunkBytes, 1],
  ['one byte more', chunkBytes + 1, 2],
  ['exactly three chunks', 3 * chunkBytes, 3],
])('sealed stream: %s is sealed into the expected chunks and opens again', async (_name, length, count) => {
  const keyring = newKeyring()
  const plain = randomIds.bytes(length)
  const pieces = [plain.subarray(0, length >> 1), plain.subarray(length >> 1)]
  const chunks = await gather(keyring.sealStream(pieces, place))
  expect(chunks).toHaveLength(count)
  for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(maxSealedChunk)
  expect((await opened(keyring, chunks)).equals(plain)).toBe(true)
  expect(keyring.openWhole(chunks, place).equals(plain)).toBe(true)
  const whole = keyring.sealWhole(plain, place)
  expect(whole.map(({ length }) => length)).toEqual(chunks.map(({ length }) => length))
  expect((await opened(keyring, whole)).equals(plain)).toBe(true)
})

test('sealed stream: swapped, missing, repeated, cut, mixed or moved chunks do not open', async () => {
  const keyring = newKeyring()
  const plain = randomIds.bytes(2 * chunkBytes + 100)
  const [a, b, c] = await gather(keyring.sealStream([plain], place))
  const [olderA, olderB] = await gather(keyring.sealStream([plain], place))
  if (!a || !b || !c || !olderA || !olderB) throw new Error('expected three chunks')
  const wrong = { swapped: [b, a, c], noStart: [b, c], hole: [a, c], noEnd: [a, b], none: [], doubled: [a, b, c, c] }
  const mixed = { mixed: [a, olderB, c], mixedStart: [olderA, b, c], short: [a, b, c.subarray(0, 20)] }
  for (const [name, chunks] of Object.entries({ ...wrong, ...mixed })) {
    await expect(opened(keyring, chunks), name).rejects.toMatchObject({ code: 'keyring.damaged-value' })
    expect(() => keyring.openWhole(chunks, place), name).toThrow('damaged')
  }
  const elsewhere = { ...place, row: 'sv-2' }
  await expect(opened(keyring, [a, b, c], elsewhere)).rejects.toMatchObject({ code: 'keyring.damaged-value' })
})

test('sealed stream: a chunk does not open as a value, nor a value as a chunk', async () => {
  const keyring = newKeyring()
  const [chunk] = await gather(keyring.sealStream([Buffer.from('x')], place))
  expect(() => keyring.open(chunk ?? Buffer.alloc(0), place)).toThrow('damaged')
  await expect(opened(keyring, [keyring.seal('x'.repeat(100), place)])).rejects.toThrow('damaged')
})

test('sealed stream: a stream sealed across a key rotation opens', async () => {
  const keyring = newKeyring()
  const plain = randomIds.bytes(2 * chunkBytes)
  async function* source(): AsyncGenerator<Buffer> {
    yield plain.subarray(0, chunkBytes)
    yield plain.subarray(chunkBytes, chunkBytes + 1)
    await keyring.rotate(async () => undefined)
    yield plain.subarray(chunkBytes + 1)
  }
  const chunks = await gather(keyring.sealStream(source(), place))
  expect((await opened(keyring, chunks)).equals(plain)).toBe(true)
})
