export { inspectArchive } from './received-archive.ts'
export { sweepSpool } from './spool.ts'
export { openArchive, takeArchive } from './take-archive.ts'
export type {
  Archive,
  ArchiveDeps,
  ArchiveFacts,
  ArchiveSummary,
  Inspection,
  Progress,
  Provenance,
  TableSummaries,
  TableSummary,
  VerifyReport,
  WorkOptions,
} from './types.ts'
export { verifyArchive } from './verify-archive.ts'
