import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { makePrivateDirectory } from './directories.ts'

let directory: string
beforeEach(async () => {
  directory = ownFolder()
})

test('directory: missing parents are created with mode 700, and an existing directory is accepted', async () => {
  await makePrivateDirectory(join(directory, 'a', 'b', 'c'))
  await makePrivateDirectory(join(directory, 'a', 'b', 'c'))
  for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(directory, path))).mode & 0o777).toBe(0o700)
})

test('directory: may be created concurrently', async () => {
  const made = Array.from({ length: 20 }, () => makePrivateDirectory(join(directory, 'x', 'y', 'z')))
  await expect(Promise.all(made)).resolves.toHaveLength(20)
})

test('directory: creation below a file fails with ENOTDIR', async () => {
  await writeFile(join(directory, 'file'), '')
  await expect(makePrivateDirectory(join(directory, 'file', 'x'))).rejects.toThrow('ENOTDIR')
})

test('directory: creation fails at once where the file system refuses it', async () => {
  await expect(makePrivateDirectory('/proc/holdfast/audit')).rejects.toThrow()
})
