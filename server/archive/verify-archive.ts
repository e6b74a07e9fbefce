import { Failure, textOf } from '../kernel/failure.ts'
import { type ReceivedArchive, withReceivedArchive } from './received-archive.ts'
import { fillScratch, sqliteScratch } from './scratch.ts'
import type { ArchiveDeps, VerifyReport, WorkOptions } from './types.ts'

/**
 * Proves that an archive restores: reads it from end to end, fills a scratch database from it and compares what that
 * holds. A bad archive is a report and not an exception; only trouble of our own is thrown.
 */
export async function verifyArchive(
  deps: ArchiveDeps,
  source: AsyncIterable<Uint8Array>,
  options: WorkOptions = {},
): Promise<VerifyReport> {
  const startedAt = deps.clock.monotonic()
  const elapsed = () => Math.round(deps.clock.monotonic() - startedAt)
  try {
    const report = await withReceivedArchive(deps, source, options, (received) => testRestore(deps, received, options))
    return { ...report, durationMs: elapsed() }
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.kind !== 'invalid') throw thrown
    return { ...unreadReport, problem: textOf(thrown), durationMs: elapsed() }
  }
}

const unreadReport = { ok: false, size: 0, sha256: '', provenance: 'other-keys', rows: 0, tables: {} } as const

async function testRestore(
  deps: ArchiveDeps,
  received: ReceivedArchive,
  options: WorkOptions,
): Promise<Omit<VerifyReport, 'durationMs'>> {
  const scratch = sqliteScratch(deps, received)
  const tables = await fillScratch(scratch, received, options)
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const { size, sha256, provenance } = received.inspection
  return { ok: true, problem: '', size, sha256, provenance, rows, tables }
}
