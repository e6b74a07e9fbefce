import { TransientFailure } from '../connection/client.ts'
import { CliFailure } from '../io.ts'

/** Kinds of things that are copied. */
export type Kind = 'organization' | 'project' | 'workspace' | 'tag' | 'variable' | 'state' | 'consumer'

type Count = { copied: number; updated: number; there: number }

/** What an import did, would do, and could not do. */
export class Report {
  readonly #say: (line: string) => void
  readonly #isDryRun: boolean
  readonly #counts = new Map<Kind, Count>()
  readonly notes: string[] = []
  failures = 0

  constructor(say: (line: string) => void, isDryRun = false) {
    this.#say = say
    this.#isDryRun = isDryRun
  }

  /** Something was copied, or would be. */
  copied(kind: Kind, name: string): void {
    this.#count(kind).copied += 1
    this.#say(`+ ${kind} ${name}`)
  }

  /** Something was there already and was brought up to date, or would be. */
  updated(kind: Kind, name: string): void {
    this.#count(kind).updated += 1
    this.#say(`* ${kind} ${name}`)
  }

  /** Something was there already and is left as it is. */
  existed(kind: Kind): void {
    this.#count(kind).there += 1
  }

  /** Something that a person has to look at. */
  note(text: string): void {
    this.notes.push(text)
    this.#say(`! ${text}`)
  }

  /** Something that a person may still have to look at; it is shown only at the end. */
  noteForEnd(text: string): void {
    this.notes.push(text)
  }

  /** Copies something; if that is refused, it is reported, and the import goes on. */
  async attempt(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (thrown) {
      // Everything else would fail in the same way, since a server cannot be reached.
      if (!(thrown instanceof CliFailure) || thrown instanceof TransientFailure) throw thrown
      this.failures += 1
      this.note(`${what} ${this.#isDryRun ? 'cannot be' : 'was not'} copied: ${thrown.message}`)
    }
  }

  /** For each kind, how many were copied or updated, or would be, and how many existed already. */
  counts(): ({ kind: Kind } & Count)[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, ...count }))
  }

  #count(kind: Kind): Count {
    const known = this.#counts.get(kind) ?? { copied: 0, updated: 0, there: 0 }
    this.#counts.set(kind, known)
    return known
  }
}
