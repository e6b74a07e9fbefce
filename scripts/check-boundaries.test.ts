import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { roleOf } from './boundaries/arrows.ts'
import { findCycles } from './boundaries/cycles.ts'
import { importsOf, readSource } from './boundaries/source-text.ts'
import { checkBoundaries, readSources } from './check-boundaries.ts'

const check = (files: Record<string, string>) => checkBoundaries(new Map(Object.entries(files)), [])

test('the source tree has no violations', () => {
  expect(checkBoundaries(readSources(join(import.meta.dirname, '..')))).toEqual([])
})

describe('arrows', () => {
  test.each([
    ['server/kernel/clock.ts', '../storage/open.ts', 'kernel may not import storage'],
    ['server/storage/open.ts', '../kit/deps.ts', 'storage may not import kit'],
    ['server/http/pipeline.ts', '../product/index.ts', 'app.ts connects the two'],
    ['server/http/pipeline.ts', '../access/ttl.ts', 'http may not import access'],
    ['server/product/secrets/seal/seal-actions.ts', '../../../http/send.ts', 'product may not import http'],
    ['server/compat/names.ts', '../kernel/ids.ts', 'compat may not import kernel'],
    ['server/kit/deps.ts', '../config/index.ts', 'kit may not import config'],
    ['server/app.ts', './product/secrets/seal/seal-store.ts', 'through its index.ts only'],
    ['server/kit/deps.ts', '../../test/support/app.ts', 'does not import its tests'],
    ['cli/main.ts', '../server/storage/open.ts', 'cli may not import storage'],
    ['api-client/client.ts', '../server/compat/names.ts', 'api-client may not import compat'],
    ['scripts/generate.ts', '../test/support/app.ts', 'no test support'],
    ['web/src/people/TeamPage.tsx', '../workspaces/names.ts', 'web/people may not import web/workspaces'],
    ['web/src/kit/Table.tsx', '../frame/places.ts', 'web/kit may not import web/frame'],
    ['web/src/api/client.ts', '../kit/times.ts', 'web/api may not import web/kit'],
    ['web/src/people/tags.ts', '../../../server/kernel/ids.ts', 'comes by its API'],
  ])('%s may not import %s', (from, to, message) => {
    expect(check({ [from]: `import type { x } from '${to}'\n` })).toMatchObject([
      { file: from, line: 1, rule: 'arrow', message: expect.stringContaining(message) },
    ])
  })

  test.each([
    ['server/app.ts', './http/pipeline.ts'],
    ['server/product/secrets/seal/seal-store.ts', '../../../storage/open.ts'],
    ['server/product/secrets/seal/seal-fields.ts', '../../../compat/names.ts'],
    ['server/http/pipeline.ts', '../kernel/failure.ts'],
    ['server/kernel/clock.test.ts', '../../test/support/app.ts'],
    ['scripts/generate.test.ts', '../test/support/app.ts'],
    ['scripts/generate.ts', '../server/app.ts'],
    ['web/src/routes.tsx', './people/routes.ts'],
    ['web/src/overview/OverviewPage.tsx', '../snapshots/LastSnapshot.tsx'],
    ['web/src/people/TeamPage.tsx', '../kit/Table.tsx'],
    ['web/src/api/client.ts', '../../../api-client/client.ts'],
  ])('%s may import %s', (from, to) => {
    expect(check({ [from]: `import { x } from '${to}'\n` })).toEqual([])
  })

  test('the API client runs in browsers, so it imports nothing of Node', () => {
    const source = "import { request } from 'node:https'\n"
    expect(check({ 'api-client/client.ts': source })).toMatchObject([{ line: 1, rule: 'browser' }])
    expect(check({ 'api-client/client.test.ts': source, 'cli/client.ts': source })).toEqual([])
  })

  test('a dynamic import and a re-export count as well', () => {
    const source = "export { a } from '../http/send.ts'\nconst b = await import('../jobs/runner.ts')\n"
    expect(check({ 'server/kit/deps.ts': source }).map(({ line }) => line)).toEqual([1, 2])
  })

  test('a folder without a place in the table is reported', () => {
    expect(check({ 'server/misc/things.ts': '' })).toMatchObject([{ rule: 'place' }])
    expect(check({ 'web/src/misc/Thing.tsx': '' })).toMatchObject([{ rule: 'place' }])
  })
})

