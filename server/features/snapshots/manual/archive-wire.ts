import {
  type Inspection,
  opensHere,
  type Preview,
  type TableSummaries,
  type VerifyReport,
} from '../../../archive/index.ts'
import { toIso } from '../../../kernel/clock.ts'
import { streamed } from '../../../kit/bodies.ts'
import { type BodyShape, Type } from '../../../kit/endpoint.ts'

/** The media type archives are sent with. */
export const archiveType = 'application/gzip'

/** An archive as a request body. There is no limit: however large the store is, its snapshot must be restorable. */
export const archiveBody: BodyShape<undefined> = streamed(
  archiveType,
  Number.MAX_SAFE_INTEGER,
  'A snapshot as it was saved. Any content type is taken.',
)

const Tables = Type.Record(
  Type.String(),
  Type.Object({
    rows: Type.Integer({ description: 'How many rows the table has.' }),
    digest: Type.String({ description: 'Equal for equal rows, whatever their order and the database.' }),
  }),
  { description: 'The tables by name.' },
)

/** What an archive says about itself. */
export const InspectionAnswer = Type.Object({
  size: Type.Integer({ description: 'Bytes of the whole snapshot.' }),
  sha256: Type.String({ description: 'Checksum of the whole snapshot.' }),
  format: Type.Integer({ description: 'Format of its content.' }),
  version: Type.String({ description: 'Version of Holdfast that wrote it.' }),
  index: Type.Integer({ description: 'Grows from snapshot to snapshot.' }),
  created: Type.String({ description: 'The moment it shows.' }),
  age: Type.Integer({ description: 'Seconds since that moment.' }),
  cluster_id: Type.String({ description: 'The cluster it comes from.' }),
  cluster_name: Type.String({ description: 'Its name.' }),
  same_cluster: Type.Boolean({ description: 'Whether it comes from this cluster.' }),
  engine: Type.String({ description: 'The database it was read from; it restores into either.' }),
  seal_type: Type.String({ description: '`auto` or `shamir`.' }),
  seal_shares: Type.Integer({ description: 'Key shares that were made.' }),
  seal_threshold: Type.Integer({ description: 'Key shares needed to open it after a force restore elsewhere.' }),
  same_keys: Type.Boolean({ description: 'Whether the keys of this server made it; if not, only force restores it.' }),
  entries: Type.Integer({ description: 'Rows of all tables.' }),
  tables: Tables,
})

const Change = Type.Object({
  rows_now: Type.Integer({ description: 'Rows there are now.' }),
  rows_then: Type.Integer({ description: 'Rows there would be.' }),
  added: Type.Integer({ description: 'Rows that would come back.' }),
  removed: Type.Integer({ description: 'Rows that would be lost.' }),
  changed: Type.Integer({ description: 'Rows that would change.' }),
  examples: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Keys of the first of them.' }),
})

/** What a restore would change. */
export const PreviewAnswer = Type.Object({
  created: Type.String({ description: 'The moment the snapshot shows.' }),
  age: Type.Integer({ description: 'Seconds since that moment.' }),
  same_cluster: Type.Boolean({ description: 'Whether it comes from this cluster.' }),
  same_keys: Type.Boolean({ description: 'Whether the keys of this server made it.' }),
  needs_force: Type.Boolean({ description: 'Whether only a force restore takes it.' }),
  seal_type: Type.String({ description: '`auto` or `shamir`.' }),
  seal_shares: Type.Integer({ description: 'Key shares that were made.' }),
  seal_threshold: Type.Integer({ description: 'Key shares needed to open it after a force restore elsewhere.' }),
  tables: Type.Record(Type.String(), Change, { description: 'Tables in which something would change.' }),
  unchanged: Type.Array(Type.String(), { description: 'Tables that would stay as they are.' }),
})

/** How a test restore went. */
export const VerifyAnswer = Type.Object({
  ok: Type.Boolean({ description: 'Whether everything that was written came back.' }),
  problem: Type.String({ description: 'What is wrong; empty when nothing is.' }),
  size: Type.Integer({ description: 'Bytes of the whole snapshot.' }),
  sha256: Type.String({ description: 'Checksum of the whole snapshot.' }),
  same_keys: Type.Boolean({ description: 'Whether the keys of this server made it.' }),
  entries: Type.Integer({ description: 'Rows that were restored into the scratch database.' }),
  duration_ms: Type.Integer({ description: 'How long it took.' }),
  tables: Tables,
})

/** An inspection as it is answered. */
export function inspectionAnswer(
  { size, sha256, facts, provenance }: Inspection,
  here: { clusterId: string; now: number },
): Record<string, unknown> {
  return {
    size,
    sha256,
    format: facts.format,
    version: facts.version,
    index: facts.index,
    created: toIso(facts.takenAt),
    age: Math.max(0, Math.round((here.now - facts.takenAt) / 1000)),
    cluster_id: facts.clusterId,
    cluster_name: facts.clusterName,
    same_cluster: facts.clusterId === here.clusterId,
    engine: facts.engine,
    seal_type: facts.sealType,
    seal_shares: facts.sealShares,
    seal_threshold: facts.sealThreshold,
    same_keys: opensHere(provenance),
    entries: facts.rows,
    tables: facts.tables satisfies TableSummaries,
  }
}

/** A verification as it is answered. */
export const verifyAnswer = (report: VerifyReport): Record<string, unknown> => ({
  ok: report.ok,
  problem: report.problem,
  size: report.size,
  sha256: report.sha256,
  same_keys: opensHere(report.provenance),
  entries: report.rows,
  duration_ms: report.durationMs,
  tables: report.tables,
})

/** A preview as it is answered. */
export function previewAnswer(
  { inspection, tables }: Preview,
  here: { clusterId: string; now: number },
): Record<string, unknown> {
  const facts = inspectionAnswer(inspection, here)
  const { created, age, same_cluster, same_keys, seal_type, seal_shares, seal_threshold } = facts
  const all = Object.entries(tables)
  const changes = all.filter(([, { added, removed, changed }]) => added + removed + changed > 0)
  return {
    ...{ created, age, same_cluster, same_keys, needs_force: !same_keys, seal_type, seal_shares, seal_threshold },
    tables: Object.fromEntries(
      changes.map(([name, { rowsNow, rowsThen, ...rest }]) => {
        return [name, { rows_now: rowsNow, rows_then: rowsThen, ...rest }]
      }),
    ),
    unchanged: all.filter((each) => !changes.includes(each)).map(([name]) => name),
  }
}
