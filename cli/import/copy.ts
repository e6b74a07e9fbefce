import type { PatientClient } from './patient-client.ts'
import type { Report } from './report.ts'

/** Source and target of an import, and its options. */
export type Copy = {
  readonly from: PatientClient
  readonly to: PatientClient
  readonly dryRun: boolean
  /** Overwrite settings and variables that differ at the target; otherwise they are only named. */
  readonly update: boolean
  readonly report: Report
}
