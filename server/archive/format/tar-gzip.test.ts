import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../../../test/support/folders.ts'
import { randomIds } from '../../kernel/ids.ts'
import { digestArchive, lendArchive, type Member, packArchive, packedSize } from './tar-gzip.ts'

/** Large enough that buffers are reused many times, and not a multiple of anything. */
const size = 5_000_001

async function madeMembers(): Promise<{ folder: string; members: Member[] }> {
  const folder = ownFolder()
  const file = join(folder, 'state.bin')
  await writeFile(file, randomIds.bytes(size))
  const small = Buffer.from('{"a":1}\n')
  return {
    folder,
    members: [
      { name: 'meta.json', size: small.length, content: small },
      { name: 'state.bin', size, content: { file } },
    ],
  }
}

async function digestOf(bytes: AsyncIterable<Buffer>, between = async (): Promise<void> => undefined): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of bytes) {
    await between()
    hash.update(piece)
  }
  return hash.digest('hex')
}

/** An answer of our own server that sends what it is given. */
async function answered(send: Parameters<typeof createServer>[1]): Promise<IncomingMessage> {
  const server = createServer(send)
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const [answer] = await once(get({ port: (server.address() as AddressInfo).port, agent: false }), 'response')
  return answer as IncomingMessage
}

test('archive: its size and digest match those computed beforehand', async () => {
  const { members } = await madeMembers()
  const digest = await digestArchive(members, 1)
  expect(await digestOf(packArchive(members, 1))).toBe(digest)
  let sum = 0
  for await (const piece of packArchive(members, 1)) sum += piece.length
  expect(sum).toBe(packedSize(members))
})

test('archive: lent pieces stay intact for a reader that is slow with each of them', async () => {
  const { members } = await madeMembers()
  const slowly = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns++) await turn()
  }
  expect(await digestOf(lendArchive(members, 1), slowly)).toBe(await digestArchive(members, 1))
})

test('archive: lent pieces arrive intact in a file and at a client that reads slowly', async () => {
  const { folder, members } = await madeMembers()
  const digest = await digestArchive(members, 1)
  const file = join(folder, 'copy')
  await pipeline(lendArchive(members, 1), createWriteStream(file))
  expect(await digestOf(createReadStream(file))).toBe(digest)
  const answer = await answered((_request, response) => void pipeline(lendArchive(members, 1), response))
  expect(await digestOf(answer, async () => void (await turn()))).toBe(digest)
})
