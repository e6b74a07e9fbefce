import { type Fate, leftOut, type PathStep, type Reading } from './json-scan.ts'
import { listedInstances, listedResources, noSummary, ResourceList, type StateSummary } from './resource-list.ts'
import {
  encryptedMember,
  longestName,
  type Members,
  membersOf,
  plainMembers,
  resourceMembers,
  textOf,
  toolVersionMember,
} from './state-fields.ts'
import { OutputReading, readOutputs, type StateOutput } from './state-outputs.ts'

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

/** The format that every tool of today writes, and the only one whose resources and outputs are read. */
const readFormat = 4

const integerOrNull = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)

const versionOf = (value: unknown): string | null => {
  const version = textOf(value)
  return version !== null && version.length <= longestName ? version : null
}

/**
 * Reads the outline of a state. Other formats, and states that their writer encrypted, are kept without being read.
 * Resources that were counted before, while the document was read, need not be in it.
 */
export function analyseState(document: unknown, counted?: ResourceList): Analysis {
  const state = membersOf(document)
  if (!state) return { ok: false, why: 'it is JSON, but not an object' }
  const encrypted = encryptedMember in state
  const known: StateFacts = {
    format: encrypted ? null : integerOrNull(state.version),
    toolVersion: versionOf(state[toolVersionMember]),
    serial: integerOrNull(state.serial),
    lineage: textOf(state.lineage),
    encrypted,
    resourceCount: 0,
    resourceCountKnown: false,
    outputs: [],
    summary: noSummary,
  }
  return known.format === readFormat ? analyseContent(state, known, counted) : { ok: true, facts: known }
}

function analyseContent(state: Members, known: StateFacts, counted?: ResourceList): Analysis {
  const resources = state.resources ?? []
  const outputs = state.outputs ?? {}
  if (!Array.isArray(resources)) return { ok: false, why: 'its resources are not a list' }
  if (!membersOf(outputs)) return { ok: false, why: 'its outputs are not an object' }
  const list = counted ?? ResourceList.of(resources)
  const why = list.problem()
  if (why !== undefined) return { ok: false, why }
  return { ok: true, facts: { ...known, ...list.result(), outputs: readOutputs(outputs) } }
}

/** The member of a state that is being read; numbers, because they are compared for every part. */
const [elsewhere, inResources, inOutputs] = [0, 1, 2]

const plain: ReadonlySet<unknown> = new Set(plainMembers)
const ofResources: ReadonlySet<unknown> = new Set(resourceMembers)

/**
 * How a state is read for its outline; a new one for each state, since it remembers what it has seen. Only members that
 * are known to be of use are kept. Resources are counted one by one and then left out, since large states have very
 * many; and so are their attributes, which are secret, too.
 */
export class StateReading implements Reading {
  #resources = new ResourceList()
  readonly #outputs = new OutputReading()
  #section = elsewhere
  /** True within the instances of a resource. */
  #inInstances = false
  /** The instances of the resource that is being read, and those of all resources that may have a key. */
  #instances = 0
  #opened = 0

  /** What was counted. */
  get resources(): ResourceList {
    return this.#resources
  }

  prune(path: readonly PathStep[], kept: number, begins: (key: string) => boolean): Fate {
    if (path.length === 1) return this.#beginSection(path[0], kept)
    if (this.#section === inResources) return this.#fateInResources(path, begins)
    return this.#section === inOutputs ? this.#outputs.fateOf(path, kept) : 'drop'
  }

  reduce(path: readonly PathStep[], value: unknown): unknown {
    if (this.#section === inOutputs) return this.#outputs.reduced(path, value)
    if (path.length !== 2 || this.#section !== inResources) return value
    this.#resources.add(value, this.#instances)
    return leftOut
  }

  allowsText(path: readonly PathStep[], length: number, kept: number): boolean {
    return this.#section === inOutputs && this.#outputs.hasRoomFor(path, length, kept)
  }

  #beginSection(member: PathStep | undefined, kept: number): Fate {
    this.#section = elsewhere
    switch (member) {
      case 'resources':
        this.#section = inResources
        // A file that has two lists means the second.
        this.#resources = new ResourceList()
        return 'keep'
      case 'outputs':
        this.#section = inOutputs
        this.#outputs.begin(kept)
        return 'keep'
      case encryptedMember:
        return 'blank'
      default:
        return plain.has(member) ? 'keep' : 'drop'
    }
  }

  #fateInResources(path: readonly PathStep[], begins: (key: string) => boolean): Fate {
    switch (path.length) {
      case 2:
        if (typeof path[1] !== 'number') return 'drop'
        this.#instances = 0
        this.#resources.begin()
        return 'enter'
      case 3:
        return this.#beginMember(path)
      case 4:
        return this.#inInstances ? this.#fateOfInstance(path, begins) : 'drop'
      case 5:
        return path[4] === 'index_key' ? 'keep' : 'drop'
      default:
        return 'drop'
    }
  }

  #beginMember(path: readonly PathStep[]): Fate {
    const member = path[2]
    this.#inInstances = member === 'instances'
    if (this.#inInstances) {
      this.#instances = 0
      return 'keep'
    }
    // Resources that are only counted need no name.
    if ((path[1] as number) >= listedResources && member === 'name') return 'drop'
    return ofResources.has(member) ? 'keep' : 'drop'
  }

  /**
   * Instances that will not be listed are only counted, and so are those without a key: it would come before
   * `schema_version`.
   */
  #fateOfInstance(path: readonly PathStep[], begins: (key: string) => boolean): Fate {
    if (typeof path[3] !== 'number') return 'drop'
    if (++this.#instances > listedInstances || (path[1] as number) >= listedResources) return 'drop'
    return begins('schema_version') || ++this.#opened > listedInstances ? 'blank' : 'keep'
  }
}
