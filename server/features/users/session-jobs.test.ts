import { expect, onTestFinished, test } from 'vitest'
import { person } from '../../../test/support/platform.ts'
import { testApp } from '../../../test/support/test-app.ts'
import type { JobRun } from '../../kit/job.ts'
import { startSession } from './session-actions.ts'
import { sessionSweep } from './session-jobs.ts'

test('sessions: the sweep removes those that are over, and no other', async () => {
  const app = await testApp()
  onTestFinished(() => app.close())
  const { id: userId } = await person(app, 'ann')
  const start = () => startSession(app.deps, { userId, remoteAddress: '127.0.0.1', userAgent: '' })
  await start()
  app.clock.advance('10d')
  await start()
  app.clock.advance('5d')
  // A sweep asks nothing of its run.
  await sessionSweep.run(app.deps, {} as JobRun)
  expect(await app.deps.db.selectFrom('sessions').select('user_id').execute()).toEqual([{ user_id: userId }])
})
