import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { instant, systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import type { Settings } from '../../server/kit/app-settings.ts'
import { createOutbound, type Outbound } from '../../server/outbound/fetch.ts'
import type { Configuration } from '../../server/product/snapshots/configurations/configuration.ts'
import type {
  Content,
  Destination,
  DestinationDeps,
} from '../../server/product/snapshots/destinations/destination-adapter.ts'

/** What destinations are created with. */
export const destinationDeps: DestinationDeps & { readonly outbound: Outbound } = {
  clock: systemClock,
  ids: randomIds,
  settings: { version: '1.2.3', localPaths: [] as readonly string[] } as Settings,
  outbound: createOutbound({ clock: systemClock }),
}

/** A configuration as a destination is given it; names begin with `f`. */
export const snapshotConfiguration = (
  parts: Pick<Configuration, 'type' | 'settings' | 'pathPrefix'> & Partial<Configuration>,
): Configuration => ({
  name: 'x',
  interval: 60,
  retain: 1,
  filePrefix: 'f',
  dialect: 'own',
  verify: 'none',
  timeout: 0,
  paused: false,
  createdAt: instant(0),
  updatedAt: instant(0),
  ...parts,
})

/** The names a destination lists. */
export async function namesIn(destination: Destination): Promise<string[]> {
  const found: string[] = []
  for await (const { name } of destination.list('f-', unwatched().signal)) found.push(name)
  return found
}

/** Random bytes posing as a snapshot, in pieces of odd sizes. */
export function snapshotContent(size: number): Content & { readonly bytes: Buffer } {
  const bytes = randomIds.bytes(size)
  const pieces = function* (): Generator<Buffer> {
    for (let at = 0; at < size; at += 70_001) yield bytes.subarray(at, at + 70_001)
  }
  const read = () => Readable.from(pieces(), { objectMode: false })
  return {
    bytes,
    summary: { size, sha256: createHash('sha256').update(bytes).digest('hex'), index: 7, clusterId: 'cluster' },
    open: read,
    lend: read,
  }
}

/** A signal that never aborts, and a confirmation that always succeeds. */
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
