import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { failure } from '../../../../kernel/failure.ts'
import type { Deps } from '../../../../kit/deps.ts'
import {
  discardOnError,
  type Inspection,
  inTransactionRetriedOnce,
  openContent,
  takeContent,
} from '../../../../kit/stored-bytes/index.ts'
import type { PhaseKind } from '../run.ts'
import { loadRun } from '../run-store.ts'
import type { Artifact, ArtifactName, Job } from './job.ts'
import { jobGone, staleFence } from './job-actions.ts'
import { artifactScope, findStored, loadArtifact, lockRun, putArtifactRow } from './job-store.ts'
import { dropStored } from './removal-actions.ts'

type ArtifactDeps = Pick<Deps, 'db' | 'keyring' | 'clock' | 'ids' | 'log' | 'store'>

type Measured = { readonly size: number; readonly sha256: string }

/** Measures a file while it is stored. */
const measuring: Inspection<Measured> = {
  whole: (bytes) => ({ size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }),
  begin: () => {
    const sum = createHash('sha256')
    let size = 0
    return {
      push: (bytes) => {
        sum.update(bytes)
        size += bytes.length
      },
      end: async () => ({ size, sha256: sum.digest('hex') }),
      close: () => undefined,
    }
  },
}

/** What a runner sends. */
export type SentArtifact = {
  readonly name: ArtifactName
  /** The digest that the runner has computed. */
  readonly sha256: string
  readonly source: AsyncIterable<Uint8Array>
  /** True for a job that has ended, whose runner may still hand in a state that it kept. */
  readonly isRescued: boolean
}

/** Stores something for the phase of a job; false if the job has stored the same under this name before. */
export async function storeArtifact(deps: ArtifactDeps, job: Job, sent: SentArtifact): Promise<boolean> {
  const { name, source } = sent
  const content = await takeContent(deps, artifactScope(job.workspaceId), source, measuring)
  return await discardOnError(content, () => {
    if (content.sha256 !== sent.sha256) throw digestDiffers(content.sha256)
    return inTransactionRetriedOnce(deps.db, async (tx) => {
      if (!(await lockRun(tx, job.runId))) throw jobGone()
      if (!sent.isRescued && (await loadRun(tx, job.runId))?.fence !== job.fence) throw staleFence()
      const before = await loadArtifact(tx, job.runId, job.phase, name)
      if (before && before.jobId === job.id) {
        if (before.sha256 === content.sha256) return false
        throw failure('conflict', 'artifact-differs', `This job has stored another ${name} before, which stays.`)
      }
      await content.keep(tx)
      const { id: jobId, runId, workspaceId, phase } = job
      const { sha256, size, blobId } = content
      const createdAt = deps.clock.now()
      await putArtifactRow(tx, { runId, phase, name, jobId, workspaceId, sha256, size, blobId, createdAt })
      if (before) await dropStored(tx, before)
      return true
    })
  })
}

const digestDiffers = (found: string) =>
  failure('invalid', 'digest', `The digest of what arrived is ${found}: it was changed on its way, so send it again.`)

/** Something that was stored, and its bytes; undefined if there is none. */
export async function openArtifact(
  deps: Pick<Deps, 'db' | 'keyring'>,
  runId: string,
  phase: PhaseKind,
  name: ArtifactName,
): Promise<{ readonly artifact: Artifact; readonly bytes: Buffer | Readable } | undefined> {
  const artifact = await loadArtifact(deps.db, runId, phase, name)
  const content = artifact && (await findStored(deps.db, artifact))
  return content && { artifact, bytes: await openContent(deps, content) }
}
