import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { hasInexactNumber, parseExact } from '../../../../kernel/exact-json.ts'
import { textOf } from '../../../../kernel/failure.ts'
import { JsonScanner } from './json-scan.ts'
import { NotJson, parseWhole } from './json-syntax.ts'
import type { StateSummary } from './resource-list.ts'
import { type Analysis, analyseState, type StateFacts, StateReading } from './state-analysis.ts'

/** What is known about a state, with its summary as it is stored. */
export type PackedFacts = Omit<StateFacts, 'summary'> & { readonly summary: Uint8Array }

/** What was found in a state, or why it is refused. */
export type Finding = { readonly ok: true; readonly facts: PackedFacts } | { readonly ok: false; readonly why: string }

/** Reads a state piece by piece for what is in it. */
export class StateOutline {
  readonly #reading = new StateReading()
  readonly #scanner = new JsonScanner(this.#reading)
  #broken: string | undefined

  /** Takes the next piece. */
  push(bytes: Uint8Array): void {
    if (this.#broken === undefined) this.#scan(() => this.#scanner.push(bytes))
  }

  /** What was found; called after the last piece. */
  end(): Finding {
    const document = this.#broken === undefined ? this.#scan(() => this.#scanner.end()) : undefined
    if (this.#broken !== undefined) return { ok: false, why: `State is broken, it is not JSON: ${this.#broken}` }
    return findingOf(analyseState(document, this.#reading.resources))
  }

  /** Roughly how many bytes are kept at this moment. */
  get kept(): number {
    return this.#scanner.kept
  }

  #scan<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      this.#broken = textOf(error)
      return undefined
    }
  }
}

/**
 * What is found in a small state that is in memory as a whole. Parsing it takes a third of the time of scanning it; one
 * that is refused is scanned to find the reason.
 */
export function outlineOf(state: Buffer): Finding {
  const document = parseWhole(state)
  if (document !== undefined) return withExactNumbers(findingOf(analyseState(document)), state)
  const outline = new StateOutline()
  outline.push(state)
  return outline.end()
}

/** Few outputs have numbers that lose digits, so only those are parsed again, exactly. */
const withExactNumbers = (finding: Finding, state: Buffer): Finding =>
  finding.ok && finding.facts.outputs.some(({ value }) => hasInexactNumber(value))
    ? findingOf(analyseState(parseWhole(state, parseExact)))
    : finding

function findingOf(analysis: Analysis): Finding {
  if (!analysis.ok) return { ok: false, why: `State is broken: ${analysis.why}` }
  return { ok: true, facts: { ...analysis.facts, summary: packSummary(analysis.facts.summary) } }
}

/** Longer summaries are compressed: they repeat the same types, modules and providers. */
const plainLength = 4096

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 16 * 1024 }

/** The first byte of every summary that is not compressed, and never of a compressed one. */
const openObject = 0x7b

/** A summary as rows keep it. */
export function packSummary(summary: StateSummary): Uint8Array {
  const text = Buffer.from(JSON.stringify(summary))
  return text.length <= plainLength ? text : zstdCompressSync(text, options)
}

/** The summary that a row keeps. */
export function unpackSummary(packed: Buffer): StateSummary {
  const text = packed[0] === openObject ? packed : zstdDecompressSync(packed)
  return JSON.parse(text.toString('utf8')) as StateSummary
}
