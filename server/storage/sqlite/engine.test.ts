import { StatementSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testStore } from '../../../test/support/databases.ts'

/** Lets SQLite fail with a primary result code as often as told. */
function failing(errcode: number, times: number): void {
  const spy = vi.spyOn(StatementSync.prototype, 'all')
  onTestFinished(() => spy.mockRestore())
  for (let time = 0; time < times; time++)
    spy.mockImplementationOnce(() => {
      throw Object.assign(new Error('SQLite says no'), { code: 'ERR_SQLITE_ERROR', errcode })
    })
}

test.each([
  ['is locked for long', 5, 20, 'storage.busy'],
  ['cannot be read', 10, 1, 'storage.input-output'],
  ['is on a full disk', 13, 1, 'storage.full'],
])('sqlite: a poll for changes of others in a file that %s fails as a read does', async (_what, code, times, named) => {
  const { store } = await testStore('sqlite')
  failing(code, times)
  const looking = async () => await store.versions.refresh()
  expect(await looking().catch((error) => error)).toMatchObject({ kind: 'unavailable', code: named })
})

test('sqlite: a poll for changes of others waits while the file is locked', async () => {
  const { store } = await testStore('sqlite')
  failing(5, 3)
  await store.versions.refresh()
})
