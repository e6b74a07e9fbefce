import type { Work } from './work.ts'

/** The bodies that wait for a group. */
export class WaitingWorks {
  #works: Work[] = []

  get count(): number {
    return this.#works.length
  }

  /** Retries go first, in their original order: one may depend on another's work. */
  add(work: Work): void {
    const place = work.terms.alone ? this.#works.findIndex((other) => !other.terms.alone) : -1
    if (place >= 0) this.#works.splice(place, 0, work)
    else this.#works.push(work)
  }

  /** Takes the body that begins a group. */
  takeFirst(): Work | undefined {
    return this.#works.shift()
  }

  /** Takes a body that may share a transaction; undefined if the next one may not. */
  takeToShare(): Work | undefined {
    return this.#works[0]?.terms.alone ? undefined : this.#works.shift()
  }

  /** Ends the waiting of those who are meant. */
  refuse(isMeant: (work: Work) => boolean, reason: unknown): void {
    const refused = this.#works.filter(isMeant)
    this.#works = this.#works.filter((work) => !isMeant(work))
    for (const work of refused) work.reject(reason)
  }
}
