import type { Client } from '../client.ts'
import type { Report } from './report.ts'

/** From where to where, and how. */
export type Copy = {
  readonly from: Client
  readonly to: Client
  readonly dryRun: boolean
  readonly report: Report
}
