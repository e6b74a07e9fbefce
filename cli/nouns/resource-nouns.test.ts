import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command-line.ts'
import { join, organization, person } from '../../test/support/platform.ts'
import { shared, sharedApp } from '../../test/support/shared.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme'))
const ben = shared(() => person(app, 'ben'))

type Typed = { readonly input?: string; readonly columns?: number; readonly environment?: Record<string, string> }

const runAs = (token: string, line: readonly string[], { input = '', columns, environment }: Typed = {}) =>
  runCommand(line, {
    environment: { HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: token, HOLDFAST_ORGANIZATION: acme.name, ...environment },
    readInput: async () => input,
    ...(columns !== undefined && { columns, isOutputTerminal: true }),
  })

/** Words are separated by spaces, unless they are given one by one. */
const wordsOf = (line: string | readonly string[]): readonly string[] =>
  typeof line === 'string' ? line.split(' ') : line
const run = (line: string | readonly string[], typed?: Typed) => runAs(ann.token, wordsOf(line), typed)
const asRoot = (line: string | readonly string[], typed?: Typed) => runAs(app.rootToken, wordsOf(line), typed)

/** Runs a line that must succeed, and returns what it says to programs. */
async function json(line: string | readonly string[], as = run) {
  const { code, out, err } = await as([...wordsOf(line), '--json'].join(' '))
  expect({ line, code, err: code === 0 ? '' : err }).toEqual({ line, code: 0, err: '' })
  return JSON.parse(out)
}

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).sort()

test('a caller who sees nothing is told so, and what lists the names', async () => {
  expect(await runAs(ben.token, ['workspace', 'show', 'app'])).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(
      /There is no workspace 'app' in organization 'acme' that this token can see. 'holdfast workspace list'/,
    ),
  })
  expect(await runAs(ben.token, ['workspace', 'create', 'app'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('404'),
  })
  expect(await runAs(ben.token, ['user', 'list'])).toMatchObject({ code: 2 })
  const none = await runAs(ben.token, ['project', 'list'], { environment: { HOLDFAST_ORGANIZATION: '' } })
  expect(none).toMatchObject({ code: 2, err: 'holdfast: This token sees no organization.\n' })
})

test('workspace: create, list with filters, show, update, tag, move, lock, unlock, delete', async () => {
  await run('project create platform')
  const made = await json(
    'workspace create web --project platform --tag env=prod,core --auto-apply --tool-version 1.9.4',
  )
  expect(made).toMatchObject({ name: 'web', 'auto-apply': true, 'tool-version': '1.9.4', locked: false })
  await json(['workspace', 'create', 'batch', '--no-speculative-enabled', 'contact=ops'])
  expect(names(await json('workspace list'))).toEqual(['batch', 'web'])
  for (const [filter, expected] of [
    ['--search we', ['web']],
    ['--search *tch', ['batch']],
    ['--tag env=prod', ['web']],
    ['--tag core', ['web']],
    ['--exclude-tag core', ['batch']],
    ['--project platform', ['web']],
    ['--locked', []],
    ['--no-locked', ['batch', 'web']],
    ['--tool-version 1.9.4', ['web']],
    ['--updated-since 2099-01-01T00:00:00Z', []],
  ] as const)
    expect({ filter, found: names(await json(`workspace list ${filter}`)) }).toEqual({ filter, found: expected })
  expect((await json('workspace list --sort name --reverse'))[0].name).toBe('web')
  expect((await run('workspace list --project platform')).out).toMatch(/\nweb +ws-\w+ +platform +false /)
  expect((await run('workspace show web')).out).toMatch(/\nname +web\n[\s\S]*\nauto-apply +true\n/)
  expect((await run(`workspace show ${made.id} --field name`)).out).toBe('web')
  expect(await json('workspace update web --no-auto-apply description=shop')).toMatchObject({
    'auto-apply': false,
    description: 'shop',
  })
  expect((await run('workspace tag web team=a b')).out.split('\n').slice(2, -1).sort()).toEqual(
    ['b', 'core', 'env    prod', 'team   a'].map((line) => expect.stringMatching(line.replace(/ +/, ' +'))),
  )
  expect(await json('workspace tag web b core --remove')).toHaveLength(2)
  expect(await json('workspace tag web only --replace')).toEqual([{ key: 'only', value: '' }])
  expect((await run('workspace move batch --project platform')).out).toBe('Moved: batch to platform\n')
  expect(names(await json('workspace list --project platform'))).toEqual(['batch', 'web'])
  expect((await run(['workspace', 'lock', 'web', '--reason', 'by hand'])).out).toBe('Locked: web\n')
  expect(await run('workspace lock web')).toMatchObject({ code: 2, err: expect.stringContaining('already locked') })
  expect(names(await json('workspace list --locked'))).toEqual(['web'])
  expect((await run('workspace unlock web')).out).toBe('Unlocked: web\n')
  await run('workspace lock web --expires-after 1h')
  expect(await run('workspace unlock web --force')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Add --yes'),
  })
  expect((await run('workspace unlock web --force --yes')).code).toBe(0)
  expect(await run('workspace delete web')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('Add --yes'),
  })
  expect((await run('workspace delete web --yes')).out).toBe('Deleted: web\n')
  expect((await run('workspace delete batch --force --yes')).code).toBe(0)
  expect(await run('workspace list')).toMatchObject({ code: 0, out: expect.stringMatching(/^name .*\n---- .*\n$/) })
})

