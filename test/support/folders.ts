import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A file system in memory, where nothing waits for a disk; in a container it may be too small. */
const memory = '/dev/shm'
const enoughBytes = 2 ** 31

function isInMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= enoughBytes
}

const parent = isInMemory() ? memory : tmpdir()

/** A new folder, in memory if the machine offers that; the caller removes it. */
export const temporaryFolder = (): string => mkdtempSync(join(parent, 'holdfast-test-'))

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** A folder for the running test alone, removed when the test has finished. For tests, and for `beforeEach`. */
export function ownFolder(): string {
  const folder = temporaryFolder()
  onTestFinished(() => remove(folder))
  return folder
}

/** A folder for all tests of a file or block, removed after the last one. Not for use inside of tests and hooks. */
export function sharedFolder(): string {
  const folder = temporaryFolder()
  afterAll(() => remove(folder))
  return folder
}
