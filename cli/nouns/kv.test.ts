import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command-line.ts'
import { sharedFolder } from '../../test/support/folders.ts'
import { shared, sharedApp } from '../../test/support/shared.ts'
import { tokenCalls } from '../../test/support/token-calls.ts'

const app = sharedApp()
const directory = sharedFolder()
const engines = shared(async () => {
  await app.root.post('/v1/sys/mounts/team', { type: 'kv', options: { version: '2' } })
  await app.root.post('/v1/sys/mounts/old', { type: 'kv', options: { version: '1' } })
  await app.root.post('/v1/sys/mounts/old2', { type: 'kv', options: { version: '1' } })
  return { versioned: 'team', plain: 'old' }
})

const runAs = async (token: string, line: string | readonly string[], input = '') => {
  await engines
  return await runCommand(typeof line === 'string' ? line.split(' ') : line, {
    environment: { HOLDFAST_ADDR: app.url, HOLDFAST_TOKEN: token },
    directory,
    readInput: async () => input,
  })
}
const run = (line: string | readonly string[], input?: string) => runAs(app.rootToken, line, input)
const json = async (line: string) => JSON.parse((await run(`${line} --json`)).out)

test('kv: without rights nothing is told, not even whether there is a mount', async () => {
  const calls = await tokenCalls(app)
  const { client_token: weak } = await calls.create({ policies: ['default'] })
  for (const path of ['team/app', 'nowhere/app'])
    expect(await runAs(weak, ['kv', 'get', path])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/403[\s\S]*no mount at .*, or none that this token can use/),
    })
})

test('kv: put, get, patch and their refusals, with versions', async () => {
  expect(await run('kv put team/app/db')).toMatchObject({ code: 1, err: expect.stringContaining('Nothing to write') })
  expect(await run('kv put team/app/db password=- user=app', 'correct horse\n')).toMatchObject({
    out: 'Written: team/app/db, version 1\n',
    code: 0,
  })
  expect(await run('kv get -field=password team/app/db')).toMatchObject({ out: 'correct horse' })
  expect(await run('kv get team/app/db')).toMatchObject({
    out: 'key         value\n---         -----\npassword    correct horse\nuser        app\n',
    err: expect.stringMatching(/^Version 1, written 20/),
  })
  expect(await run('kv get -mount=team app/db --format yaml')).toMatchObject({
    out: expect.stringContaining('user: app'),
  })
  expect(await run('kv put -cas=0 team/app/db user=b')).toMatchObject({ code: 2, err: expect.stringContaining('400') })
  expect(await run('kv put -cas=one team/app/db user=b')).toMatchObject({
    code: 1,
    err: "holdfast: --cas takes the number of a version, not 'one'.\n",
  })
  expect((await run('kv patch team/app/db user=null port:=5432 password:=null')).out).toContain('version 2')
  expect((await run('kv patch --method rw team/app/db user:=null')).out).toContain('version 3')
  expect(await json('kv get team/app/db')).toMatchObject({ data: { port: 5432 }, metadata: { version: 3 } })
  expect((await json('kv get -version=2 team/app/db')).data).toEqual({ user: 'null', port: 5432 })
  expect(await run('kv get --field nothing team/app/db')).toMatchObject({
    code: 1,
    err: expect.stringContaining('port'),
  })
  expect(await run('kv get team/app/none')).toMatchObject({
    code: 2,
    err: "holdfast: There is no secret 'team/app/none'. 'holdfast kv list team/app/' shows what is there.\n",
  })
  expect(await run('kv patch team/app/none a=b')).toMatchObject({ code: 2, err: expect.stringContaining('no secret') })
  expect(await run('kv get team')).toMatchObject({ code: 1, err: expect.stringContaining('name a secret') })
  expect(await run('kv get -mount=team/app db')).toMatchObject({ code: 2, err: expect.stringContaining("'team/'") })
})

test('kv: a patch without that right is refused with the way that read and update allow', async () => {
  const calls = await tokenCalls(app)
  await calls.policy('writer', 'path "team/data/*" { capabilities = ["create", "read", "update"] }')
  const { client_token: writer } = await calls.create({ policies: ['writer'] })
  expect((await runAs(writer, 'kv put team/rw a=1 b=2')).code).toBe(0)
  expect(await runAs(writer, 'kv patch team/rw a=3')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--method rw'),
  })
  expect((await runAs(writer, 'kv patch --method rw team/rw a=3')).code).toBe(0)
  expect((await json('kv get team/rw')).data).toEqual({ a: '3', b: '2' })
})

test('kv: values come from files and documents, and names with signs are one path', async () => {
  writeFileSync(join(directory, 'all.json'), '{"nested": {"a": [1, null]}, "empty": ""}')
  writeFileSync(join(directory, 'key.pem'), 'one\ntwo\n')
  const path = 'team/odd/ü #?%2f<b>'
  const files = [`@${join(directory, 'all.json')}`, `pem=@${join(directory, 'key.pem')}`]
  expect((await run(['kv', 'put', path, ...files])).code).toBe(0)
  expect(await run(['kv', 'get', path, '--field', 'pem'])).toMatchObject({ out: 'one\ntwo\n' })
  expect(JSON.parse((await run(['kv', 'get', path, '--json'])).out).data).toMatchObject({
    nested: { a: [1, null] },
    empty: '',
  })
  expect(await json('kv list team/odd')).toEqual(['ü #?%2f<b>'])
  expect(await json('kv list team')).toContain('odd/')
  expect(await json('kv list -mount=team')).toContain('odd/')
  expect(await json('kv list team/empty')).toEqual([])
  expect((await run(['kv', 'put', 'team/odd/document', '-'], '{"a": 1}')).code).toBe(0)
})

