import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Instant, instant, parseInstant } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import { loadMigrations, type Migration, readHistory } from '../storage/migrate.ts'
import type { ReadArchive } from './format/archive-reader.ts'
import { isFromElsewhere } from './installation-store.ts'
import { provenanceOf } from './provenance.ts'
import { newerTables, olderTables, unreadable } from './refusals.ts'
import { openSpool, type Spool, translateDiskFull } from './spool.ts'
import type { CheckedArchive } from './threads/tasks.ts'
import { inThread } from './threads/thread.ts'
import type { ArchiveDeps, ArchiveFacts, Inspection, RestoreOptions, WorkOptions } from './types.ts'

/** An archive somebody handed in: it is in a spool file, was read to its end, and no byte of it was changed. */
export type ReceivedArchive = {
  readonly spool: Spool
  readonly file: string
  readonly content: CheckedArchive
  /** Those that made its tables. */
  readonly migrations: readonly Migration[]
  readonly inspection: Inspection
}

/** What is done with an archive on its arrival. `withRows` is for those who do not load its rows afterwards. */
type ReceiveOptions = WorkOptions & Pick<RestoreOptions, 'arrived'> & { readonly withRows?: boolean }

/** Takes an archive in, reads it to its end and hands it on; nothing of it stays afterwards. */
export async function withReceivedArchive<T>(
  deps: ArchiveDeps,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
  use: (received: ReceivedArchive) => Promise<T>,
): Promise<T> {
  const spool = await openSpool(deps)
  try {
    const file = spool.file('archive.snap')
    await spoolTo(file, source, options.signal)
    await options.arrived?.()
    const { signal, withRows = false, inTurn = (work) => work() } = options
    return await inTurn(async () => {
      const content = await inThread('check', { file, withRows }, { signal })
      const migrations = await migrationsOf(content)
      return await use({ spool, file, content, migrations, inspection: await inspectionOf(deps, content) })
    }, signal)
  } catch (thrown) {
    throw translateDiskFull(thrown)
  } finally {
    // The result of the work matters more; what is left behind is swept at the next start.
    await spool.remove().catch((error) => deps.log.warn({ error: textOf(error) }, 'spool folder not removed'))
  }
}

/** If a pipeline is stopped, its error says only that; the signal says why. */
async function spoolTo(
  file: string,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await pipeline(source, createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal })
  } catch (thrown) {
    signal?.throwIfAborted()
    throw thrown
  }
}

/** The migrations that made the tables of an archive; refuses those that this program cannot bring to the present. */
async function migrationsOf({ state }: CheckedArchive): Promise<readonly Migration[]> {
  const known = await loadMigrations()
  const history = readHistory(state.header.migrations, known)
  if ('unknown' in history) throw newerTables(history.unknown)
  if ('missing' in history) throw olderTables(history.missing, history.lastVersion)
  return known.filter(({ name }) => history.applied.has(name))
}

async function inspectionOf(deps: ArchiveDeps, content: CheckedArchive): Promise<Inspection> {
  const facts = factsOf(content)
  return {
    size: content.size,
    sha256: content.sha256,
    facts,
    elsewhere: await isFromElsewhere(deps, facts),
    provenance: provenanceOf(deps, content),
  }
}

function factsOf({ meta, state }: ReadArchive): ArchiveFacts {
  const { holdfast } = meta
  const { header } = state
  if (holdfast.cluster_id !== header.cluster_id || holdfast.keyring_id !== header.keyring_id) {
    throw unreadable('meta.json and state.bin are from different snapshots')
  }
  return {
    format: holdfast.format,
    index: meta.Index,
    takenAt: createdAt(holdfast.created),
    clusterId: holdfast.cluster_id,
    clusterName: String(holdfast.cluster_name ?? ''),
    installation: holdfast.installation_id,
    sealType: holdfast.seal_type,
    sealShares: Number(holdfast.seal_shares),
    sealThreshold: Number(holdfast.seal_threshold),
    version: String(holdfast.version ?? ''),
    engine: header.engine,
    migrations: header.migrations,
    rows: state.rows,
    tables: state.tables,
  }
}

const createdAt = (text: string): Instant => parseInstant(text) ?? instant(0)

/** Reads an archive from end to end and returns what it says about itself; refuses one that is not whole. */
export const inspectArchive = (
  deps: ArchiveDeps,
  source: AsyncIterable<Uint8Array>,
  options: WorkOptions = {},
): Promise<Inspection> =>
  withReceivedArchive(deps, source, { ...options, withRows: true }, async ({ inspection }) => inspection)
