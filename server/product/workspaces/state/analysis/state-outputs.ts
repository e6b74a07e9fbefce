import type { Fate, PathStep } from './json-scan.ts'
import { hasNoNul, longestName, membersOf } from './state-fields.ts'

/** An output of a state. */
export type StateOutput = {
  readonly name: string
  readonly sensitive: boolean
  /** In plain words: `string`, `number`, `boolean`, `array`, `object`. */
  readonly type: string
  /** The type expression in the file; null if there is none. */
  readonly detailedType: unknown
  /** Whole numbers that a double cannot hold are bigints. */
  readonly value: unknown
}

/**
 * Outputs beyond this number are not shown, although the state has them. Each is a row of its own, encrypted
 * separately.
 */
const maxOutputs = 5_000

const isOutputName = (name: string): boolean => name.length <= longestName && hasNoNul(name)

/** An output without value and type: command lines then read the whole state. */
function withoutValue(value: unknown): unknown {
  const output = membersOf(value)
  return output && { sensitive: output.sensitive === true, type: null, value: null }
}

/** If outputs take more memory than this together, the rest is not shown, although the state has them. */
const outputBytes = 16 * 1024 * 1024

/** Steps of the path of an output. */
const depth = 2

/** Decides what is kept of outputs while a state is read. */
export class OutputReading {
  #before = 0
  #named = 0
  #isFull = false

  /** Begins with the outputs of a state, with so many bytes kept before. */
  begin(kept: number): void {
    this.#before = kept
    this.#named = 0
    this.#isFull = false
  }

  /** What becomes of a part of the outputs. */
  fateOf(path: readonly PathStep[], kept: number): Fate {
    const inside = path.length - depth
    const last = path.at(-1)
    // One more than are shown, so that it is known that there are more.
    if (inside === 0) return isShownName(last) && this.#named++ <= maxOutputs ? 'keep' : 'drop'
    this.#isFull ||= kept - this.#before > outputBytes
    if (this.#isFull) return inside === 1 && last === 'sensitive' ? 'keep' : 'drop'
    return inside > 1 || last === 'value' || last === 'type' || last === 'sensitive' ? 'keep' : 'drop'
  }

  /** True if there is room for a text within the outputs; without room, the rest is not shown. */
  hasRoomFor(path: readonly PathStep[], length: number, kept: number): boolean {
    if (path.length <= depth) return false
    this.#isFull ||= kept - this.#before + length > outputBytes
    return !this.#isFull
  }

  /** What is kept of an output that was read. */
  reduced(path: readonly PathStep[], value: unknown): unknown {
    return this.#isFull && path.length === depth ? withoutValue(value) : value
  }
}

const isShownName = (name: PathStep | undefined): boolean => typeof name === 'string' && isOutputName(name)

/** Outputs as a state and `output -json` write them; names that are impossible in a configuration are left out. */
export function readOutputs(raw: unknown): readonly StateOutput[] {
  const named = Object.entries(membersOf(raw) ?? {}).filter(([name]) => isOutputName(name))
  return named.slice(0, maxOutputs).map(([name, each], index) => {
    const isCut = named.length > maxOutputs && index === maxOutputs - 1
    const output = membersOf(isCut ? withoutValue(each) : each) ?? {}
    return {
      name,
      sensitive: output.sensitive === true,
      type: plainType(output.type, output.value),
      detailedType: expressionOf(output.type),
      value: output.value ?? null,
    }
  })
}

/** A word such as `list` alone, without the type of its elements, is not a type expression. */
const expressionOf = (type: unknown): unknown =>
  Array.isArray(type) || type === 'string' || type === 'number' || type === 'bool' || type === 'dynamic' ? type : null

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  bool: 'boolean',
  list: 'array',
  set: 'array',
  tuple: 'array',
  map: 'object',
  object: 'object',
}

function plainType(type: unknown, value: unknown): string {
  const head: unknown = Array.isArray(type) ? type[0] : type
  const named = typeof head === 'string' && Object.hasOwn(plainTypes, head) ? plainTypes[head] : undefined
  return named ?? (Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value)
}
