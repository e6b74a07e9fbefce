import { expect, test } from 'vitest'
import { type ArchiveEntry, addEntry, archiveLimits, emptyTree, treeFault } from './archive-tree.ts'

const file = (path: string): ArchiveEntry => ({ type: 'File', path })
const folder = (path: string): ArchiveEntry => ({ type: 'Directory', path })
const link = (path: string, linkpath: string): ArchiveEntry => ({ type: 'SymbolicLink', path, linkpath })

/** Why these entries are refused; undefined if they are taken. */
function faultOf(entries: Iterable<ArchiveEntry>): string | undefined {
  const tree = emptyTree()
  for (const entry of entries) {
    const fault = addEntry(tree, entry)
    if (fault) return fault.text
  }
  return treeFault(tree)?.text
}

test.each<[string, ArchiveEntry[]]>([
  ['nothing', []],
  ['the folder itself', [folder('./')]],
  ['a file with a deep name alone', [file('a/b/c/d/e.tf')]],
  ['a slash in front', [file('/main.tf')]],
  ['a dot in front', [file('./main.tf')]],
  ['two dots within a name', [file('a..b/..c')]],
  ['names that differ in case only', [file('a'), file('A')]],
  ['the same name twice', [file('a'), file('a')]],
  ['a folder after what is in it', [file('a/b'), folder('a')]],
  ['a folder where a link was before', [link('a', 'b'), folder('a'), file('a/c')]],
  ['a link inside', [file('a/b'), link('a/c', 'b')]],
  ['a link to a link inside', [file('a'), link('b', 'a'), link('c', 'b')]],
  ['a link up and down again', [file('a/x'), link('b/c', '../a/x')]],
  ['a link to the root', [link('a/b', '..')]],
  ['a link to nothing', [link('a', 'b/c')]],
  ['a link through a link to a folder', [file('a/b/x'), link('c', 'a/b'), link('d', 'c/x')]],
  ['the greatest depth', [file(Array(archiveLimits.depth).fill('a').join('/'))]],
  ['the longest name', [file('x'.repeat(255))]],
])('archive: %s is taken', (_name, entries) => {
  expect(faultOf(entries)).toBeUndefined()
})

test.each<[string, ArchiveEntry[], string]>([
  ['two dots in front', [file('../x')], "The entry '../x' has `..` in its name."],
  ['two dots in between', [file('a/../../x')], "The entry 'a/../../x' has `..` in its name."],
  ['a hard link', [{ type: 'Link', path: 'a', linkpath: 'b' }], "The entry 'a' is a Link"],
  ['a device', [{ type: 'CharacterDevice', path: 'a' }], "The entry 'a' is a CharacterDevice"],
  ['a fifo', [{ type: 'FIFO', path: 'a' }], "The entry 'a' is a FIFO"],
  ['a sparse file', [{ type: 'SparseFile', path: 'a' }], "The entry 'a' is a SparseFile"],
  ['a NUL', [file('a\0b')], "The entry 'a?b' has a name with a NUL."],
  ['a part that is too long', [file('x'.repeat(256))], 'has a name with a part of over 255 bytes.'],
  ['a part that is too long in bytes', [file('ä'.repeat(128))], 'has a name with a part of over 255 bytes.'],
  ['a name that is too long', [file('abc/'.repeat(1_025))], 'has a name of over 4096 bytes.'],
  ['one folder too deep', [file(Array(65).fill('a').join('/'))], 'lies deeper than 64 directories.'],
  ['a file without a name', [file('./')], "The entry './' has no name."],
  ['a link that is absolute', [link('a', '/etc/passwd')], "'a' is a link to '/etc/passwd', which is outside"],
  ['a link that escapes', [link('a/b', '../../x')], "'a/b' is a link to '../../x', which is outside"],
  ['a link that escapes and comes back', [link('a', '../w/a')], "'a' is a link to '../w/a', which is outside"],
  ['a link that escapes through a link', [link('a/b', '..'), link('c', 'a/b/..')], "'c' is a link to 'a/b/..'"],
  ['two links in a circle', [link('a', 'b'), link('b', 'a')], 'which leads in a circle.'],
  ['a link to itself', [link('a', 'a')], 'which leads in a circle.'],
  ['a file through a link', [link('a', 'b'), file('a/x')], "The entry 'a/x' lies below 'a', which is a link."],
  ['a file through a later link', [file('a/x'), link('a', 'b')], "The entry 'a/x' lies below 'a', which is a link."],
  ['a file below a file', [file('a'), file('a/x')], "The entry 'a/x' lies below 'a', which is a file."],
  ['a target of many parts', [link('a', 'b/../'.repeat(200))], "The entry 'a' is a link to a name that is too long."],
])('archive: %s is refused by name', (_name, entries, text) => {
  expect(faultOf(entries)).toContain(text)
})

test('archive: entries count with the directories they imply', () => {
  const flat = (count: number) => Array.from({ length: count }, (_, index) => file(`f${index}`))
  expect(faultOf(flat(archiveLimits.entries))).toBeUndefined()
  expect(faultOf(flat(archiveLimits.entries + 1))).toContain('more than 100000')
  const deep = Array.from({ length: 2_000 }, (_, index) => file(`d${index}/${'a/'.repeat(60)}x`))
  expect(faultOf(deep)).toContain('more than 100000')
})

test('archive: a chain of links and thousands of long targets are judged at once', () => {
  const chain = Array.from({ length: 60 }, (_, index) => link(`l${String(index).padStart(2, '0')}`, `l${index + 1}`))
  expect(
    faultOf([...chain.map((each, index) => ({ ...each, linkpath: `l${String(index + 1).padStart(2, '0')}` }))]),
  ).toBe(undefined)
  const many = Array.from({ length: 5_000 }, (_, index) => link(`m${index}`, 'a/../'.repeat(60)))
  expect(faultOf(many)).toBeUndefined()
})

test('archive: names in a refusal are cut, and hold nothing that a terminal obeys', () => {
  const text = faultOf([file(`../\u001b[31m${'x'.repeat(1_000)}`)])
  expect(text).toContain('../?[31m')
  expect(text?.length).toBeLessThan(300)
})
