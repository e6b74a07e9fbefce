import { expect, test } from 'vitest'
import { mustBe, person } from '../../../../test/support/platform.ts'
import { sharedApp } from '../../../../test/support/shared.ts'
import { turnsDuring } from '../../../../test/support/stalls.ts'
import { rowChunksOf } from '../../../storage/row-chunks.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { endSessionsOf } from './sessions/session-actions.ts'

// Only SQLite works on the event loop.
const app = sharedApp({ engine: 'sqlite' })

/** Others get one every 8 ms or so, however fast the machine is; without sessions, and in one step, there is one. */
const turns = 5

/** Gives a person API tokens, and sessions that began with them or with a password. */
async function fill(userId: string, { tokens, sessions }: { tokens: number; sessions: number }): Promise<void> {
  const token = (n: number) => ({
    ...{ id: `${userId}-${n}`, hash: `${userId}-${n}`, hint: '', owner_kind: 'user', user_id: userId, description: '' },
    ...{ created_by_kind: 'user', created_by_id: userId, created_at: n },
  })
  const session = (n: number) => ({
    ...{ id: `${userId}-s${n}`, hash: `${userId}-s${n}`, user_id: userId, created_at: n, last_seen_at: n },
    ...{ expires_at: 9e15, remote_address: '', user_agent: '', api_token_id: n < tokens ? `${userId}-${n}` : null },
  })
  const rows = <T>(count: number, make: (n: number) => T) => [
    ...rowChunksOf(Array.from({ length: count }, (_, n) => make(n))),
  ]
  await inTransaction(app.deps.db, async (tx) => {
    for (const lot of rows(tokens, token)) await tx.insertInto('api_tokens').values(lot).execute()
    for (const lot of rows(sessions, session)) await tx.insertInto('sessions').values(lot).execute()
  })
}

const countOf = async (table: 'sessions' | 'api_tokens', userId: string): Promise<number> =>
  (await app.deps.db.selectFrom(table).select('id').where('user_id', '=', userId).execute()).length

test('ending 20,000 sessions of a person, others get their turns', async () => {
  const { id } = await person(app, 'signs-in-often')
  await fill(id, { tokens: 0, sessions: 20_000 })
  expect(await turnsDuring(() => endSessionsOf(app.deps, id))).toBeGreaterThan(turns)
  expect(await countOf('sessions', id)).toBe(0)
})

test('suspending a person with 20,000 sessions, others get their turns', async () => {
  const { id } = await person(app, 'suspended')
  await fill(id, { tokens: 0, sessions: 20_000 })
  const suspend = async () => mustBe(await app.root.post(`/api/v2/admin/users/${id}/actions/suspend`), 200)
  expect(await turnsDuring(suspend)).toBeGreaterThan(turns)
  expect(await countOf('sessions', id)).toBe(0)
})