describe('features', () => {
  test('an auth method and an engine need no line: they may import login roles and tokens, and no other method or engine', () => {
    const folder = 'server/product/secrets/auth/userpass'
    const importing = (target: string) => check({ [`${folder}/login-actions.ts`]: `import { x } from '${target}'` })
    expect(importing('../../tokens/index.ts')).toEqual([])
    for (const other of ['../approle/index.ts', '../../engines/kv/index.ts', '../../../people/callers/index.ts'])
      expect(importing(other)).toMatchObject([{ rule: 'arrow', message: expect.stringContaining('may not import') }])
  })

  test('a feature may import only features below it, through their index.ts', () => {
    const lower = '../workspaces/index.ts'
    expect(check({ 'server/product/workspaces/state/state-actions.ts': `import { x } from '${lower}'` })).toEqual([])
    expect(
      check({
        'server/product/people/users/user-actions.ts': "import { x } from '../../workspaces/workspaces/index.ts'",
      }),
    ).toMatchObject([{ message: expect.stringContaining('people/users may not import workspaces/workspaces') }])
  })

  test('internal files of another feature may not be imported', () => {
    const source = "import { x } from '../workspaces/locking/lock-store.ts'"
    expect(check({ 'server/product/workspaces/state/state-actions.ts': source })).toMatchObject([
      { message: expect.stringContaining('import workspaces/workspaces/index.ts instead') },
    ])
  })

  test('rules may name the rules of a feature below', () => {
    const source = "import { x } from '../workspaces/locking/lock.ts'"
    expect(check({ 'server/product/workspaces/state/state.ts': source })).toEqual([])
    expect(check({ 'server/product/people/users/user.ts': source.replace('..', '../../workspaces') })).toMatchObject([
      { message: expect.stringContaining('people/users may not import workspaces/workspaces') },
    ])
  })

  test('a feature without a place in the table is reported, with where to add it', () => {
    const source = "import { x } from '../workspaces/index.ts'"
    expect(check({ 'server/product/workspaces/novelties/novelty-actions.ts': source })).toMatchObject([
      { message: expect.stringContaining("feature 'workspaces/novelties' has no place yet") },
    ])
  })

  test.each([
    ['lock.ts', './lock-store.ts'],
    ['lock.ts', './lock-actions.ts'],
    ['lock-fields.ts', './lock-store.ts'],
    ['lock-store.ts', './lock-actions.ts'],
    ['lock-adapter.ts', './lock-actions.ts'],
    ['lock-actions.ts', './lock-endpoints.ts'],
    ['lock-endpoints.ts', './index.ts'],
  ])('in one feature %s may not import %s', (from, to) => {
    const file = `server/product/workspaces/workspaces/locking/${from}`
    expect(check({ [file]: `import { x } from '${to}'` })).toMatchObject([{ rule: 'arrow' }])
  })

  test.each([
    ['lock.ts', 'pure'],
    ['lock-fields.ts', 'fields'],
    ['lock-store.ts', 'store'],
    ['lock-actions.ts', 'actions'],
    ['lock-endpoints.ts', 'endpoints'],
    ['lock-adapter.ts', 'adapter'],
    ['dev-seed.ts', 'dev-seed'],
    ['index.ts', 'index'],
    ['lock-wire.ts', 'pure'],
    ['lock.test.ts', undefined],
  ])('the role of %s is %s', (name, role) => {
    expect(roleOf(`server/product/workspaces/workspaces/locking/${name}`)).toBe(role)
  })
})

describe('files of types and rules', () => {
  const file = 'server/product/workspaces/workspaces/locking/lock.ts'

  test.each(['export const lock = async () => {}', 'const cache = perApp(() => new Map())'])(
    'they are pure: %s',
    (source) => {
      expect(check({ [file]: source })).toMatchObject([{ rule: 'pure', line: 1 }])
    },
  )

  test('they reach few files, those of the kernel not counted', () => {
    const chain = (folder: string, length: number) =>
      Array.from({ length }, (_, n) => [`server/${folder}/n${n}.ts`, `import './n${n + 1}.ts'`] as const)
    const reaching = (folder: string, length: number) =>
      check({ ...Object.fromEntries(chain(folder, length)), [file]: `import '../../../../${folder}/n0.ts'` })
    expect(reaching('kit', 40)).toMatchObject([{ file, rule: 'pure', message: expect.stringContaining('reaches 40') }])
    expect(reaching('kit', 39)).toEqual([])
    expect(reaching('kernel', 41)).toEqual([])
  })
})

describe('cycles', () => {
  test('two files that import each other fail, even for types', () => {
    const files = {
      'server/kernel/a.ts': "import type { B } from './b.ts'",
      'server/kernel/b.ts': "import { a } from './a.ts'",
    }
    expect(check(files)).toMatchObject([
      { rule: 'cycle', message: expect.stringContaining('server/kernel/b.ts → server/kernel/a.ts') },
    ])
  })

  test('a diamond is not a cycle', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', []],
    ])
    expect(findCycles(graph)).toEqual([])
  })
})

