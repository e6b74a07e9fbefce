import { expect, test } from 'vitest'
import { person } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { later } from '../../../../kernel/clock.ts'
import type { JobRun } from '../../../../kit/job.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { insertLink } from '../links/account-link-store.ts'
import { sessionSweep, startSession } from './session-actions.ts'

test('sessions: the sweep removes expired sessions and keeps the others', async () => {
  const app = await ownApp()
  const { id: userId } = await person(app, 'ann')
  const start = () => startSession(app.deps, { userId, remoteAddress: '127.0.0.1', userAgent: '' })
  await start()
  app.clock.advance('10d')
  await start()
  app.clock.advance('5d')
  // The sweep does not use its run.
  await sessionSweep.run(app.deps, {} as JobRun)
  expect(await app.deps.db.selectFrom('sessions').select('user_id').execute()).toEqual([{ user_id: userId }])
})

test('sessions: the sweep removes expired links, and keeps the others', async () => {
  const app = await ownApp()
  const { id: userId } = await person(app, 'ann')
  const createdAt = app.clock.now()
  await inTransaction(app.deps.db, async (tx) => {
    for (const days of [1, 3]) {
      const entry = { userId, createdAt, expiresAt: later(createdAt, days * 86_400_000) }
      await insertLink(tx, { ...entry, hash: `link ${days}`, purpose: days === 1 ? 'invitation' : 'reset' })
    }
  })
  app.clock.advance('2d')
  await sessionSweep.run(app.deps, {} as JobRun)
  const left = await app.deps.db.selectFrom('one_time_links').select('hash').orderBy('hash').execute()
  expect(left).toEqual([{ hash: 'link 3' }])
})