test('workspace list: one page with a hint at the others, or all of them', async () => {
  for (const name of ['one', 'two', 'three']) await run(`workspace create page-${name}`)
  const first = await run('workspace list --search page- --limit 2 --sort name')
  expect(first.err).toBe('2 of 3 are shown; --all shows every one, --page 2 the next.\n')
  expect((await run('workspace list --search page- --limit 2 --page 2 --sort name')).out).toMatch(/\npage-two /)
  expect(await json('workspace list --search page- --all')).toHaveLength(3)
})

test('a table fits the terminal, and files get all of it', async () => {
  await run([
    'workspace',
    'create',
    'a-workspace-with-quite-a-long-name-that-goes-on',
    '--description',
    'x'.repeat(300),
  ])
  const narrow = await run('workspace list --search quite', { columns: 72 })
  expect(Math.max(...narrow.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(72)
  expect(narrow.out).toContain('…')
  const whole = await run('workspace list --search quite')
  expect(whole.out).toContain('a-workspace-with-quite-a-long-name-that-goes-on ')
  expect((await run('workspace show a-workspace-with-quite-a-long-name-that-goes-on', { columns: 72 })).out).toContain(
    `${'x'.repeat(40)}`,
  )
})

test('variable: create with a secret from standard input, list, show, update, delete', async () => {
  await run('workspace create vars')
  const refused = await run('variable list')
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--workspace') })
  const secret = await run('variable create password --workspace vars --sensitive --value -', { input: 'geheim\n' })
  expect([secret.err, secret.out]).toEqual(['', expect.not.stringContaining('geheim')])
  expect((await json('variable create region --workspace vars --category env --value eu')).category).toBe('env')
  expect((await run('variable list --workspace vars --all')).out).toMatch(/password +var-\w+ +terraform +true/)
  expect((await run('variable show region --workspace vars --field value')).out).toBe('eu')
  expect((await json('variable update region --workspace vars --value us')).value).toBe('us')
  expect(await run('variable update region --workspace vars')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing to change'),
  })
  expect(await run('variable update region --workspace vars --category odd')).toMatchObject({ code: 2 })
  expect((await run('variable delete region --workspace vars --yes')).out).toBe('Deleted: region\n')
  expect(await run('variable show region --workspace vars')).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no variable 'region'"),
  })
})

