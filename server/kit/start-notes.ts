import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '../kernel/directories.ts'
import { limitConcurrency } from '../kernel/limit-concurrency.ts'
import { ifAbsent } from '../kernel/system-errors.ts'

/** What `doctor` tells about the server since its last start, kept in the data directory. */
export type StartNotes = {
  /** Commits that an unclean stop had left in the log of the database, in frames; 0 after a clean one. */
  readonly recoveredFrames: number
  /** Frames of that log that could not be used, because one before them was damaged. */
  readonly lostFrames: number
  /** Devices that were removed by requests without a record. */
  readonly unrecordedRemovals: readonly { readonly device: string; readonly accessor: string }[]
}

/** What to do about a damaged log. */
export const damagedLogAdvice =
  'Check the disk. Compare with what clients were told, and restore the last snapshot if more is missing than you can repeat.'

const fileIn = (dataDir: string): string => join(dataDir, 'last-start.json')

const nothing: StartNotes = { recoveredFrames: 0, lostFrames: 0, unrecordedRemovals: [] }

/** The notes of the last start; empty ones where no server has started yet. */
export async function readStartNotes(dataDir: string): Promise<StartNotes> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch(ifAbsent)
  return text === undefined ? nothing : { ...nothing, ...(JSON.parse(text) as Partial<StartNotes>) }
}

/** Begins the notes of a start. */
export const beginStartNotes = (dataDir: string, notes: Partial<StartNotes>): Promise<void> =>
  writePrivateFile(fileIn(dataDir), `${JSON.stringify({ ...nothing, ...notes })}\n`)

const inTurn = limitConcurrency(1)

/** Notes a removal that has no record. */
export const noteUnrecordedRemoval = (
  dataDir: string,
  removal: StartNotes['unrecordedRemovals'][number],
): Promise<void> =>
  inTurn(async () => {
    const notes = await readStartNotes(dataDir)
    await beginStartNotes(dataDir, { ...notes, unrecordedRemovals: [...notes.unrecordedRemovals, removal] })
  })
