import { TransientFailure } from '../connection/client.ts'
import { CliFailure } from '../io.ts'

/** Kinds of things that are copied. */
export type KindName = 'organization' | 'project' | 'workspace' | 'tag' | 'variable' | 'state' | 'consumer'

type Count = { copied: number; updated: number; there: number }

/** What an import did, would do, and could not do. */
export class Report {
  readonly #say: (line: string) => void
  readonly #isDryRun: boolean
  readonly #counts = new Map<KindName, Count>()
  readonly notes: string[] = []
  failures = 0

  constructor(say: (line: string) => void, isDryRun = false) {
    this.#say = say
    this.#isDryRun = isDryRun
  }

  /** Something was copied, or would be. */
  copied(kind: KindName, name: string): void {
    this.#count(kind, 'copied')
    this.#say(`+ ${kind} ${name}`)
  }

  /** Something was there already and was brought up to date, or would be. */
  updated(kind: KindName, name: string): void {
    this.#count(kind, 'updated')
    this.#say(`* ${kind} ${name}`)
  }

  /** Something was there already and is left as it is. */
  existed(kind: KindName): void {
    this.#count(kind, 'there')
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
  counts(): ({ kind: KindName } & Count)[] {
    return [...this.#counts].map(([kind, count]) => ({ kind, ...count }))
  }

  #count(kind: KindName, what: keyof Count): void {
    const known = this.#counts.get(kind) ?? { copied: 0, updated: 0, there: 0 }
    this.#counts.set(kind, { ...known, [what]: known[what] + 1 })
  }
}
