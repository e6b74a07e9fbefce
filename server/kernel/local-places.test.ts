import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedFolder } from '../../test/support/folders.ts'
import { type LocalPlaces, placeProblem } from './local-places.ts'

const top = realpathSync(sharedFolder())
const at = (name: string): string => join(top, name)
beforeAll(() => {
  for (const folder of ['program/data/tls', 'packages', 'open', 'elsewhere']) mkdirSync(at(folder), { recursive: true })
  symlinkSync(at('packages'), at('program/node_modules'))
  symlinkSync(at('elsewhere'), at('open/out'))
  symlinkSync('/etc', at('open/system'))
  symlinkSync(at('open'), at('elsewhere/in'))
})

const places = (parts: Partial<LocalPlaces>): LocalPlaces => ({
  mode: 'dev',
  allowedRoots: [],
  dataDir: at('program/data'),
  programDir: at('program'),
  ...parts,
})
const isOpen = async (path: string, parts: Partial<LocalPlaces>) =>
  (await placeProblem(path, places(parts))) === undefined

const closed = [
  '/root/.ssh',
  '/home/ann',
  '/home',
  '/Users/ann/x',
  '/var/spool/cron',
  '/etc/cron.d',
  '/dev/new',
  '/proc/x',
]
const closedOther = ['/sys/x', '/boot/x', '/usr/bin/x', '/', at('program'), at('program/server'), at('packages/x')]

test.each([...closed, ...closedOther])(
  'local places: %s is closed in both modes, and the refusal names the setting',
  async (path) => {
    for (const mode of ['dev', 'server'] as const) {
      const problem = await placeProblem(path, places({ mode, allowedRoots: ['/var', '/', at('open')] }))
      expect(problem).toMatch(/(closed|is the root).*local_paths\.allow/)
      expect(problem).toContain(at('open'))
    }
  },
)

test.each(['/etc/holdfast', '/etc/holdfast/snapshots'])(
  'local places: %s is open once the setting names it',
  async (path) => {
    mkdirSync(at('named'), { recursive: true })
    expect(await isOpen(path, { allowedRoots: ['/etc'] })).toBe(true)
    expect(await isOpen(at('program/backups'), { allowedRoots: [at('program')] })).toBe(true)
  },
)

describe.each([
  ['dev', true],
  ['server', false],
] as const)('in %s mode', (mode, isOpenElsewhere) => {
  const allowedRoots = [at('open')]
  test.each([
    ['a folder that nobody has named', 'elsewhere/new/deep', isOpenElsewhere],
    ['a folder below a root', 'open/new/deep', true],
    ['a root itself', 'open', true],
    ['a link out of a root', 'open/out/new', isOpenElsewhere],
    ['a link out of a root into the system', 'open/system/new', false],
    ['a link into a root', 'elsewhere/in/new', true],
    ['a root that does not exist', 'missing/new', isOpenElsewhere],
    ['the data directory inside of the program', 'program/data', true],
    ['a folder of the data directory', 'program/data/snapshots/a', true],
    ['the key', 'program/data/seal.key', false],
    ['the database', 'program/data/holdfast.db', false],
    ['the log of a database of another name', 'program/data/own.db-wal', false],
    ['the certificates', 'program/data/tls/new', false],
    ['uploads', 'program/data/spool/x', false],
    ['a file whose name begins alike', 'program/data/seal.keys.log', true],
  ])('%s', async (_what, name, expected) => {
    expect(await isOpen(at(name), { mode, allowedRoots: [...allowedRoots, at('missing')] })).toBe(expected)
  })
})

test('local places: a data directory below a closed folder is open', async () => {
  for (const mode of ['dev', 'server'] as const)
    expect(await isOpen('/root/holdfast/data/snapshots', { mode, dataDir: '/root/holdfast/data' })).toBe(true)
})
