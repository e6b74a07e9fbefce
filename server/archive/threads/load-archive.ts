import { createReadStream } from 'node:fs'
import { failure } from '../../kernel/failure.ts'
import { openBulkLoader, openBulkReader } from '../../storage/bulk/bulk.ts'
import { raiseGenerations } from '../../storage/bulk/generations.ts'
import { type BulkTarget, isLocalTable, type TableShape } from '../../storage/bulk/table-shape.ts'
import { isUnfitValue } from '../../storage/database-errors.ts'
import { readArchive } from '../format/archive-reader.ts'
import type { TableBegin } from '../format/state-format.ts'
import { isSameContent, TableDigest } from '../format/table-digest.ts'
import { restoredDiffers, unreadable } from '../refusals.ts'
import type { TableSummaries, TableSummary } from '../types.ts'

/** Where an archive is and which empty database it is loaded into. */
export type Load = {
  readonly file: string
  readonly target: BulkTarget
  /** The restore that generations are raised for; undefined where nobody goes on with the rows. */
  readonly epoch: number | undefined
}

/** Fills a scratch database from an archive, then reads it back and compares. */
export async function loadArchive(load: Load): Promise<TableSummaries> {
  const { tables, shapes } = await fill(load)
  const found = await readBack(load.target, shapes)
  for (const { name } of shapes) {
    if (!isSameContent(found[name], tables[name])) throw restoredDiffers(name)
  }
  return found
}

type FilledTables = { tables: TableSummaries; shapes: readonly TableShape[] }

async function fill({ file, target, epoch }: Load): Promise<FilledTables> {
  const loader = await openBulkLoader(target)
  const known = new Map(loader.tables.map((table) => [table.name, table]))
  const shapes: TableShape[] = []
  try {
    const { state } = await readArchive(createReadStream(file, { highWaterMark: 1024 * 1024 }), {
      comparesLater: true,
      wants: (name) => !isLocalTable(name),
      table: async (begin, tuples) => {
        const shape = requireSameShape(begin, known.get(begin.name))
        shapes.push(shape)
        const rows = epoch === undefined ? tuples : raiseGenerations(tuples, shape.columns, epoch)
        await refuseUnfitRows(`the rows of '${begin.name}' do not fit`, () => loader.load(shape, rows))
      },
    })
    await refuseUnfitRows('its rows do not fit together', () => loader.finish())
    return { tables: state.tables, shapes }
  } finally {
    await loader.close()
  }
}

/** Rows that the database does not take are a fault of the archive. */
async function refuseUnfitRows(text: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (thrown) {
    throw thrown instanceof RangeError || isUnfitValue(thrown) ? unreadable(text, thrown) : thrown
  }
}

/** The archive's columns must be those of the table: its migrations made them. */
function requireSameShape(begin: TableBegin, shape: TableShape | undefined): TableShape {
  const described = (columns: TableShape['columns']) =>
    columns
      .map(({ name, type }) => `${name} ${type}`)
      .sort()
      .join(', ')
  if (shape && described(shape.columns) === described(begin.columns)) return { ...shape, columns: begin.columns }
  throw failure('invalid', 'archive.other-tables', `The table '${begin.name}' of the snapshot is unknown here.`)
}

/** Reads columns in the archive's order, on which digests depend. */
async function readBack(target: BulkTarget, shapes: readonly TableShape[]): Promise<Record<string, TableSummary>> {
  const reader = await openBulkReader(target)
  try {
    const found: Record<string, TableSummary> = {}
    for (const shape of shapes) {
      const digest = new TableDigest(shape.columns.length)
      for await (const tuples of reader.tuples(shape)) digest.add(tuples)
      found[shape.name] = digest.summary()
    }
    return found
  } finally {
    await reader.close()
  }
}
