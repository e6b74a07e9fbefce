import { ModuleList } from './format-3.ts'
import { ResourceList } from './format-4.ts'
import { type Members, membersOf, textOf } from './members.ts'
import { longestName, type StateSummary } from './resource-count.ts'
import { toolVersionMember } from './state-fields.ts'
import { readOutputs, type StateOutput } from './state-outputs.ts'

/** What is known about a state without keeping all of it. */
export type StateFacts = {
  /** Null if the file cannot be read, for example because its writer encrypted it. */
  readonly format: number | null
  readonly toolVersion: string | null
  readonly serial: number | null
  readonly lineage: string | null
  readonly encrypted: boolean
  readonly resourceCount: number
  /** False if only the writer can tell what is managed. */
  readonly resourceCountKnown: boolean
  readonly outputs: readonly StateOutput[]
  readonly summary: StateSummary
}

/** The outline of a state, or what is wrong with it. */
export type Analysis = { readonly ok: true; readonly facts: StateFacts } | { readonly ok: false; readonly why: string }

/** What is counted while a state is read, for each format that has it. */
export type CountedParts = { readonly resources: ResourceList; readonly modules: ModuleList }

const integerOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

const versionOf = (value: unknown): string | null => {
  const version = textOf(value)
  return version !== null && version.length <= longestName ? version : null
}

const empty: StateSummary = { modules: {}, providers: {}, resources: [] }

/**
 * Reads the outline of a state. Unknown formats, and states that their writer encrypted, are kept without being read.
 * Resources that were counted before, while the document was read, need not be in it.
 */
export function analyseState(document: unknown, counted?: CountedParts): Analysis {
  const state = membersOf(document)
  if (!state) return { ok: false, why: 'it is JSON, but not an object' }
  const common = {
    toolVersion: versionOf(state[toolVersionMember]),
    serial: integerOrNull(state.serial),
    lineage: textOf(state.lineage),
    outputs: [],
    summary: empty,
    resourceCount: 0,
    resourceCountKnown: false,
  }
  if ('encrypted_data' in state) return { ok: true, facts: { ...common, format: null, encrypted: true } }
  const format = integerOrNull(state.version)
  const known = { ...common, format, encrypted: false }
  if (format === 4) return analyseVersion4(state, known, counted?.resources)
  if (format === 3) return analyseVersion3(state, known, counted?.modules)
  return { ok: true, facts: known }
}

function analyseVersion4(state: Members, known: StateFacts, counted?: ResourceList): Analysis {
  const resources = state.resources ?? []
  const outputs = state.outputs ?? {}
  if (!Array.isArray(resources)) return { ok: false, why: 'its resources are not a list' }
  if (!membersOf(outputs)) return { ok: false, why: 'its outputs are not an object' }
  const list = counted ?? ResourceList.of(resources)
  const why = list.problem()
  if (why !== undefined) return { ok: false, why }
  return { ok: true, facts: { ...known, ...list.result(), outputs: readOutputs(outputs) } }
}

function analyseVersion3(state: Members, known: StateFacts, counted?: ModuleList): Analysis {
  const modules = state.modules ?? []
  if (!Array.isArray(modules)) return { ok: false, why: 'its modules are not a list' }
  return { ok: true, facts: { ...known, ...(counted ?? ModuleList.of(modules)).result() } }
}
