import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlockBlobClient, BlockBlobCommitBlockListOptions } from '@azure/storage-blob'
import { chunksOf, processInParts } from '../destination.ts'

/** Blocks of one upload that are under way at the same time; each is kept in memory until it is acknowledged. */
const blocksAtOnce = 2

/**
 * Stores bytes in blocks, which stay invisible until the service is told to make a blob of them. It compares each block
 * with the checksum sent along, and discards unused blocks by itself.
 */
export async function uploadInBlocks(
  blob: BlockBlobClient,
  bytes: Readable,
  blockBytes: number,
  options: BlockBlobCommitBlockListOptions,
): Promise<void> {
  const ids: string[] = []
  const underWay: Promise<void>[] = []
  for await (const block of chunksOf(bytes, blockBytes)) {
    const id = blockId(ids.length)
    const sent = send(blob, id, block, options)
    // If a block fails before it is awaited, its error is thrown when it is.
    sent.catch(() => undefined)
    ids.push(id)
    underWay.push(sent)
    if (underWay.length === blocksAtOnce) await underWay.shift()
  }
  await Promise.all(underWay)
  await blob.commitBlockList(ids, options)
}

async function send(
  blob: BlockBlobClient,
  id: string,
  block: Buffer,
  { abortSignal }: BlockBlobCommitBlockListOptions,
): Promise<void> {
  const transactionalContentMD5 = await md5Of(block)
  await blob.stageBlock(id, block, block.length, { ...(abortSignal && { abortSignal }), transactionalContentMD5 })
}

/** The only checksum of blocks that both the service and its emulators support. */
async function md5Of(block: Buffer): Promise<Uint8Array> {
  const sum = createHash('md5')
  await processInParts(block, (part) => sum.update(part))
  return sum.digest()
}

/** The names of all blocks of a blob must have the same length. */
const blockId = (index: number): string => Buffer.from(String(index).padStart(6, '0')).toString('base64')
