import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ifAbsent, systemCode } from './system-errors.ts'

test('ifAbsent: a missing file gives undefined, other errors are rethrown', async () => {
  expect(await readFile(join(tmpdir(), 'holdfast-is-not-here')).catch(ifAbsent)).toBeUndefined()
  await expect(readFile(tmpdir()).catch(ifAbsent)).rejects.toThrow('EISDIR')
})

test('systemCode: only errors with a text code have one', () => {
  expect(systemCode(Object.assign(new Error('full'), { code: 'ENOSPC' }))).toBe('ENOSPC')
  for (const thrown of [new Error('plain'), Object.assign(new Error('odd'), { code: 7 }), 'text', undefined]) {
    expect(systemCode(thrown)).toBe('')
  }
})
