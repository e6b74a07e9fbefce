import type { FileHandle } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainHead, isOfSlot, readLink } from '../crypto/line-chains/line-chain.ts'

const lineFeed = 10
const blockBytes = 256 * 1024
const maxTailBytes = 16 * 1024 * 1024
const readsAtEnd = 10
const msBetweenReads = 10

/** How a file ends. `torn` means that its last line has no end: a process died while writing it. */
type FileTail = { head: ChainHead | undefined; torn: boolean }

/**
 * Reads a file backwards to the last sealed line of a process slot, so that its chain goes on after a restart. Lines after
 * it were torn from their group by a crash and never acknowledged; the next group takes their place.
 */
export async function readTail(file: FileHandle, slot: string): Promise<FileTail> {
  const { size, torn } = await findEnd(file)
  let tail: Buffer = Buffer.alloc(0)
  for (let at = size; at > 0 && size - at < maxTailBytes; ) {
    const length = Math.min(blockBytes, at)
    at -= length
    tail = Buffer.concat([await readAt(file, at, length), tail])
    // The first line of the tail may have begun before it, and is looked at with the next block.
    const whole = at === 0 ? 0 : tail.indexOf(lineFeed) + 1
    const head = lastHeadOfSlot(tail.subarray(whole), slot)
    if (head) return { head, torn }
    if (whole > 0) tail = tail.subarray(0, whole)
  }
  return { head: undefined, torn }
}

/** A line without end may be one that another process is writing at this moment, so it gets some time to end. */
async function findEnd(file: FileHandle): Promise<{ size: number; torn: boolean }> {
  for (let read = 1; ; read++) {
    const { size } = await file.stat()
    const ending = await readAt(file, size - 1, 1)
    const torn = size > 0 && ending[0] !== lineFeed
    if (!torn || read === readsAtEnd) return { size, torn }
    await sleep(msBetweenReads)
  }
}

function lastHeadOfSlot(bytes: Buffer, slot: string): ChainHead | undefined {
  // What follows the last line feed is torn and was never acknowledged.
  let end = bytes.lastIndexOf(lineFeed)
  while (end >= 0) {
    const start = end === 0 ? -1 : bytes.lastIndexOf(lineFeed, end - 1)
    const link = readLink(bytes.subarray(start + 1, end))
    if (link?.seal && isOfSlot(link, slot)) return { chain: link.chain, seq: link.seq, hash: link.seal.hash }
    end = start
  }
  return undefined
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) return Buffer.alloc(0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