test('project: create, list, show, update, delete', async () => {
  expect((await json(['project', 'create', 'old', 'description=first'])).description).toBe('first')
  expect(names(await json('project list --search ol'))).toEqual(['old'])
  expect((await json('project update old --name new')).name).toBe('new')
  expect((await run('project show new')).out).toMatch(/\ndescription +first\n/)
  expect((await run('project delete new --yes')).code).toBe(0)
  expect(await run('project delete new --yes')).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no project 'new'"),
  })
})

test('team: create, list, show, add and remove members, update, delete', async () => {
  await join(acme, ben)
  expect(await json('team create deployers --allow-certificate-login --visibility organization')).toMatchObject({
    'allow-certificate-login': true,
    visibility: 'organization',
  })
  expect(
    await json(['team', 'update', 'deployers', '--organization-access', '{"manage-workspaces":true}']),
  ).toMatchObject({
    'organization-access': { 'manage-workspaces': true },
  })
  expect(await run(['team', 'update', 'deployers', '--organization-access', '{'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('--organization-access takes JSON'),
  })
  expect((await run('team add deployers ben')).out).toBe('Added to deployers: ben\n')
  expect((await json('team show deployers'))['users-count']).toBe(1)
  expect((await run('team remove deployers ben')).code).toBe(0)
  expect((await run('team list --search depl')).out).toMatch(/\ndeployers +team-\w+ +organization +0 /)
  expect((await run('team delete deployers --yes')).code).toBe(0)
})

test('organization: create, list, show, update, delete', async () => {
  expect((await json('organization create second --email ann@example.com')).name).toBe('second')
  expect(names(await json('organization list'))).toEqual(['acme', 'second'])
  expect(await run('project list', { environment: { HOLDFAST_ORGANIZATION: '' } })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Say which organization: --organization, .* There are: acme, second\./),
  })
  expect((await json('organization update second --default-execution-mode local'))['default-execution-mode']).toBe(
    'local',
  )
  expect((await run('organization show second')).out).toMatch(/\nemail +ann@example.com\n/)
  expect((await run('organization delete second --yes')).code).toBe(0)
})

test('user: create, list, show, update, suspend, unsuspend, delete', async () => {
  expect((await json('user create cleo --email cleo@example.com', asRoot))['invitation-url']).toMatch(/^http/)
  expect(await json('user list --search cleo', asRoot)).toHaveLength(1)
  expect((await json('user update cleo --is-admin', asRoot))['is-admin']).toBe(true)
  expect(await json('user list --admin --search cleo', asRoot)).toHaveLength(1)
  expect(await asRoot('user suspend cleo')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect((await asRoot('user suspend cleo --yes')).out).toBe('Suspended: cleo\n')
  expect(await json('user list --suspended', asRoot)).toHaveLength(1)
  expect((await asRoot('user unsuspend cleo')).out).toBe('Unsuspended: cleo\n')
  expect((await asRoot('user show cleo')).out).toMatch(/\nusername +cleo\n/)
  expect((await asRoot('user delete cleo --yes')).code).toBe(0)
})

test('names: what a server knows is offered where it may follow', async () => {
  await run('workspace create named')
  const offered = async (line: string) =>
    (await run(['names', '--', ...line.split(' ')])).out.split('\n').filter(Boolean)
  expect(await offered('workspace show')).toContain('named')
  expect(await offered('workspace show --organization acme')).toContain('named')
  expect(await offered('workspace show named')).toEqual([])
  expect(await offered('workspace list --project')).toContain('platform')
  expect(await offered('variable show --workspace')).toContain('named')
  expect(await offered('variable show --workspace vars')).toEqual(['password'])
  expect(await offered('project list --organization')).toContain('acme')
  expect(await offered('status')).toEqual([])
  const unreachable = await run(['names', '--', 'workspace', 'show', '--address', 'http://127.0.0.1:9'])
  expect(unreachable).toEqual({ code: 0, out: '', err: '' })
})
