import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../test/support/folders.ts'
import { outdatedFiles } from './generate.ts'
import { migrationName, migrationText } from './new-migration.ts'

test('generated files: changed and missing files are reported as out of date, an equal one is not', async () => {
  const root = ownFolder()
  mkdirSync(join(root, 'docs'))
  writeFileSync(join(root, 'docs', 'same.txt'), 'same\n')
  writeFileSync(join(root, 'docs', 'old.txt'), 'old\n')
  const made = { 'docs/same.txt': 'same\n', 'docs/old.txt': 'new\n', 'docs/absent.txt': 'here\n' }
  const outdated = await outdatedFiles(root, [{ name: 'test', generate: async () => made }])
  expect(Object.keys(outdated)).toEqual(['docs/old.txt', 'docs/absent.txt'])
})

test('migration: the name consists of the current minute and the given words', () => {
  const at = new Date('2026-02-11T14:30:59Z')
  const name = '202602111430-add-lock-version'
  expect(migrationName('add-lock-version', at, [])).toEqual({ name })
  expect(migrationName('add-lock-version', at, ['202602111429-other.ts', 'README.md'])).toEqual({ name })
})

test.each(['', 'Add Lock', '../up', 'add_lock', '-x'])('migration: %j is refused as a name', (wish) => {
  expect(migrationName(wish, new Date(0), [])).toHaveProperty('problem')
})

test('migration: the generated file has a comment with the given words', () => {
  expect(migrationText('add-lock-version')).toContain('/** Add lock version. */')
})

test('migrations: one that is made in the same minute as another, or by a slow clock, runs after it', () => {
  const at = new Date('2026-02-11T14:30:59Z')
  expect(migrationName('second', at, ['202602111430-first.ts'])).toEqual({ name: '202602111431-second' })
  expect(migrationName('third', at, ['202602111430-first.ts', '202612312359-second.sql'])).toEqual({
    name: '202701010000-third',
  })
})
