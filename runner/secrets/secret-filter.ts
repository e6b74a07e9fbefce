/** What stands in place of a secret. */
export const replacement = '(sensitive)'

const replacementBytes = Buffer.from(replacement)

/**
 * All forms of all secrets as one automaton (Aho and Corasick), which reads each byte once however many there are. A node
 * stands for a beginning of a form; its children are a list of siblings, since nearly all have one child only.
 */
type Automaton = {
  readonly byte: Uint8Array
  readonly child: Int32Array
  readonly sibling: Int32Array
  /** The longest beginning of a form that is an end of this one. */
  readonly fallback: Int32Array
  readonly depth: Int32Array
  /** The length of the longest form that ends here, or 0. */
  readonly match: Int32Array
  /** The children of the root by their byte, since most bytes are looked up there. */
  readonly fromRoot: Int32Array
}

/** Replaces secrets, in one text or in streams. Built once for a job. */
export class SecretFilter {
  readonly #automaton: Automaton

  constructor(forms: readonly Uint8Array[]) {
    this.#automaton = automatonOf(forms.filter((form) => form.length > 0))
  }

  /** A filter for one stream, which finds secrets across the borders of its pieces. */
  stream(): SecretStream {
    return new SecretStream(this.#automaton)
  }

  /** All of a text, with secrets replaced. */
  text(text: string): string {
    const stream = this.stream()
    return Buffer.concat([stream.push(Buffer.from(text)), stream.end()]).toString()
  }
}

/**
 * Holds back what may be the beginning of a secret. `release` gives up on it, for when nothing follows for a while; a
 * secret whose beginning has left is then replaced from there on.
 */
class SecretStream {
  readonly #automaton: Automaton
  #state = 0
  #held: Buffer = Buffer.alloc(0)
  /** Ranges of `#held` that are secret, in order and without overlaps. */
  #secret: { from: number; to: number }[] = []
  /** Whether the last byte that left belonged to a secret, so that one that goes on is not told twice. */
  #isWithin = false

  constructor(automaton: Automaton) {
    this.#automaton = automaton
  }

  push(bytes: Uint8Array): Buffer {
    const start = this.#held.length
    this.#held = start === 0 ? Buffer.from(bytes) : Buffer.concat([this.#held, bytes])
    let state = this.#state
    for (let index = start; index < this.#held.length; index++) {
      state = step(this.#automaton, state, this.#held[index] ?? 0)
      const length = this.#automaton.match[state] ?? 0
      if (length > 0) this.#add(Math.max(0, index + 1 - length), index + 1)
    }
    this.#state = state
    return this.#take(Math.max(0, this.#held.length - (this.#automaton.depth[state] ?? 0)))
  }

  /** How many bytes are held back. */
  get heldBytes(): number {
    return this.#held.length
  }

  /** What is held back, whether it would have become a secret or not. */
  release(): Buffer {
    return this.#take(this.#held.length)
  }

  /** The end of the stream. */
  end(): Buffer {
    const rest = this.release()
    this.#state = 0
    this.#isWithin = false
    return rest
  }

  #add(from: number, to: number): void {
    let start = from
    for (let last = this.#secret.at(-1); last && last.to >= start; last = this.#secret.at(-1)) {
      start = Math.min(start, last.from)
      this.#secret.pop()
    }
    this.#secret.push({ from: start, to })
  }

  #take(end: number): Buffer {
    const pieces: Buffer[] = []
    let at = 0
    while (at < end) {
      const next = this.#secret[0]
      const plainEnd = Math.min(end, next?.from ?? end)
      if (plainEnd > at) {
        pieces.push(this.#held.subarray(at, plainEnd))
        this.#isWithin = false
        at = plainEnd
        continue
      }
      if (!next) break
      if (!this.#isWithin) pieces.push(replacementBytes)
      this.#isWithin = true
      at = Math.min(end, next.to)
      if (at === next.to) this.#secret.shift()
    }
    this.#held = this.#held.subarray(end)
    this.#secret = this.#secret.map(({ from, to }) => ({ from: Math.max(0, from - end), to: to - end }))
    return Buffer.concat(pieces)
  }
}

export type { SecretStream }

function step({ fromRoot, byte, child, sibling, fallback }: Automaton, from: number, value: number): number {
  let state = from
  for (;;) {
    if (state === 0) return fromRoot[value] ?? 0
    let next = child[state] ?? 0
    while (next !== 0 && byte[next] !== value) next = sibling[next] ?? 0
    if (next !== 0) return next
    state = fallback[state] ?? 0
  }
}

function automatonOf(forms: readonly Uint8Array[]): Automaton {
  const size = forms.reduce((sum, form) => sum + form.length, 1)
  const automaton: Automaton = {
    byte: new Uint8Array(size),
    child: new Int32Array(size),
    sibling: new Int32Array(size),
    fallback: new Int32Array(size),
    depth: new Int32Array(size),
    match: new Int32Array(size),
    fromRoot: new Int32Array(256),
  }
  let count = 1
  for (const form of forms) {
    let state = 0
    for (const value of form) {
      let next = childOf(automaton, state, value)
      if (next === 0) {
        next = count++
        automaton.byte[next] = value
        automaton.depth[next] = (automaton.depth[state] ?? 0) + 1
        if (state === 0) automaton.fromRoot[value] = next
        automaton.sibling[next] = automaton.child[state] ?? 0
        automaton.child[state] = next
      }
      state = next
    }
    automaton.match[state] = form.length
  }
  linkFallbacks(automaton, count)
  return automaton
}

function childOf({ child, sibling, byte }: Automaton, state: number, value: number): number {
  let next = child[state] ?? 0
  while (next !== 0 && byte[next] !== value) next = sibling[next] ?? 0
  return next
}

/** Breadth first, so that the fallback of a node is complete before those of its children are. */
function linkFallbacks(automaton: Automaton, count: number): void {
  const { child, sibling, byte, fallback, match } = automaton
  const order = new Int32Array(count)
  let end = 1
  for (let index = 0; index < end; index++) {
    const state = order[index] ?? 0
    for (let next = child[state] ?? 0; next !== 0; next = sibling[next] ?? 0) {
      order[end++] = next
      if (state !== 0) fallback[next] = step(automaton, fallback[state] ?? 0, byte[next] ?? 0)
      if (match[next] === 0) match[next] = match[fallback[next] ?? 0] ?? 0
    }
  }
}
