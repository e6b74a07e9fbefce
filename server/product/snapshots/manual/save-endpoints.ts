import { inspectArchive, openArchive, previewArchive, verifyArchive } from '../../../archive/index.ts'
import { limitConcurrency } from '../../../kernel/limit-concurrency.ts'
import { type Deps, perApp } from '../../../kit/deps.ts'
import { acl, type Call, defineSystemEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { bytes, data, type Reply } from '../../../kit/reply.ts'
import type { Db } from '../../../storage/open.ts'
import { findUnopenable, loadDevices } from '../../secrets/audit-devices/index.ts'
import {
  archiveBody,
  archiveType,
  InspectionAnswer,
  inspectionAnswer,
  PreviewAnswer,
  previewAnswer,
  VerifyAnswer,
  verifyAnswer,
} from './archive-fields.ts'
import { unopenableText } from './restored-device.ts'

/**
 * Each snapshot is taken, and read, by a thread with its own memory: as many run at once as automated ones may, the
 * others wait. A restore does not wait for them; only one runs at a time anyway.
 */
const snapshotLimiter = perApp(({ settings }: Pick<Deps, 'settings'>) => limitConcurrency(settings.concurrentSnapshots))

/** The archive is complete before the first byte is sent, so that an error can still be answered as one. */
async function save({ deps, signal }: Pick<Call, 'deps' | 'signal'>): Promise<Reply> {
  const { stream, summary } = await snapshotLimiter(deps)(() => openArchive(deps, { signal }), signal)
  deps.log.info({ size: summary.size, rows: summary.rows, sha256: summary.sha256 }, 'manual snapshot taken')
  const digest = Buffer.from(summary.sha256, 'hex').toString('base64')
  const headers = {
    'Content-Length': String(summary.size),
    'Content-Disposition': `attachment; filename="holdfast-${summary.index}.snap"`,
    Digest: `sha-256=${digest}`,
  }
  return bytes(archiveType, stream, { headers })
}

type Upload = Pick<Call, 'deps' | 'signal'> & { readonly stream: AsyncIterable<Uint8Array> }

/** The signal of a request, and that its work waits for a place once the archive has arrived. */
const waiting = ({ deps, signal }: Pick<Call, 'deps' | 'signal'>) => ({ signal, inTurn: snapshotLimiter(deps) })

/** Reads an archive and summarizes it. */
export async function inspect(call: Upload): Promise<Reply> {
  const { deps, stream } = call
  const inspection = await inspectArchive(deps, stream, waiting(call))
  return data(inspectionAnswer(inspection, deps.clock.now()))
}

/** Compares an archive with the store. */
export async function preview(call: Upload & Pick<Call, 'warn'>): Promise<Reply> {
  const { deps, stream, warn } = call
  const inspect = async (db: Db): Promise<void> => {
    const devices = await loadDevices(db)
    const unopenable = await findUnopenable(deps, devices)
    if (unopenable.length > 0) warn(unopenableText(unopenable, devices.length))
  }
  const found = await previewArchive(deps, stream, { ...waiting(call), inspect })
  return data(previewAnswer(found, deps.clock.now()))
}

async function verify(call: Upload): Promise<Reply> {
  const { deps, stream } = call
  return data(verifyAnswer(await verifyArchive(deps, stream, waiting(call))))
}

/** Taking a snapshot by hand, inspecting one, and proving that it can be restored. */
export const saveEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    id: 'snapshots.save',
    route: 'GET /storage/raft/snapshot',
    summary: 'Take a snapshot now and download it.',
    description:
      'The response is a gzip file with all user data of the store as of one moment; the server keeps serving ' +
      'meanwhile. Values that are encrypted in the store stay encrypted in the snapshot.',
    access: acl(),
    returns: { 200: Type.String({ format: 'binary', description: 'The snapshot.' }) },
    mediaType: archiveType,
    fails: ['forbidden', 'invalid', 'sealed', 'no-space'],
    deadline: 0,
    handle: save,
  }),
  endpoint({
    id: 'snapshots.inspect',
    route: 'POST /storage/raft/snapshot/inspect',
    summary: 'Inspect a snapshot: read it from end to end and summarize its content.',
    description:
      'Changes nothing. A snapshot that is damaged, truncated or not from Holdfast is refused with the reason.',
    access: acl(),
    body: archiveBody,
    returns: { 200: InspectionAnswer },
    fails: ['invalid', 'forbidden', 'sealed', 'no-space'],
    deadline: 0,
    handle: inspect,
  }),
  endpoint({
    id: 'snapshots.preview',
    route: 'POST /storage/raft/snapshot/preview',
    summary: 'Preview a restore: show what restoring this snapshot would change.',
    description:
      'Changes nothing. Counts for each table the rows that would come back, be lost or change. A warning names the ' +
      'audit devices whose files cannot be opened on this machine.',
    access: acl(),
    body: archiveBody,
    returns: { 200: PreviewAnswer },
    fails: ['invalid', 'forbidden', 'sealed', 'no-space'],
    deadline: 0,
    handle: preview,
  }),
  endpoint({
    id: 'snapshots.verify',
    route: 'POST /storage/raft/snapshot/verify',
    summary: 'Verify a snapshot: restore it into a scratch database and compare.',
    description: 'Changes nothing. A damaged snapshot is not an error: the response has `ok: false` and the reason.',
    access: acl(),
    body: archiveBody,
    returns: { 200: VerifyAnswer },
    fails: ['forbidden', 'sealed', 'no-space'],
    deadline: 0,
    handle: verify,
  }),
])
