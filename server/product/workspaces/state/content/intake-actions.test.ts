import { pbkdf2 } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { testApp } from '../../../../../test/support/test-app.ts'
import { takeContent } from './intake-actions.ts'
import { outlineThread } from './outline-adapter.ts'

/** An unhandled error would end the process, and here the whole test run. */
test('intake: a large upload that breaks off before the first database write fails alone', async () => {
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

test('intake: if the reading thread dies while a file is compressed, only that upload fails', async () => {
  const { deps, close } = await testApp()
  onTestFinished(close)
  const source = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(JSON.stringify({ version: 4, filling: 'x'.repeat(1024 * 1024) }))
    // These occupy the thread pool, so the compressor has to wait while the reading thread ends.
    for (let count = 0; count < 4; count++) pbkdf2('a', 'b', 200_000, 32, 'sha256', () => undefined)
    void outlineThread().terminate()
  }
  const failure = await takeContent(deps, 'ws-1', source(), 'state').catch((error) => error)
  expect(failure).toMatchObject({ code: 'state.reading-ended' })
})

eachEngine((engine) => {
  test('intake: if the reading thread dies, what was written of a large state is removed at once', async () => {
    const { deps, close } = await testApp({ engine })
    onTestFinished(close)
    const source = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(`{"version": 4, "filling": "${'x'.repeat(3 * 1024 * 1024)}"`)
      yield Buffer.from('}')
      void outlineThread().terminate()
    }
    const failure = await takeContent(deps, 'ws-1', source(), 'state').catch((error) => error)
    expect(failure).toMatchObject({ code: 'state.reading-ended' })
    expect(await deps.db.selectFrom('blobs').select('upload').execute()).toEqual([])
  })
})
