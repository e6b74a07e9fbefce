import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../test/support/folders.ts'
import { joinFragments, release, unreleased } from './changelog.ts'

/** A checkout with one released version, a README of fragments, and these fragments. */
function checkout(fragments: Record<string, string>): string {
  const root = ownFolder()
  mkdirSync(join(root, 'changelog'))
  writeFileSync(join(root, 'CHANGELOG.md'), '# Changelog\n\nNewest first.\n\n## 0.1.0 (2027)\n\nThe first.\n')
  writeFileSync(join(root, 'changelog', 'README.md'), 'fixed: This is not a fragment.\n')
  for (const [name, text] of Object.entries(fragments)) writeFileSync(join(root, 'changelog', name), text)
  return root
}

const contents = (root: string): { changelog: string; fragments: string[] } => ({
  changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  fragments: readdirSync(join(root, 'changelog')),
})

test('fragments are joined by kind, those that concern everybody first', () => {
  const fragments = new Map([
    ['a.md', 'fixed: One.\nadded: Two.\n'],
    ['b.md', 'security: Three.\n'],
    ['c.md', 'fixed: Four: five.'],
  ])
  expect(joinFragments('Unreleased', fragments)).toBe(
    '## Unreleased\n\n### Security\n\n- Three.\n\n### Added\n\n- Two.\n\n### Fixed\n\n- One.\n- Four: five.\n',
  )
})

test.each(['mended: One.', 'One.', 'fixed:', 'constructor: One.'])(
  'a fragment with the line "%s" is refused',
  (line) => {
    const joined = joinFragments('Unreleased', new Map([['a.md', `fixed: Two.\n${line}\n`]]))
    expect(joined).toEqual({ problem: `a.md: '${line}' begins with none of security, changed, added, fixed` })
  },
)

test('without fragments, nothing is new', () => {
  expect(joinFragments('Unreleased', new Map())).toEqual({ problem: 'changelog/ has no fragments: nothing is new' })
})

test('a release moves the fragments above the sections of earlier releases', () => {
  const root = checkout({ 'a.md': 'fixed: One.\n', 'b.md': 'added: Two.\n' })
  expect(release('0.2.0', root)).toBeUndefined()
  expect(contents(root)).toEqual({
    changelog:
      '# Changelog\n\nNewest first.\n\n## 0.2.0\n\n### Added\n\n- Two.\n\n### Fixed\n\n- One.\n\n## 0.1.0 (2027)\n\nThe first.\n',
    fragments: ['README.md'],
  })
})

test.each([
  ['0.1.0', 'fixed: One.', 'CHANGELOG.md has a section 0.1.0: write the fragments into it by hand and remove them'],
  ['next', 'fixed: One.', `'next' is not a version such as 0.2.0`],
  ['0.2.0', 'One.', `changelog/a.md: 'One.' begins with none of security, changed, added, fixed`],
  ['0.2.0', '\n', 'changelog/ has no fragments: nothing is new'],
])('a release %s of "%s" is refused and changes nothing', (version, text, problem) => {
  const root = checkout({ 'a.md': text })
  const before = contents(root)
  expect(release(version, root)).toEqual({ problem })
  expect(contents(root)).toEqual(before)
})

test('each line of the fragments of this checkout begins with a kind', () => {
  const malformed = { problem: expect.stringContaining('begins with none of') }
  expect(unreleased(join(import.meta.dirname, '..'))).not.toEqual(malformed)
})
