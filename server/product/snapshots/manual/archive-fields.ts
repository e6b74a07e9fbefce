import type { Preview } from '../../../archive/preview-archive.ts'
import { type Inspection, opensHere, type TableSummaries, type VerifyReport } from '../../../archive/types.ts'
import { toIso } from '../../../kernel/clock.ts'
import { streamed } from '../../../kit/bodies.ts'
import { type BodyShape, model, Type } from '../../../kit/endpoint.ts'

/** The media type archives are sent with. */
export const archiveType = 'application/gzip'

/** An archive as a request body. There is no limit: however large the store is, its snapshot must be restorable. */
export const archiveBody: BodyShape<undefined> = streamed(
  archiveType,
  Number.MAX_SAFE_INTEGER,
  'A snapshot, as it was saved. Any content type is accepted.',
)

const Tables = Type.Record(
  Type.String(),
  Type.Object({
    rows: Type.Integer({ description: 'Number of rows in the table.' }),
    digest: Type.String({ description: 'Checksum of the rows, independent of their order and of the database.' }),
  }),
  { description: 'The tables by name.' },
)

const sameCluster = Type.Boolean({
  description: 'Whether it was taken by this installation. If not, a restore pauses its snapshot configurations.',
})

/** What an archive says about itself. */
export const InspectionAnswer = model('SnapshotInspection', {
  size: Type.Integer({ description: 'Size of the whole snapshot in bytes.' }),
  sha256: Type.String({ description: 'Checksum of the whole snapshot.' }),
  format: Type.Integer({ description: 'Format version of its content.' }),
  version: Type.String({ description: 'Version of Holdfast that wrote it.' }),
  index: Type.Integer({ description: 'Increases from snapshot to snapshot.' }),
  created: Type.String({ description: 'The time its data is from.' }),
  age: Type.Integer({ description: 'Seconds since that time.' }),
  cluster_id: Type.String({ description: 'The cluster it comes from.' }),
  cluster_name: Type.String({ description: 'Its name.' }),
  same_cluster: sameCluster,
  engine: Type.String({ description: 'The type of database it was taken from; it can be restored into either.' }),
  seal_type: Type.String({ description: '`auto` or `shamir`.' }),
  seal_shares: Type.Integer({ description: 'Number of key shares created.' }),
  seal_threshold: Type.Integer({
    description: 'Number of key shares required to unseal after a force restore elsewhere.',
  }),
  same_keys: Type.Boolean({
    description: 'Whether it was made with the keys of this server; if not, only a force restore accepts it.',
  }),
  entries: Type.Integer({ description: 'Number of rows in all tables.' }),
  tables: Tables,
})

const Change = model('SnapshotChange', {
  rows_now: Type.Integer({ description: 'Number of rows now.' }),
  rows_then: Type.Integer({ description: 'Number of rows after a restore.' }),
  added: Type.Integer({ description: 'Number of rows that would come back.' }),
  removed: Type.Integer({ description: 'Number of rows that would be lost.' }),
  changed: Type.Integer({ description: 'Number of rows that would change.' }),
  examples: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Keys of the first of them.' }),
})

/** What a restore would change. */
export const PreviewAnswer = model('RestorePreview', {
  created: Type.String({ description: 'The time the data of the snapshot is from.' }),
  age: Type.Integer({ description: 'Seconds since that time.' }),
  same_cluster: sameCluster,
  same_keys: Type.Boolean({ description: 'Whether it was made with the keys of this server.' }),
  needs_force: Type.Boolean({ description: 'Whether only a force restore accepts it.' }),
  seal_type: Type.String({ description: '`auto` or `shamir`.' }),
  seal_shares: Type.Integer({ description: 'Number of key shares created.' }),
  seal_threshold: Type.Integer({
    description: 'Number of key shares required to unseal after a force restore elsewhere.',
  }),
  tables: Type.Record(Type.String(), Change, { description: 'Tables in which something would change.' }),
  unchanged: Type.Array(Type.String(), { description: 'Tables that would stay as they are.' }),
})

/** How a test restore went. */
export const VerifyAnswer = model('SnapshotVerification', {
  ok: Type.Boolean({ description: 'Whether the restored data equals the snapshot.' }),
  problem: Type.String({ description: 'What is wrong; empty if nothing is.' }),
  size: Type.Integer({ description: 'Size of the whole snapshot in bytes.' }),
  sha256: Type.String({ description: 'Checksum of the whole snapshot.' }),
  same_keys: Type.Boolean({ description: 'Whether it was made with the keys of this server.' }),
  entries: Type.Integer({ description: 'Number of rows restored into the scratch database.' }),
  duration_ms: Type.Integer({ description: 'How long it took.' }),
  tables: Tables,
})

/** An inspection as it is answered. */
export function inspectionAnswer(
  { size, sha256, facts, elsewhere, provenance }: Inspection,
  now: number,
): Record<string, unknown> {
  return {
    size,
    sha256,
    format: facts.format,
    version: facts.version,
    index: facts.index,
    created: toIso(facts.takenAt),
    age: Math.max(0, Math.round((now - facts.takenAt) / 1000)),
    cluster_id: facts.clusterId,
    cluster_name: facts.clusterName,
    same_cluster: !elsewhere,
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

type TableChanges = Preview['tables'][string]

/** A preview as it is answered. */
export function previewAnswer({ inspection, tables }: Preview, now: number): Record<string, unknown> {
  const facts = inspectionAnswer(inspection, now)
  const all = Object.entries(tables)
  return {
    created: facts.created,
    age: facts.age,
    same_cluster: facts.same_cluster,
    same_keys: facts.same_keys,
    needs_force: !facts.same_keys,
    seal_type: facts.seal_type,
    seal_shares: facts.seal_shares,
    seal_threshold: facts.seal_threshold,
    tables: Object.fromEntries(
      all.filter(([, table]) => isChanged(table)).map(([name, table]) => [name, changesToWire(table)]),
    ),
    unchanged: all.filter(([, table]) => !isChanged(table)).map(([name]) => name),
  }
}

const isChanged = ({ added, removed, changed }: TableChanges): boolean => added + removed + changed > 0

const changesToWire = ({ rowsNow, rowsThen, ...rest }: TableChanges): Record<string, unknown> => ({
  rows_now: rowsNow,
  rows_then: rowsThen,
  ...rest,
})
