import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../../../test/support/folders.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { openStoredSnapshot } from './inventory-actions.ts'

/** An unhandled error would end the process, and here the whole test run. */
test('inventory: an error of the stream before anyone reads it closes it and does not crash', async () => {
  const app = await ownApp()
  const directory = ownFolder()
  const settings = { interval: 3600, storage_type: 'local', path_prefix: directory, local_max_space: 10 ** 8 }
  await app.root.post('/v1/sys/storage/raft/snapshot-auto/config/x', settings)
  const file = 'holdfast-snapshot-1794734295796000003.snap'
  await writeFile(join(directory, file), 'bytes')
  const { stream, size } = await openStoredSnapshot(app.deps, 'x', file, new AbortController().signal)
  expect(size).toBe(5)
  const closed = new Promise((resolve) => stream.once('close', resolve))
  stream.destroy(new Error('the other side reset the connection'))
  await closed
  expect(stream.errored?.message).toBe('the other side reset the connection')
})
