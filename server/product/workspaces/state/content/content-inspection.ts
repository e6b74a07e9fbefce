import { hash } from 'node:crypto'
import { hasInexactNumber, parseExact } from '../../../../kernel/exact-json.ts'
import { textOf } from '../../../../kernel/failure.ts'
import { JsonScanner, NotJson } from '../analysis/json/json-scan.ts'
import { parseWhole } from '../analysis/json/json-whole.ts'
import { packSummary } from '../analysis/packed-summary.ts'
import { type Analysis, analyseState, type StateFacts } from '../analysis/state-analysis-rules.ts'
import { StateReading } from '../analysis/state-reading.ts'
import type { ContentKind } from './content-urls.ts'

/** What is known about a state, with its summary as it is stored. */
export type PackedFacts = Omit<StateFacts, 'summary'> & { readonly summary: Uint8Array }

/** What was found in a state, or why it is refused. */
export type Finding = { readonly ok: true; readonly facts: PackedFacts } | { readonly ok: false; readonly why: string }

/** What is found out about a file while it is stored. */
export type ContentInfo = { readonly size: number; readonly md5: string; readonly finding: Finding }

/** The finding for a file that is stored without being read. */
export const unreadFinding: Finding = { ok: false, why: 'It was not read' }

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
    return findingOf(analyseState(document, this.#reading))
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

function findingOf(analysis: Analysis): Finding {
  if (!analysis.ok) return { ok: false, why: `State is broken: ${analysis.why}` }
  return { ok: true, facts: { ...analysis.facts, summary: packSummary(analysis.facts.summary) } }
}

/** Few outputs have numbers that lose digits, so only those are parsed again, exactly. */
const withExactNumbers = (finding: Finding, state: Buffer): Finding =>
  finding.ok && finding.facts.outputs.some(({ value }) => hasInexactNumber(value))
    ? findingOf(analyseState(parseWhole(state, parseExact)))
    : finding

/** Examines a small file that is in memory as a whole. */
export function inspectWhole(kind: ContentKind, bytes: Buffer): ContentInfo {
  return {
    size: bytes.length,
    md5: hash('md5', bytes),
    finding: kind === 'state' ? findingInWhole(bytes) : unreadFinding,
  }
}

/**
 * Parsing a small state takes a third of the time of scanning it; one that is refused is scanned to find the reason.
 */
function findingInWhole(state: Buffer): Finding {
  const document = parseWhole(state)
  if (document !== undefined) return withExactNumbers(findingOf(analyseState(document)), state)
  const outline = new StateOutline()
  outline.push(state)
  return outline.end()
}
