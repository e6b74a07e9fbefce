export type { Caller } from '../storage/bulk/revived-tokens.ts'
export { findInstallation, loadInstallation } from './installation-store.ts'
export { type Preview, previewArchive } from './preview-archive.ts'
export { inspectArchive } from './received-archive.ts'
export { restoreArchive } from './restore-archive.ts'
export { sweepScratch } from './scratch.ts'
export { sweepSpool } from './spool.ts'
export { openArchive, takeArchive } from './take-archive.ts'
export type {
  Archive,
  ArchiveDeps,
  ArchiveKey,
  Inspection,
  RestoreReport,
  TableSummaries,
  VerifyReport,
} from './types.ts'
export { opensHere } from './types.ts'
export { verifyArchive } from './verify-archive.ts'
