import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sharedFolder } from '../../test/support/folders.ts'
import { isOpenableHere } from './openable.ts'

const top = sharedFolder()
beforeAll(async () => {
  await writeFile(join(top, 'plain'), '')
})

test.each([
  ['a file in a folder that can be made', 'file', { file_path: 'a/b/audit.log' }, true],
  ['a file that exists', 'file', { file_path: 'plain' }, true],
  ['a folder', 'file', { file_path: '' }, false],
  ['a file below a file', 'file', { file_path: 'plain/audit.log' }, false],
  ['standard output', 'file', { file_path: 'stdout' }, true],
  ['a type that does not exist', 'syslog', {}, false],
  ['a collector elsewhere, which is not called', 'socket', { address: '192.0.2.1:9' }, true],
  ['a socket that does not exist', 'socket', { address: 'none.sock', socket_type: 'unix' }, false],
])('openable: %s', async (_what, type, options, expected) => {
  const rooted = Object.entries(options).map(([name, value]) =>
    (name === 'file_path' && value !== 'stdout') || value.endsWith('.sock') ? [name, join(top, value)] : [name, value],
  )
  const places = { dataDir: join(top, 'data'), programDir: join(top, 'program') }
  expect(await isOpenableHere(type, Object.fromEntries(rooted), places)).toBe(expected)
  expect(await readdir(top)).toEqual(['plain'])
})
