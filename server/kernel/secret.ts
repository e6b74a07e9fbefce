import { hash, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

const redacted = '[redacted]'

/** A value that cannot be logged, interpolated or sent as JSON by accident. `reveal()` is the only way to get it. */
export class Secret<T = string> {
  readonly #value: T

  constructor(value: T) {
    this.#value = value
  }

  reveal(): T {
    return this.#value
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [Symbol.toPrimitive](): string {
    return redacted
  }

  [inspect.custom](): string {
    return redacted
  }
}

/** Wraps a value so that it does not leak. */
export const secret = <T>(value: T): Secret<T> => new Secret(value)

/** Compares two texts in a time that does not depend on where they differ or how long they are. */
export function equalInConstantTime(a: string, b: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(a), digest(b))
}
