import type { Readable } from 'node:stream'
import { Keyring } from '../crypto/keyring.ts'
import { lendRootKey } from '../crypto/root-keys/handed-over.ts'
import type { Instant } from '../kernel/clock.ts'
import { textOf } from '../kernel/failure.ts'
import { createMeta, type Meta } from './format/meta.ts'
import { sealSums } from './format/proof.ts'
import { sha256, sumsText } from './format/sums.ts'
import { digestArchive, lendArchive, type Member, packArchive, packedSize } from './format/tar-gzip.ts'
import { loadInstallation } from './installation-store.ts'
import type { SealRow } from './seal-store.ts'
import { loadSeal } from './seal-store.ts'
import { openSpool, type Spool, translateDiskFull } from './spool.ts'
import type { Tasks } from './threads/tasks.ts'
import { inThread } from './threads/thread.ts'
import type { Archive, ArchiveDeps, ArchiveSummary, WorkOptions } from './types.ts'

/**
 * Takes a snapshot: all tables as they are at one moment, while work goes on. It is complete when this resolves; the
 * caller removes it when it is no longer needed.
 */
export async function takeArchive(deps: ArchiveDeps, options: WorkOptions = {}): Promise<Archive> {
  const spool = await openSpool(deps)
  try {
    return await takeInto(spool, deps, options)
  } catch (thrown) {
    // Why the snapshot failed matters more; what is left behind is swept at the next start.
    await spool.remove().catch((error) => reportLeftover(deps, error))
    throw translateDiskFull(thrown)
  }
}

const reportLeftover = ({ log }: ArchiveDeps, error: unknown): void =>
  log.warn({ error: textOf(error) }, 'spool file of a snapshot not removed')

async function takeInto(spool: Spool, deps: ArchiveDeps, options: WorkOptions): Promise<Archive> {
  const seal = await loadSeal(deps.store.db)
  const takenAt = deps.clock.now()
  const file = spool.file('state.bin')
  const facts = {
    created: takenAt,
    version: deps.settings.version,
    cluster_id: seal.cluster_id,
    keyring_id: deps.keyring.id,
  }
  const state = await inThread('take', { target: deps.store.target, file, facts }, options)
  const meta = await metaOf(deps, seal, state, takenAt)
  const members = membersOf(deps, meta, state, file)
  const open = (): Readable => packArchive(members, takenAt)
  const lend = (): Readable => lendArchive(members, takenAt)
  const known = { size: packedSize(members), sha256: await digestArchive(members, takenAt, options.signal) }
  const summary: ArchiveSummary = {
    ...known,
    index: meta.Index,
    takenAt,
    clusterId: seal.cluster_id,
    rows: state.rows,
    tables: state.tables,
  }
  return { summary, open, lend, remove: () => spool.remove() }
}

type State = Tasks['take']['result']

/** What the archive says about itself. */
async function metaOf(deps: ArchiveDeps, seal: SealRow, state: State, takenAt: Instant): Promise<Meta> {
  return createMeta({
    takenAt,
    node: deps.settings.nodeName,
    size: state.size,
    cluster_id: seal.cluster_id,
    cluster_name: seal.cluster_name,
    installation_id: (await loadInstallation(deps)).uuid,
    api_version: deps.settings.compatVersion,
    version: deps.settings.version,
    keyring_id: deps.keyring.id,
    sealing_key: await sealingKeyNow(deps),
    seal_type: seal.type,
    seal_shares: seal.shares,
    seal_threshold: seal.threshold,
    entries: state.rows,
  })
}

/** The newest data key there is when all was read. It is asked of the store, where another node may have added one. */
async function sealingKeyNow({ store, keyring, ...deps }: ArchiveDeps): Promise<string> {
  const seal = await loadSeal(store.db)
  const stored = lendRootKey(keyring, (rootKey) => Keyring.open(deps, seal.wrapped, rootKey))
  try {
    return stored.sealingKey
  } finally {
    stored.lock()
  }
}

function membersOf(deps: ArchiveDeps, meta: Meta, state: State, file: string): Member[] {
  const metaBytes = Buffer.from(`${JSON.stringify(meta)}\n`)
  const sums = sumsText({ meta: sha256(metaBytes), state: state.sha256 })
  const sealed = sealSums(deps.keyring, deps.ids, sums)
  return [
    { name: 'meta.json', size: metaBytes.length, content: metaBytes },
    { name: 'state.bin', size: state.size, content: { file } },
    { name: 'SHA256SUMS', size: Buffer.byteLength(sums), content: Buffer.from(sums) },
    { name: 'SHA256SUMS.sealed', size: sealed.length, content: sealed },
  ]
}

/** Takes a snapshot and lends its bytes, as `lend` does; the spool file goes away when they were read, or given up. */
export async function openArchive(
  deps: ArchiveDeps,
  options: WorkOptions = {},
): Promise<{ stream: Readable; summary: ArchiveSummary }> {
  const { lend, remove, summary } = await takeArchive(deps, options)
  const stream = lend()
  // An error of the stream is reported by whoever sends the bytes.
  stream.once('error', () => undefined)
  stream.once('close', () => void remove().catch((error) => reportLeftover(deps, error)))
  return { stream, summary }
}
