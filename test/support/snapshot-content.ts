import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Content } from '../../server/features/snapshots/destinations/destination.ts'
import { randomIds } from '../../server/kernel/ids.ts'

/** Random bytes posing as a snapshot, in pieces of odd sizes. */
export function snapshotContent(size: number): Content & { readonly bytes: Buffer } {
  const bytes = randomIds.bytes(size)
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < size; at += 70_001) yield bytes.subarray(at, at + 70_001)
  }
  return {
    bytes,
    summary: { size, sha256: createHash('sha256').update(bytes).digest('hex'), index: 7, clusterId: 'cluster' },
    open: () => Readable.from(pieces(), { objectMode: false }),
  }
}

/** A signal that never ends and nothing to refuse. */
export const unwatched = (): { signal: AbortSignal; confirm: () => Promise<void> } => ({
  signal: new AbortController().signal,
  confirm: async () => undefined,
})

/** Everything a stream holds. */
export async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