describe('bans', () => {
  const file = 'server/product/secrets/seal/seal-actions.ts'
  test.each([
    ['const now = new Date()', 'time'],
    ['const now = Date.now()', 'time'],
    ['const begun = performance.now()', 'time'],
    ['const n = Math.random()', 'dice'],
    ["import { randomUUID } from 'node:crypto'", 'dice'],
    ['setInterval(work, 1000)', 'timers'],
    ["const reply = await fetch('https://example.org')", 'outgoing'],
    ["import { request } from 'node:https'", 'outgoing'],
    ["const home = process.env['HOME']", 'environment'],
    ["import { sql } from 'kysely'", 'sql'],
    ["import type { Kysely } from 'kysely'", 'sql'],
    ["import { andThen } from '../../../kernel/awaitable.ts'", 'plain-async'],
    ["const header = 'X-Vault-Token'", 'vendor-word'],
    ["const field = 'aws_s3_bucket'", 'vendor-word'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test is a template
    ['const url = `${base}/terraform/${name}`', 'vendor-word'],
  ])('%s is refused by rule %s', (source, rule) => {
    expect(check({ [file]: `\n${source}\n` })).toMatchObject([{ file, line: 2, rule }])
  })

  test.each([
    ['server/kernel/clock.ts', 'export const now = () => Date.now()'],
    ['server/compat/names.ts', "export const token = 'X-Vault-Token'"],
    ['server/outbound/fetch.ts', "import { request } from 'node:https'"],
    ['server/config/load.ts', 'export const env = process.env'],
    ['server/product/secrets/seal/seal-store.ts', "import { sql } from 'kysely'"],
    [file, 'const at = new Date(seconds * 1000)'],
    [file, '// clients of Terraform read this; Date.now() would drift'],
    [file, "const text = 'call Date.now() or fetch()'"],
    [file, 'const found = await deps.store.fetch(id)'],
    [file, "import type { IncomingMessage } from 'node:http'"],
    ['server/product/secrets/seal/seal.test.ts', "const now = Date.now(); const header = 'X-Vault-Token'"],
  ])('%s may contain: %s', (at, source) => {
    expect(check({ [at]: source })).toEqual([])
  })

  test.each([
    "import { Button } from '@mantine/core'",
    "import { IconX } from '@tabler/icons-react'",
    '<div style={{ margin: 0 }}>',
    "const colour = '#e03131'",
  ])('only the kit of the web UI says how things look: %s', (source) => {
    expect(check({ 'web/src/people/TeamPage.tsx': source })).toMatchObject([{ line: 1, rule: 'look' }])
    expect(check({ 'web/src/kit/Button.tsx': source })).toEqual([])
  })

  test('style sheets of pages have no colours of their own', () => {
    const sheet = (colour: string) => ({ 'web/src/people/People.module.css': `.row {\n  color: ${colour};\n}\n` })
    expect(check(sheet('rgb(0 0 0 / 50%)'))).toMatchObject([{ line: 2, rule: 'look' }])
    expect(check(sheet('var(--text-2)'))).toEqual([])
  })

  test('an exception is honoured, and reported once it is not needed', () => {
    const exception = { file, rule: 'time', because: 'shown by this test' }
    expect(checkBoundaries(new Map([[file, 'Date.now()']]), [exception])).toEqual([])
    expect(checkBoundaries(new Map([[file, '']]), [exception])).toMatchObject([
      { message: expect.stringContaining('no longer needed') },
    ])
  })
})

describe('tables', () => {
  const store = 'server/product/workspaces/ssh-keys/ssh-key-store.ts'
  const elsewhere = 'server/product/workspaces/vcs/connection-store.ts'
  const declared =
    "declare module '../storage/tables.ts' {\n  interface DescribedTables {\n    ssh_keys: SshKeyRow\n  }\n}\n"
  const checkWith = (file: string, source: string) =>
    check(file === store ? { [store]: `${declared}${source}` } : { [store]: declared, [file]: source })

  test.each([
    "await tx.insertInto('ssh_keys').values(row).execute()",
    "await tx\n  .updateTable('ssh_keys')\n  .set({ name })\n  .execute()",
    "await tx.deleteFrom('ssh_keys as key').execute()",
    "db.with('gone', (cte) => cte.deleteFrom('ssh_keys').returning('id'))",
    "db.mergeInto('ssh_keys')",
    "db.replaceInto('ssh_keys')",
    'sql`insert into ssh_keys (id) values (1)`',
    'sql`INSERT OR REPLACE INTO ssh_keys (id) values (1)`',
    'sql`update "ssh_keys" as key set name = key.id`',
    "const text = 'delete from main.ssh_keys where true'",
    "const layout: { table: 'workspaces' | 'ssh_keys' } = given\nawait tx.deleteFrom(table).execute()",
  ])('a table of another feature is not written: %s', (source) => {
    const [problem] = checkWith(elsewhere, source).filter(({ message }) => message.includes("'ssh_keys'"))
    expect(problem).toMatchObject({ file: elsewhere, rule: 'table' })
    expect(problem?.message).toContain('written by its owner workspaces/ssh-keys only; call a function')
  })

  test('other parts of the tree do not write the tables of features either', () => {
    const source = "await tx.deleteFrom('ssh_keys').execute()"
    for (const file of ['server/kit/job-store.ts', 'server/storage/versions.ts', 'server/archive/seal-store.ts']) {
      expect(checkWith(file, source), file).toMatchObject([{ file, line: 1, rule: 'table' }])
    }
  })

  test('the owner writes its table in stores, and nowhere else', () => {
    const source = "await tx.deleteFrom('ssh_keys').execute()"
    expect(checkWith(store, source)).toEqual([])
    expect(checkWith('server/product/workspaces/ssh-keys/usage/usage-store.ts', source)).toEqual([])
    expect(checkWith('server/product/workspaces/ssh-keys/ssh-key-actions.ts', source)).toMatchObject([
      { rule: 'table', message: expect.stringContaining('move the statement to a -store.ts file') },
    ])
  })

  test.each([
    [elsewhere, "await db.selectFrom('ssh_keys').selectAll().forUpdate().execute()"],
    [elsewhere, "const text = 'update ssh_keys: a sentence that sets nothing'"],
    [elsewhere, "// await tx.deleteFrom('ssh_keys').execute()"],
    ['server/storage/migrations/202611150000-storage.ts', 'sql`update ssh_keys set name = id`'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test is a template
    ['server/storage/bulk/sqlite-bulk.ts', 'database.exec(`delete from ${quoted(table.name)}`)'],
    ['server/product/workspaces/ssh-keys/ssh-keys.test.ts', "await tx.deleteFrom('ssh_keys').execute()"],
    [store, "const layout: { table: 'ssh_keys' } = given\nawait tx.deleteFrom(table).execute()"],
  ])('%s may contain: %s', (file, source) => {
    expect(checkWith(file, source)).toEqual([])
  })

  test.each([
    'await tx.deleteFrom(table).execute()',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source under test is a template
    'sql`delete from ${sql.table(name)}`',
  ])('a statement must show which table it writes: %s', (source) => {
    expect(checkWith(store, source)).toMatchObject([
      { rule: 'table', message: expect.stringContaining('name it, or list the names in its type') },
    ])
  })

  test('the table of workspaces is written in one store, even by its owner', () => {
    const folder = 'server/product/workspaces/workspaces'
    const owned = "declare module '../x.ts' {\n  interface DescribedTables {\n    workspaces: WorkspaceRow\n  }\n}\n"
    const source = "await tx.deleteFrom('workspaces').execute()"
    expect(check({ [`${folder}/workspace-store.ts`]: `${owned}${source}` })).toEqual([])
    const other = { [`${folder}/workspace-store.ts`]: owned, [`${folder}/locking/lock-store.ts`]: source }
    expect(check(other)).toMatchObject([{ rule: 'table', message: expect.stringContaining('workspace-store.ts only') }])
  })

  test('a row that is described inside of DescribedTables is told to have an interface of its own', () => {
    const inline = "declare module '../x.ts' {\n  interface DescribedTables {\n    things: { id: string }\n  }\n}\n"
    expect(check({ [store]: inline })).toMatchObject([
      { rule: 'table', message: expect.stringContaining('an interface of its own') },
    ])
  })

  test('a table has one owner', () => {
    expect(check({ [store]: declared, [elsewhere]: declared })).toMatchObject([
      { file: elsewhere, rule: 'table', message: `table 'ssh_keys' is declared in ${store} already` },
    ])
    expect(check({ [store]: "await tx.deleteFrom('ssh_keys').execute()" })).toMatchObject([
      { message: expect.stringContaining("table 'ssh_keys' has no owner; add its row to DescribedTables") },
    ])
  })
})

describe('reading a source', () => {
  test('quotes inside comments and patterns do not open strings', () => {
    const source = [
      "// it's here",
      'const quote = /[\'"`/]/.test(text) ? 4 / 2 : 1',
      "import { a } from './a.ts'",
    ].join('\n')
    expect(importsOf(readSource(source))).toEqual([{ specifier: './a.ts', line: 3, typeOnly: false }])
  })

  test('an import written inside a string does not count', () => {
    expect(importsOf(readSource('const text = "import { a } from \'./a.ts\'"'))).toEqual([])
  })

  test('an import over several lines is one import, reported at its module', () => {
    const source = "import type {\n  A,\n  B,\n} from './types.ts'\n"
    expect(importsOf(readSource(source))).toEqual([{ specifier: './types.ts', line: 4, typeOnly: true }])
  })
})
