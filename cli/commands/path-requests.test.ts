import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()
const { run, trustingEnvironment } = server

test('read: prints a table or a single field, and sends key=value words as the query', async () => {
  server.reply = { status: 200, body: { data: { ttl: 60, names: ['a', 'b'] }, warnings: ['careful'] } }
  const table = await run(['read', 'auth/cert/certs/web', 'depth=2'])
  expect(table.out).toBe('Key      Value\n---      -----\nnames    ["a","b"]\nttl      60\n')
  expect(table.err).toBe('Warning: careful\n')
  expect(server.seen[0]?.url).toBe('/v1/auth/cert/certs/web?depth=2')
  expect((await run(['read', '-field=ttl', 'auth/cert/certs/web'])).out).toBe('60')
  expect(await run(['read', '-field=nope', 'x'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There are: ttl, names'),
  })
})

test('write: takes values, files, standard input, whole documents and repeated keys', async () => {
  writeFileSync(join(server.directory, 'whole.json'), '{"a":1,"b":[true]}')
  const words = [
    `@${join(server.directory, 'whole.json')}`,
    `certificate=@${join(server.directory, 'ca.pem')}`,
    'note=-',
    'at=\\@home',
    'n=1',
    'n=2',
  ]
  const { out } = await run(['write', '/auth/cert/certs/web', ...words], trustingEnvironment(), 'typed')
  expect(out).toBe('Written: /auth/cert/certs/web\n')
  expect(server.seen[0]).toMatchObject({ method: 'PUT', url: '/v1/auth/cert/certs/web' })
  expect(server.seen[0]?.body).toEqual({
    a: 1,
    b: [true],
    certificate: server.caPem,
    note: 'typed',
    at: '@home',
    n: ['1', '2'],
  })
})

test.each([
  ['hfs.typed\n', 'hfs.typed'],
  ['hfs.typed\r\n', 'hfs.typed'],
  ['two\nlines\n', 'two\nlines\n'],
])('write: the line end of a single line from standard input is removed: %j', async (input, expected) => {
  await run(['write', 'auth/token/revoke', 'token=-'], trustingEnvironment(), input)
  expect(server.seen[0]?.body).toEqual({ token: expected })
})

test('write: having nothing to write is an error without --force', async () => {
  expect((await run(['write', 'sys/rotate'])).code).toBe(1)
  expect(server.seen).toEqual([])
  for (const flag of ['-force', '--force', '-f']) expect((await run(['write', flag, 'sys/rotate'])).code).toBe(0)
})

test('write: an answer with nothing but warnings is reported as success', async () => {
  server.reply = { status: 200, body: { data: {}, auth: null, warnings: ['ignored: [x]'] } }
  expect(await run(['write', 'auth/cert/certs/web', 'x=1'])).toEqual({
    code: 0,
    out: 'Written: auth/cert/certs/web\n',
    err: 'Warning: ignored: [x]\n',
  })
})

test('write and delete: an empty response prints nothing as JSON or YAML', async () => {
  expect(await run(['write', 'x', 'a=1', '--format', 'json'])).toEqual({ code: 0, out: '', err: '' })
  expect(await run(['delete', 'x', '--format', 'yaml'])).toEqual({ code: 0, out: '', err: '' })
})

test('an unknown format is refused before anything is sent', async () => {
  const told = "holdfast: 'xml' is not a format. Use table, json or yaml.\n"
  expect(await run(['write', 'auth/token/create', 'ttl=1h', '--format=xml'])).toEqual({ code: 1, out: '', err: told })
  expect(server.seen).toEqual([])
})

test('list: sends LIST, and an empty list is reported', async () => {
  server.reply = { status: 200, body: { data: { keys: ['a', 'b/'] } } }
  expect((await run(['list', 'auth/cert/certs'])).out).toBe('Keys\n----\na\nb/\n')
  expect(server.seen[0]?.method).toBe('LIST')
  server.reply = { status: 404, body: { errors: [] } }
  expect(await run(['list', 'auth/cert/certs'])).toMatchObject({
    code: 2,
    err: 'holdfast: There is nothing at /v1/auth/cert/certs.\n',
  })
})

test('list: below /api, where it does not exist, read is suggested', async () => {
  const { code, err } = await run(['list', 'api/v2/organizations'])
  expect([code, err]).toEqual([1, 'holdfast: Lists below api/ are read: holdfast read api/v2/organizations\n'])
  expect(server.seen).toEqual([])
})

test('list: prints 200,000 keys', async () => {
  server.reply = { status: 200, body: { data: { keys: Array.from({ length: 200_000 }, (_none, at) => `key-${at}`) } } }
  const { code, out } = await run(['list', 'auth/token/accessors'])
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'key-199999'])
})

test('delete: says what was deleted', async () => {
  expect(await run(['delete', 'auth/cert/certs/web'])).toEqual({
    code: 0,
    out: 'Deleted: auth/cert/certs/web\n',
    err: '',
  })
})

