import { createHash } from 'node:crypto'

/**
 * What prepared statements are called, by their SQL text. Each connection prepares by itself what it is asked for. A new
 * generation of names leaves plans behind that a migration made stale, on all connections at once.
 */
export class StatementNames {
  readonly #names = new Map<string, string>()
  #generation = 0

  of(sql: string): string {
    const known = this.#names.get(sql)
    if (known) return known
    const name = `hf${this.#generation}_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`
    this.#names.set(sql, name)
    return name
  }

  renew(): void {
    this.#generation += 1
    this.#names.clear()
  }
}
