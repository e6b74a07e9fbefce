import { failure } from '../../kernel/failure.ts'
import type { Deps } from '../../kit/deps.ts'
import {
  analyseState,
  readOutputs,
  type StateFacts,
  type StateOutput,
  type StateSummary,
} from './analysis/state-analysis-rules.ts'
import type { TakenContent } from './content/intake-actions.ts'
import type { Announcement, StateVersion } from './state-version-rules.ts'

type SealDeps = Pick<Deps, 'keyring'>

const placeOf = (column: 'summary' | 'announced_outputs', id: string) => ({ table: 'state_versions', column, row: id })

/** The outline of a state as its row keeps it. */
export const factsToStore = (
  deps: SealDeps,
  id: string,
  facts: StateFacts,
): Pick<StateVersion, 'format' | 'toolVersion' | 'encrypted' | 'resourceCount' | 'resourceCountKnown' | 'summary'> => ({
  format: facts.format,
  toolVersion: facts.toolVersion,
  encrypted: facts.encrypted,
  resourceCount: facts.resourceCount,
  resourceCountKnown: facts.resourceCountKnown,
  summary: deps.keyring.seal(JSON.stringify(facts.summary), placeOf('summary', id)),
})

const noSummary: StateSummary = { modules: {}, providers: {}, resources: [] }

/** Modules, providers and resources of a version. */
export const openSummary = (deps: SealDeps, { id, summary }: Pick<StateVersion, 'id' | 'summary'>): StateSummary =>
  summary === null ? noSummary : (JSON.parse(deps.keyring.openText(summary, placeOf('summary', id))) as StateSummary)

/** Outputs announced with a pending version, sealed until its content arrives. */
export const sealAnnounced = (deps: SealDeps, id: string, outputs: unknown): Uint8Array =>
  deps.keyring.seal(JSON.stringify(outputs), placeOf('announced_outputs', id))

/** The outputs that were announced with a pending version. */
export const openAnnounced = (
  deps: SealDeps,
  { id, announcedOutputs }: Pick<StateVersion, 'id' | 'announcedOutputs'>,
): unknown =>
  announcedOutputs === null
    ? undefined
    : (JSON.parse(deps.keyring.openText(announcedOutputs, placeOf('announced_outputs', id))) as unknown)

/** What is wrong with content: the member it is about, and what is said. */
export const contentRefusal = (detail: string, member = 'state') =>
  failure('invalid', `state.${member}`, detail, {
    faults: [{ detail, pointer: `/data/attributes/${member}`, code: `state.${member}` }],
  })

/**
 * Compares content with what was announced and reads its outline. A file only its writer can read, or one without
 * outputs, takes them from the announcement. Serial and lineage inside the file may differ from those announced; that
 * is only noted.
 */
export function examineContent(
  deps: Pick<Deps, 'log'>,
  announcement: Pick<Announcement, 'md5' | 'serial' | 'lineage'>,
  content: Pick<TakenContent, 'md5' | 'document' | 'broken'>,
  announcedOutputs: unknown,
): StateFacts {
  if (content.md5 !== announcement.md5) {
    const text = `Md5 does not fit: ${announcement.md5} was announced, the state has ${content.md5}`
    throw contentRefusal(text, 'md5')
  }
  if (content.broken !== undefined) throw contentRefusal(`State is broken, it is no JSON: ${content.broken}`)
  const analysis = analyseState(content.document)
  if (!analysis.ok) throw contentRefusal(`State is broken: ${analysis.why}`)
  const { facts } = analysis
  noteDifference(deps, announcement, facts)
  const outputs = facts.outputs.length === 0 ? announced(announcedOutputs) : facts.outputs
  return { ...facts, outputs }
}

const announced = (outputs: unknown): readonly StateOutput[] => readOutputs(outputs)

function noteDifference(
  { log }: Pick<Deps, 'log'>,
  announcement: Pick<Announcement, 'serial' | 'lineage'>,
  facts: StateFacts,
): void {
  const serial = facts.serial !== null && facts.serial !== announcement.serial
  const lineage = facts.lineage !== null && announcement.lineage !== null && facts.lineage !== announcement.lineage
  if (serial || lineage) log.warn({ serial, lineage }, 'a state differs from what was announced about it')
}