test.each([
  ['auth/cert/certs/a#b', '/v1/auth/cert/certs/a%23b'],
  ['auth/cert/certs/a\\b', '/v1/auth/cert/certs/a%5Cb'],
  ['auth/cert/certs/web/..', '/v1/auth/cert/certs/web/..'],
  ['auth/cert/certs/größe 1', '/v1/auth/cert/certs/gr%C3%B6%C3%9Fe%201'],
])('delete: calls exactly the path that was given: %s', async (path, url) => {
  await run(['delete', path])
  expect(server.seen).toMatchObject([{ method: 'DELETE', url }])
})

test('paths below /api get the token as a bearer token', async () => {
  server.reply = { status: 200, body: { data: [] } }
  await run(['read', '/api/v2/organizations'], { ...trustingEnvironment(), HOLDFAST_TOKEN: 'hfu.me' })
  expect(server.seen[0]).toMatchObject({
    url: '/api/v2/organizations',
    authorization: 'Bearer hfu.me',
    token: undefined,
  })
})

test('read and list: a missing path is reported plainly, and a refusal with its reasons', async () => {
  server.reply = { status: 404, body: { errors: [] } }
  const missing = { code: 2, out: '', err: 'holdfast: There is nothing at /v1/auth/cert/certs/x.\n' }
  expect(await run(['read', 'auth/cert/certs/x'])).toEqual(missing)
  server.reply = { status: 403, body: { errors: ['permission denied'] } }
  const refused = 'holdfast: The server refused LIST /v1/auth/cert/certs with 403.\n  * permission denied\n'
  const asked = await run(['list', 'auth/cert/certs', '--token', 'hfs.given'])
  expect(asked).toEqual({ code: 2, out: '', err: refused })
})

test('--wrap-ttl: read, write, list and delete ask for a wrapped answer and print its token', async () => {
  const wrap_info = { token: 'hfs.wrapping', accessor: 'a', ttl: 300, creation_path: 'sys/wrapping/wrap' }
  server.reply = { status: 200, body: { data: {}, wrap_info } }
  for (const words of [
    ['read', 'x'],
    ['write', 'sys/wrapping/wrap', 'a=b'],
    ['list', 'x'],
    ['delete', 'x'],
  ]) {
    const { code, out } = await run([...words, '-wrap-ttl=5m'])
    expect([code, out], words.join(' ')).toEqual([0, expect.stringMatching(/^token +hfs\.wrapping$/m)])
    expect(server.seen.at(-1)?.wrapTtl).toBe('5m')
  }
  expect((await run(['write', '--wrap-ttl', '60', '--field', 'token', 'x', 'a=b'])).out).toBe('hfs.wrapping')
  await run(['read', 'x'])
  expect(server.seen.at(-1)?.wrapTtl).toBeUndefined()
})

test('--wrap-ttl: below api/ it is refused and nothing is sent', async () => {
  expect(await run(['read', '--wrap-ttl', '5m', 'api/v2/organizations'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be wrapped'),
  })
  expect(server.seen).toEqual([])
})

test('read: a list of /api has a line for each resource, and what is not on the page is said beside it', async () => {
  const workspace = (name: string, locked: boolean) => ({
    id: `ws-${name}`,
    type: 'workspaces',
    attributes: { name, locked, 'resource-count': 2, permissions: { 'can-lock': true }, description: null },
  })
  const data = [workspace('a', true), workspace('bc', false)]
  const pagination = { 'current-page': 1, 'next-page': 2, 'total-pages': 3, 'total-count': 5 }
  server.reply = { status: 200, body: { data, meta: { pagination } } }
  const path = 'api/v2/organizations/acme/workspaces?search[name]=b'
  const table = await run(['read', path, 'page[size]=2'])
  expect(table.out.split('\n')).toEqual([
    'id       name    locked    resource-count',
    '--       ----    ------    --------------',
    'ws-a     a       true      2',
    'ws-bc    bc      false     2',
    '',
  ])
  expect(table.err).toContain("2 of 5 are shown; 'page[number]=2' reads the next ones")
  expect(server.seen[0]?.url).toContain('workspaces?search[name]=b&page%5Bsize%5D=2')
  const json = await run(['read', path, '--format=json'])
  expect([JSON.parse(json.out).data, json.err]).toEqual([data, table.err])
  server.reply = { status: 200, body: { data, meta: { pagination: { ...pagination, 'next-page': null } } } }
  expect((await run(['read', path])).err).toBe('')
})

test('patch: a text where another type is wanted is refused with how the command line writes one', async () => {
  const errors = [{ title: 'invalid attribute', detail: 'Auto apply must be true or false' }]
  server.reply = { status: 422, body: { errors } }
  const { code, err } = await run(['patch', 'api/v2/workspaces/ws-1', 'auto-apply=true'])
  expect(code).toBe(2)
  expect(err).toContain("Write ':=' before JSON: auto-apply:=true")
})
