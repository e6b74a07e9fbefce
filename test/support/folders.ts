import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

const create = (): string => mkdtempSync(join(tmpdir(), 'holdfast-test-'))
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** A folder for the running test alone, removed when the test has finished. For tests, and for `beforeEach`. */
export function ownFolder(): string {
  const folder = create()
  onTestFinished(() => remove(folder))
  return folder
}

/** A folder for all tests of a file or block, removed after the last one. Not for use inside of tests and hooks. */
export function sharedFolder(): string {
  const folder = create()
  afterAll(() => remove(folder))
  return folder
}
