import { type ExecFileException, execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../scripts/setup/root.mjs'
import { sharedFolder } from '../support/folders.ts'
import { copyCheckout } from './checkout.ts'
import { edited, exampleIn, pathOf, recipesIn } from './recipe-text.ts'

/** The endpoint and the migration are added to what the feature has made. */
const order = ['feature', 'endpoint', 'setting', 'auth method', 'secrets engine', 'migration']

const recipes = recipesIn(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
const exampleOf = (what: string) =>
  exampleIn(readFileSync(join(import.meta.dirname, 'recipes', `${what.replace(' ', '-')}.txt`), 'utf8'))

test('every recipe has an example', () => {
  expect(recipes.map(({ what }) => what).sort()).toEqual(order.toSorted())
})

test.each(order)('a new %s: the recipe names what the example writes, and nothing else', (what) => {
  const { folder, edits } = exampleOf(what)
  const { files = [], folder: named = folder } = recipes.find((recipe) => recipe.what === what) ?? {}
  expect([...new Set(edits.map(({ file }) => file))].sort()).toEqual(files.toSorted())
  expect(folder).toBe(named)
})

const copy = sharedFolder()

/** Runs a program in the copy; one that fails shows what it says. */
async function inCopy(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV$|TEST$)/.test(name))
  const env = { ...Object.fromEntries(inherited), ...more }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: copy, env })
    return `${stdout}${stderr}`
  } catch (thrown) {
    const { stdout, stderr } = thrown as ExecFileException
    throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Writes what the example says into the files that the recipe names; returns their paths. */
async function follow(what: string): Promise<string[]> {
  const { words, folder, edits } = exampleOf(what)
  const migration = words['<name>'] && (await inCopy(['scripts/new-migration.ts', words['<name>']]))
  const named = { folder, words: { ...words, '<time>': /\d{12}/.exec(migration ?? '')?.[0] ?? '' } }
  return edits.map((edit) => {
    const path = pathOf(edit.file, named)
    const before = existsSync(join(copy, path)) ? readFileSync(join(copy, path), 'utf8') : undefined
    if (edit.place === 'new' && !path.includes('/migrations/')) expect([path, before]).toEqual([path, undefined])
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), edited(before, edit))
    return path
  })
}

const bin = (file: string): string => join('node_modules', file)
const written = new Set<string>()

beforeAll(async () => {
  copyCheckout(copy)
  for (const what of order) for (const path of await follow(what)) written.add(path)
  await inCopy(['scripts/generate.ts'])
})

test('what the recipes make: types fit, no boundary is crossed, and the style is ours', async () => {
  await inCopy(['scripts/check-boundaries.ts'])
  await inCopy([bin('@biomejs/biome/bin/biome'), 'check', '--write', '--error-on-warnings', ...written])
  await inCopy([bin('typescript/bin/tsc'), '--noEmit', '-p', '.'])
}, 300_000)

test('what the recipes make: it is described, and the import copies a new setting', () => {
  const { paths } = JSON.parse(readFileSync(join(copy, 'docs/api/openapi.json'), 'utf8'))
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([
      '/api/v2/organizations/{organization}/reminders',
      '/api/v2/reminders/{reminderId}/actions/finish',
      '/v1/auth/badge/login',
      '/v1/jot/{path}',
    ]),
  )
  expect(readFileSync(join(copy, 'cli/import/setting-names.ts'), 'utf8')).toContain("'cost-centre'")
})

test('what the recipes make works in a real app', async () => {
  const tests = [...written].filter((path) => path.endsWith('.test.ts'))
  const journeys = ['test/journeys/fields/every-field.test.ts', 'test/journeys/rights/rights.test.ts']
  const names = 'reminder|badge|jot|costCentre|every set of fields'
  const projects = ['--project=sqlite', '--project=journeys', '--maxWorkers=1']
  const args = ['run', ...projects, '--testNamePattern', names, ...tests, ...journeys]
  const said = await inCopy([bin('vitest/vitest.mjs'), ...args], { HOLDFAST_TEST_ENGINES: 'sqlite', NO_COLOR: '1' })
  for (const file of tests) expect(said).toContain(`✓ |sqlite| ${file}`)
  for (const file of journeys) expect(said).toContain(`✓ |journeys| ${file}`)
}, 300_000)