test('kv: versions are deleted, brought back, destroyed and gone back to', async () => {
  for (const value of ['one', 'two', 'three']) await run(`kv put team/life a=${value} only${value}=x`)
  expect((await run('kv delete team/life')).out).toBe('Deleted: team/life\n')
  expect(await run('kv get team/life')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/Version 3 .* was deleted at .*kv undelete team\/life --versions 3/),
  })
  expect((await run('kv undelete team/life --versions 3')).code).toBe(0)
  expect(await run('kv diff team/life')).toMatchObject({
    out: 'change     key\n------     ---\nadded      onlythree\nchanged    a\nremoved    onlytwo\n',
    err: 'Version 2 is compared with 3.\n',
  })
  expect((await run('kv diff team/life --from 1 --to 3 --values')).out).toMatch(/changed +a +one +three\n/)
  expect((await run('kv delete --versions 2 team/life')).code).toBe(0)
  expect(await run('kv destroy team/life --versions 1')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--yes'),
  })
  expect((await run('kv destroy team/life --versions 1 --yes')).out).toBe("Destroyed: version 1 of 'team/life'\n")
  expect(await run('kv get --version 1 team/life')).toMatchObject({
    code: 2,
    err: expect.stringContaining('destroyed'),
  })
  expect(await run('kv rollback --version 1 team/life')).toMatchObject({
    code: 2,
    err: expect.stringContaining('destroyed'),
  })
  expect((await run('kv undelete --versions=2 team/life')).code).toBe(0)
  expect((await run('kv rollback --version 2 --cas 3 team/life')).out).toBe('Written: team/life, version 4\n')
  expect((await json('kv get team/life')).data).toEqual({ a: 'two', onlytwo: 'x' })
  expect((await run('kv versions team/life')).out).toMatch(/^version .*\n-.*\n4 .* root .*\n3 /)
  expect((await run('kv history team/life')).out).toMatch(/\nroot +write +4 +/)
  expect(await run('kv undelete team/life')).toMatchObject({ code: 1, err: expect.stringContaining('--versions') })
  expect(await run('kv destroy --versions x --yes team/life')).toMatchObject({ code: 1 })
})

test('kv metadata: settings and texts of a secret are shown, changed and removed', async () => {
  await run('kv put team/meta a=b')
  expect(await run('kv metadata put team/meta')).toMatchObject({ code: 1, err: expect.stringContaining('Nothing') })
  const put =
    'kv metadata put team/meta --max-versions 3 --cas-required --custom-metadata owner=x --custom-metadata a=b'
  expect(await run(put)).toMatchObject({ code: 0, out: 'Written: metadata of team/meta\n' })
  expect(await run('kv put team/meta a=c')).toMatchObject({ code: 2, err: expect.stringContaining('check-and-set') })
  expect((await run('kv metadata get team/meta')).out).toMatch(/\ncustom_metadata\.owner +x\n/)
  const patch = 'kv metadata patch team/meta --custom-metadata owner=y --remove-custom-metadata a --no-cas-required'
  expect((await run(patch)).code).toBe(0)
  expect(await json('kv metadata get team/meta')).toMatchObject({
    custom_metadata: { owner: 'y' },
    max_versions: 3,
    cas_required: false,
    versions: { 1: { destroyed: false } },
  })
  expect(await run('kv metadata delete team/meta')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect((await run('kv metadata delete team/meta --yes')).out).toBe('Deleted: team/meta\n')
  expect(await run('kv metadata get team/meta')).toMatchObject({ code: 2, err: expect.stringContaining('no secret') })
})

test('kv: an engine without versions', async () => {
  expect((await run('kv put old/app a=b')).out).toBe('Written: old/app\n')
  expect(await json('kv get old/app')).toEqual({ data: { a: 'b' } })
  expect(await json('kv list old')).toEqual(['app'])
  for (const line of [
    'get --version 1',
    'put --cas 1 a=b',
    'diff',
    'history',
    'undelete --versions 1',
    'metadata get',
  ]) {
    const [verb = '', ...rest] = line.split(' ')
    expect(
      await run([
        'kv',
        verb,
        ...rest.filter((word) => word === 'get'),
        'old/app',
        ...rest.filter((word) => word !== 'get'),
      ]),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining("'old/' keeps no versions"),
    })
  }
  expect(await run('kv delete old/app')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') })
  expect((await run('kv delete old/app --yes')).code).toBe(0)
  expect((await run('kv get old/app')).code).toBe(2)
  await run('kv put old2/app a=b')
  expect(await run('kv enable-versioning old2/app')).toMatchObject({ code: 1 })
  expect((await run('kv enable-versioning old2')).out).toBe('Keeps versions now: old2/\n')
  expect(await json('kv get old2/app')).toMatchObject({ data: { a: 'b' }, metadata: { version: 1 } })
})

test('kv: shells complete mounts, folders and secrets', async () => {
  await run('kv put team/deep/er/secret a=b')
  const names = async (begun: string, ...words: string[]) =>
    (await run(['names', '--begun', begun, '--', ...words])).out.trim().split('\n')
  expect(await names('', 'kv', 'get')).toEqual(expect.arrayContaining(['team/', 'old/']))
  expect(await names('team/deep/e', 'kv', 'get')).toEqual(['team/deep/er/'])
  expect(await names('deep/er/', 'kv', 'metadata', 'get', '--mount', 'team')).toEqual(['deep/er/secret'])
  expect(await names('', 'kv', 'list', '--mount')).toEqual(expect.arrayContaining(['team', 'old']))
  expect(await names('nowhere/', 'kv', 'get')).toEqual([''])
})

test('kv: what is no engine for keys and values is refused', async () => {
  expect(await run('kv get sys/mounts')).toMatchObject({ code: 2, err: expect.stringContaining('type system') })
})
