import type { PatientClient } from './patience.ts'
import type { Report } from './report.ts'

/** From where to where, and how. */
export type Copy = {
  readonly from: PatientClient
  readonly to: PatientClient
  readonly dryRun: boolean
  readonly report: Report
}
