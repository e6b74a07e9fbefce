import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../../test/support/test-app.ts'
import { takeContent } from './intake-actions.ts'

/** An error that nobody takes ends the process, and here the whole run. */
test('intake: a large file that breaks off before the database has taken any of it fails, and nothing else does', async () => {
  const { deps, close } = await testApp()
  onTestFinished(close)
  const { target } = deps.store
  if (target.engine !== 'sqlite') throw new Error('This test holds the lock of a SQLite file.')
  const another = new DatabaseSync(target.file)
  another.exec('begin immediate')
  const broken = new Error('the connection is gone')
  const breaking = Promise.withResolvers<void>()
  const source = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.alloc(3 * 1024 * 1024)
    breaking.resolve()
    throw broken
  }
  const taking = takeContent(deps, 'ws-1', source(), 'json').catch((error) => error)
  await breaking.promise
  await nextTurn()
  another.exec('rollback')
  another.close()
  expect(await taking).toBe(broken)
})
