import { later } from '../../server/kernel/clock.ts'
import { blankToken } from '../../server/product/secrets/tokens/issuing/new-token-actions.ts'
import { toRow } from '../../server/product/secrets/tokens/records/token-store.ts'
import { tokenId } from '../../server/product/secrets/tokens/records/token-text-actions.ts'
import { inTransaction } from '../../server/storage/transaction.ts'
import type { TestApp } from './test-app.ts'
import type { Auth } from './token-calls.ts'

/** Stores as many children of a token as a test wants, and returns them. */
export async function storeChildTokens({ deps }: TestApp, parent: Auth, count: number): Promise<string[]> {
  const texts = Array.from({ length: count }, (_, index) => `${parent.accessor}-${index}`)
  const parentId = tokenId(deps, parent.client_token)
  const expiresAt = later(deps.clock.now(), 3_600_000)
  const rows = texts.map((text) =>
    toRow({ ...blankToken(deps, text), policies: ['maker'], parentId, orphan: false, expiresAt, creationTtl: 3_600 }),
  )
  for (let from = 0; from < count; from += 500) {
    await inTransaction(deps.db, (tx) =>
      tx
        .insertInto('tokens')
        .values(rows.slice(from, from + 500))
        .execute(),
    )
  }
  return texts
}

/** The longest of several calls, in milliseconds. */
export class Stopwatch {
  longest = 0

  async time<T>(call: () => Promise<T>): Promise<T> {
    const begin = performance.now()
    const answer = await call()
    this.longest = Math.max(this.longest, performance.now() - begin)
    return answer
  }
}
