import { parseExact, writeExact } from '../../../kernel/exact-json.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import { noSummary, type StateSummary } from './analysis/resource-list.ts'
import { type PackedFacts, packSummary, unpackSummary } from './analysis/state-outline.ts'
import { readOutputs } from './analysis/state-outputs.ts'
import type { ContentInfo } from './content/intake-actions.ts'
import type { Announcement, StateVersion } from './state-version.ts'

type SealDeps = Pick<Deps, 'keyring'>

const placeOf = (column: 'summary' | 'announced_outputs', id: string) => ({ table: 'state_versions', column, row: id })

/** The outline of a state as its row keeps it. */
export const factsToStore = (
  deps: SealDeps,
  id: string,
  facts: PackedFacts,
): Pick<StateVersion, 'format' | 'toolVersion' | 'encrypted' | 'resourceCount' | 'resourceCountKnown' | 'summary'> => ({
  format: facts.format,
  toolVersion: facts.toolVersion,
  encrypted: facts.encrypted,
  resourceCount: facts.resourceCount,
  resourceCountKnown: facts.resourceCountKnown,
  summary: deps.keyring.seal(facts.summary, placeOf('summary', id)),
})

type Summarized = Pick<StateVersion, 'id' | 'summary'>

/** The packed summary of a version, decrypted. */
export const openPackedSummary = (deps: SealDeps, { id, summary }: Summarized): Uint8Array =>
  summary === null ? packSummary(noSummary) : deps.keyring.open(summary, placeOf('summary', id))

/** Modules, providers and resources of a version. */
export const openSummary = (deps: SealDeps, { id, summary }: Summarized): StateSummary =>
  summary === null ? noSummary : unpackSummary(deps.keyring.open(summary, placeOf('summary', id)))

/** Encrypts outputs announced with a pending version until its content arrives. */
export const sealAnnouncedOutputs = (deps: SealDeps, id: string, outputs: unknown): Uint8Array =>
  deps.keyring.seal(writeExact(outputs), placeOf('announced_outputs', id))

/** The outputs that were announced with a pending version. */
export const openAnnouncedOutputs = (
  deps: SealDeps,
  { id, announcedOutputs }: Pick<StateVersion, 'id' | 'announcedOutputs'>,
): unknown =>
  announcedOutputs === null
    ? undefined
    : parseExact(deps.keyring.openText(announcedOutputs, placeOf('announced_outputs', id)))

/** The refusal of content: what is wrong, and the member it is about. */
export const contentRefusal = (detail: string, member = 'state') =>
  failure('invalid', `state.${member}`, detail, {
    faults: [{ detail, pointer: `/data/attributes/${member}`, code: `state.${member}` }],
  })

/**
 * Compares content with what was announced and reads its outline. For a file that only its writer can read, or one
 * without outputs, the announced outputs are used. Serial and lineage inside the file may differ from those announced;
 * that is only logged.
 */
export function examineContent(
  deps: Pick<Deps, 'log'>,
  announcement: Pick<Announcement, 'md5' | 'serial' | 'lineage'>,
  { md5, finding }: Pick<ContentInfo, 'md5' | 'finding'>,
  announcedOutputs: unknown,
): PackedFacts {
  if (md5 !== announcement.md5) {
    const text = `Md5 does not fit: ${announcement.md5} was announced, the state has ${md5}`
    throw contentRefusal(text, 'md5')
  }
  if (!finding.ok) throw contentRefusal(finding.why)
  const { facts } = finding
  logDifference(deps, announcement, facts)
  return facts.outputs.length === 0 ? { ...facts, outputs: readOutputs(announcedOutputs) } : facts
}

function logDifference(
  { log }: Pick<Deps, 'log'>,
  announcement: Pick<Announcement, 'serial' | 'lineage'>,
  facts: PackedFacts,
): void {
  const serial = facts.serial !== null && facts.serial !== announcement.serial
  const lineage = facts.lineage !== null && announcement.lineage !== null && facts.lineage !== announcement.lineage
  if (serial || lineage) log.warn({ serial, lineage }, 'the uploaded state differs from what its version declared')
}
