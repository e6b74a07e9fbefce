import { createScratchSchema, sweepScratchSchemas } from '../storage/bulk/scratch-schema.ts'
import { forgetEnded } from '../storage/bulk/sqlite-ended-tokens.ts'
import type { BulkTarget } from '../storage/bulk/table-shape.ts'
import { migrate } from '../storage/migrate.ts'
import { openStore, type Store } from '../storage/open.ts'
import type { ReceivedArchive } from './received-archive.ts'
import { inThread } from './threads/thread.ts'
import type { ArchiveDeps, TableSummaries, WorkOptions } from './types.ts'

/** A database made for one archive, which nobody else uses. */
export type Scratch = {
  readonly target: BulkTarget
  /** Opens it; the caller closes it. */
  open(): Promise<Store>
  remove(): Promise<void>
}

type ScratchDeps = Pick<ArchiveDeps, 'clock' | 'log' | 'ids' | 'store'>

/** A SQLite file in the spool folder of the archive. */
export function sqliteScratch(
  deps: Pick<ScratchDeps, 'clock' | 'log'>,
  { spool }: Pick<ReceivedArchive, 'spool'>,
  name = 'scratch.db',
): Scratch {
  const file = spool.file(name)
  return {
    target: { engine: 'sqlite', file },
    open: () => openStore({ url: `sqlite:${file}`, clock: deps.clock, log: deps.log, durability: 'off' }),
    remove: async () => undefined,
  }
}

/** A schema beside the one of the store, or a SQLite file: what the store's own engine can swap in. */
export async function createScratchFor(deps: ScratchDeps, received: Pick<ReceivedArchive, 'spool'>): Promise<Scratch> {
  const { target, url } = deps.store
  if (target.engine === 'sqlite') {
    return { ...sqliteScratch(deps, received), remove: async () => void (await forgetEnded(deps.store.db)) }
  }
  const scratch = await createScratchSchema(target, deps.ids.hex(16))
  const { schema } = scratch.target
  return {
    target: scratch.target,
    open: () => openStore({ url, schema, clock: deps.clock, log: deps.log, durability: 'off' }),
    remove: scratch.remove,
  }
}

/** Removes what restores that never ended left in the store or beside it, whichever node they ran on. */
export async function sweepScratch({ store }: Pick<ScratchDeps, 'store'>): Promise<number> {
  return store.target.engine === 'postgres' ? await sweepScratchSchemas(store.target) : await forgetEnded(store.db)
}

/**
 * Makes the tables as they were when the archive was taken, fills them, and reads them back: what the answer holds has
 * been restored, not just read. With an epoch, the rows are those of that restore.
 */
export async function fillScratch(
  scratch: Scratch,
  { file, migrations }: Pick<ReceivedArchive, 'file' | 'migrations'>,
  { epoch, ...options }: WorkOptions & { readonly epoch?: number } = {},
): Promise<TableSummaries> {
  const store = await scratch.open()
  try {
    await migrate(store, migrations)
  } finally {
    await store.close()
  }
  return await inThread('load', { file, target: scratch.target, epoch }, options)
}
