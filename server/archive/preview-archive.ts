import type { TableChanges } from '../storage/bulk/sqlite-compare.ts'
import { migrate } from '../storage/migrate.ts'
import type { Db } from '../storage/open.ts'
import { type ReceivedArchive, withReceivedArchive } from './received-archive.ts'
import { fillScratch, type Scratch, sqliteScratch } from './scratch.ts'
import { inThread } from './threads/thread.ts'
import type { ArchiveDeps, Inspection, WorkOptions } from './types.ts'

/** What a restore would change, table by table. */
export type Preview = { readonly inspection: Inspection; readonly tables: Readonly<Record<string, TableChanges>> }

/** The options of a preview. */
type PreviewOptions = WorkOptions & {
  /** Called with the data of the archive, in the tables of the present version. */
  readonly inspect?: (db: Db) => Promise<void>
}

/**
 * Tells what a restore of the archive would change. The archive and the running data are both copied into scratch files,
 * each at one moment, and compared there; nothing is changed.
 */
export const previewArchive = (
  deps: ArchiveDeps,
  source: AsyncIterable<Uint8Array>,
  options: PreviewOptions = {},
): Promise<Preview> => withReceivedArchive(deps, source, options, (received) => preview(deps, received, options))

async function preview(deps: ArchiveDeps, received: ReceivedArchive, options: PreviewOptions): Promise<Preview> {
  const archived = sqliteScratch(deps, received, 'archived.db')
  await fillScratch(archived, received, options)
  const current = sqliteScratch(deps, received, 'current.db')
  await Promise.all([migrateScratch(archived, options.inspect), migrateScratch(current)])
  const files = { current: received.spool.file('current.db'), archived: received.spool.file('archived.db') }
  const tables = await inThread('compare', { live: deps.store.target, ...files }, options)
  return { inspection: received.inspection, tables }
}

async function migrateScratch(scratch: Scratch, inspect?: PreviewOptions['inspect']): Promise<void> {
  const store = await scratch.open()
  try {
    await migrate(store)
    await inspect?.(store.db)
  } finally {
    await store.close()
  }
}
