import type { ServerResponse } from 'node:http'
import { runAfterPendingInput } from '../kernel/event-loop.ts'

type PendingAnswer = { readonly outgoing: ServerResponse; readonly text: string; readonly encoding: BufferEncoding }

/**
 * Hands answers to the system: the first of a turn of the event loop at once, the others together at its end. Each hand-over
 * wakes the process at the other end if it sleeps, a proxy on the same machine say, which costs more than the rest of it; when
 * many answers come in one piece it is woken twice, however many they are.
 */
export class Outbox {
  #waiting: PendingAnswer[] = []
  #isOpen = false

  /** Ends an answer whose head is written. */
  end(outgoing: ServerResponse, text: string, encoding: BufferEncoding): void {
    if (this.#isOpen) {
      this.#waiting.push({ outgoing, text, encoding })
      return
    }
    this.#isOpen = true
    runAfterPendingInput(this.#flush)
    outgoing.end(text, encoding)
  }

  readonly #flush = (): void => {
    this.#isOpen = false
    const answers = this.#waiting
    if (answers.length === 0) return
    this.#waiting = []
    for (const { outgoing, text, encoding } of answers) outgoing.end(text, encoding)
  }
}
