import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CommandResult, clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { ownFolder } from '../../test/support/folders.ts'

type Stranger = { status: number; headers: OutgoingHttpHeaders; body: string }

const redirect: Stranger = {
  status: 302,
  headers: { location: 'https://elsewhere.example/', 'content-type': 'text/html' },
  body: '<html>moved</html>',
}
const page: Stranger = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Please sign in</html>' }
const noPage: Stranger = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>not here</html>' }
const silence: Stranger = { status: 200, headers: {}, body: '' }
const otherApi: Stranger = { status: 200, headers: { 'content-type': 'application/json' }, body: '{"hello":1}' }

let server: Server
let stranger: Stranger
let directory: string

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(stranger.status, stranger.headers).end(stranger.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())
beforeEach(() => {
  directory = ownFolder()
})

function run(args: readonly string[]): Promise<CommandResult> {
  const { port } = server.address() as AddressInfo
  return runCommand(args, {
    environment: clientEnvironment(`http://127.0.0.1:${port}`, 't'),
    directory,
    home: directory,
  })
}

test.each([
  ['a redirect', redirect],
  ['a web page', page],
  ['nothing at all', silence],
  ['the answer of something else', otherApi],
])('snapshot save: %s is not taken for a snapshot, and no file is left behind', async (_name, answer) => {
  stranger = answer
  const ended = await run(['snapshot', 'save', 'today.snap'])
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain('not a snapshot')
  expect(readdirSync(directory)).toEqual([])
})

test('snapshot save: an empty answer is not saved as a snapshot', async () => {
  stranger = { status: 200, headers: { 'content-type': 'application/gzip' }, body: '' }
  const ended = await run(['snapshot', 'save', 'today.snap'])
  expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining('empty') })
  expect(existsSync(join(directory, 'today.snap'))).toBe(false)
})

/** For `status`, 2 means a sealed server and nothing else. */
const codeFor = ([command]: readonly string[]): number => (command === 'status' ? 1 : 2)

test.each([
  ['read', 'sys/health'],
  ['write', 'sys/policies/acl/a', 'policy=x'],
  ['delete', 'sys/policies/acl/a'],
  ['status'],
  ['login', '--method', 'token', 'abc'],
  ['snapshot', 'check', 'nightly'],
])('%s %s: a redirect and a web page are reported, not taken for success', async (...args) => {
  const code = codeFor(args)
  stranger = redirect
  const led = await run(args)
  expect(led).toMatchObject({ code, out: '' })
  expect(led.err).toContain('a redirect to https://elsewhere.example/')
  stranger = page
  const shown = await run(args)
  expect(shown).toMatchObject({ code, out: '' })
  expect(shown.err).toContain('Is it the right address?')
})

test.each([['status'], ['login', '--method', 'token', 'abc']])(
  '%s: the response of another API is an error',
  async (...args) => {
    stranger = otherApi
    const ended = await run(args)
    expect(ended).toMatchObject({ code: codeFor(args), out: '' })
    expect(ended.err).toContain('Is it the right address?')
  },
)

test('a web page with status 404 is not taken for an empty path', async () => {
  stranger = noPage
  const ended = await run(['read', 'sys/policies/acl/a'])
  expect(ended.err).toContain('refused GET /v1/sys/policies/acl/a with 404')
})

test.each([
  ['Client sent an HTTP request to an HTTPS server.\n', 'Client sent an HTTP request to an HTTPS server.'],
  ['invalid\u001b[31m JWT\nsecond line', 'invalid [31m JWT second line'],
  ['x'.repeat(500), `${'x'.repeat(200)}…`],
])('a refusal in plain text is shown: %j', async (body, shown) => {
  stranger = { status: 400, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
  const { code, err } = await run(['read', 'sys/health'])
  expect([code, err]).toEqual([2, expect.stringContaining(`with 400.\n  * ${shown}\n`)])
})

test('a web page is not shown as the reason for a refusal', async () => {
  stranger = { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>no</html>' }
  expect((await run(['read', 'sys/health'])).err).not.toContain('html')
})
