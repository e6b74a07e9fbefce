import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { packagesProblem } from './optional-packages.ts'

const root = join(import.meta.dirname, '../..')

test('optional packages: nothing is wrong where they are installed, as in a checkout', () => {
  expect(packagesProblem('tests', ['@azure/identity', '@azure/storage-blob', 'openpgp'])).toBeUndefined()
})

test('optional packages: where some are missing, it is said which, and how to install them', () => {
  const folder = ownFolder()
  for (const each of ['package.json', 'server/kernel'])
    cpSync(join(root, each), join(folder, each), { recursive: true })
  const program = `import { packagesProblem } from './server/kernel/optional-packages.ts'
    console.log(packagesProblem('tests', ['@azure/identity', '@azure/storage-blob']))`
  const args = ['--input-type=module', '--eval', program]
  expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).trim()).toBe(
    "tests need the optional packages '@azure/identity' and '@azure/storage-blob', which are not installed: run " +
      "'npm install @azure/identity@4 @azure/storage-blob@12' where Holdfast was installed, or 'npm ci' in a checkout, " +
      'and restart it',
  )
})
