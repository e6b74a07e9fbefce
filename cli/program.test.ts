import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mintCa } from '../test/support/certificates.ts'
import { scriptedServer } from '../test/support/scripted-server.ts'

const server = scriptedServer()
const { run } = server

test.each([
  [{ errors: ['permission denied'] }, 'permission denied'],
  [{ errors: [{ title: 'invalid attribute', detail: 'Name is taken' }] }, 'invalid attribute: Name is taken'],
])('a refusal is reported in the server’s words and exits with 2', async (body, expected) => {
  server.reply = { status: 403, body }
  const { code, err } = await run(['read', 'x', '--token', 'hfs.given'])
  expect(code).toBe(2)
  expect(err).toBe(`holdfast: The server refused GET /v1/x with 403.\n  * ${expected}\n`)
})

test('a 403 names the stored token file, unless a token was given', async () => {
  const file = join(server.directory, '.holdfast-token')
  writeFileSync(file, 'hfs.old')
  server.reply = { status: 403, body: { errors: ['permission denied', 'invalid token'] } }
  expect((await run(['read', 'x'])).err).toContain(`\n  The token is the one in ${file}, from the last login.\n`)
  expect((await run(['read', 'x', '--token', 'hfs.given'])).err).not.toContain(file)
})

test.each(['HOLDFAST_TOKEN', 'VAULT_TOKEN'])('a 403 names %s if the token comes from there', async (variable) => {
  server.reply = { status: 403, body: { errors: ['permission denied', 'invalid token'] } }
  const environment = { ...server.trustingEnvironment(), [variable]: 'hfs.old' }
  const hint = `\n  The token is the one in ${variable}.\n`
  expect((await run(['read', 'x'], environment)).err).toContain(hint)
  expect((await run(['read', 'x', '--token', 'hfs.given'], environment)).err).not.toContain(hint)
})

test('a user token refused by /v1 is told apart from a wrong one', async () => {
  server.reply = { status: 403, body: { errors: ['permission denied', 'invalid token'] } }
  const hint = '  A user, team or organization token works only below api/; other paths need a token from a login.\n'
  expect((await run(['read', 'x', '--token', 'hfu.given'])).err).toContain(hint)
  expect((await run(['read', 'api/v2/account/details', '--token', 'hfu.given'])).err).not.toContain(hint)
})

test('a variable that names a server which does not answer is named', async () => {
  const environment = { VAULT_ADDR: 'http://127.0.0.1:9' }
  expect((await run(['status'], environment)).err).toContain('answers at http://127.0.0.1:9 (from VAULT_ADDR).')
  expect((await run(['status', '--address', 'http://127.0.0.1:9'], environment)).err).not.toContain('VAULT_ADDR')
})

test('a CA that has not issued the certificate of the server is reported as such', async () => {
  const other = join(server.directory, 'other-ca.pem')
  writeFileSync(other, mintCa().pem)
  expect((await run(['status', '--ca-cert', other])).err).toContain('). The CA in use has not issued it. Name its CA')
  const untrusting = { HOLDFAST_ADDR: server.address() }
  expect((await run(['status'], untrusting)).err).not.toContain('The CA in use')
})

test.each([
  ['api/v2/organizations', 'Data is missing', 'Paths below api/ take a document: data:='],
  ['api/v2/workspaces/ws-1/relationships/tags', 'Data is missing', 'Relationships take a list: data:='],
  ['api/v2/workspaces/ws-1/relationships/tags', 'Data must be a list', 'Relationships take a list: data:='],
])('what %s expects is said when %j', async (path, detail, told) => {
  server.reply = { status: 422, body: { errors: [{ title: 'invalid attribute', detail }] } }
  expect((await run(['write', path, '--force'])).err).toContain(`\n  ${told}`)
})

test('a 503 of a sealed server hints at holdfast status', async () => {
  server.reply = { status: 503, body: { errors: ['Holdfast is sealed'] } }
  expect((await run(['read', 'x'])).err).toContain(
    "\n  * Holdfast is sealed\n  'holdfast status' shows what it needs.\n",
  )
})

test.each([
  [
    501,
    { initialized: false, sealed: true },
    "The server is not initialised.\n  'holdfast status' shows what it needs.",
  ],
  [503, { initialized: true, sealed: true }, "The server is sealed.\n  'holdfast status' shows what it needs."],
  [405, undefined, 'Method Not Allowed'],
  [599, undefined, undefined],
])('a refusal with %i and without a reason is explained: %j', async (status, body, told) => {
  server.reply = { status, body }
  const reason = told === undefined ? '' : `  * ${told}\n`
  expect((await run(['read', 'sys/health'])).err).toBe(
    `holdfast: The server refused GET /v1/sys/health with ${status}.\n${reason}`,
  )
})

test('a refusal without any token says how to get one', async () => {
  server.reply = { status: 403, body: { errors: ['permission denied'] } }
  const hint = "\n  No token was sent: log in with 'holdfast login', or set HOLDFAST_TOKEN.\n"
  rmSync(join(server.directory, '.holdfast-token'), { force: true })
  expect((await run(['read', 'x'])).err).toContain(hint)
  expect((await run(['read', 'x', '--token', 'hfs.given'])).err).not.toContain('No token')
})

test.each([
  ['auth enable --path=edge cert', 'holdfast write sys/auth/PATH type=TYPE'],
  ['audit list', 'holdfast read sys/audit'],
  ['secrets enable kv', 'holdfast write sys/mounts/PATH type=kv options:=\'{"version": "2"}\''],
  ['lease revoke auth/cert/login/x', 'holdfast write sys/leases/revoke lease_id=ID'],
  ['operator raft snapshot save today.snap', 'holdfast snapshot save FILE'],
  ['operator raft snapshot inspect today.snap', 'holdfast snapshot inspect FILE'],
  ['policy read web', 'holdfast policy show NAME'],
  ['policy write web web.hcl', 'holdfast policy create NAME FILE, or update'],
  ['token lookup', 'holdfast token show'],
  ['token revoke -self', 'holdfast token delete'],
])('for a command of related programs the equivalent is shown: %s', async (typed, instead) => {
  const { code, err } = await run(typed.split(' '))
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^holdfast: Unknown command '.*'\.\n(?:\(Did you mean .*\)\n)?With holdfast, this is: /),
  ])
  expect(err).toContain(`: ${instead}\n`)
})

test.each([
  ['transit list', "Unknown command 'transit'.\nThere is no engine that encrypts"],
  ['operator raft join https://node1:8200', "Unknown command 'raft'.\nNodes share a database"],
])('a command about something that is not there says so: %s', async (typed, told) => {
  const { code, err } = await run(typed.split(' '))
  expect([code, err]).toEqual([1, expect.stringContaining(told)])
})

test('for an unknown command without an equivalent none is shown', async () => {
  expect((await run(['authenticate', 'enable'])).err).toBe(
    "holdfast: Unknown command 'authenticate'.\nAdd --help to see what is possible.\n",
  )
})

test.each([
  ['raed sys/auth', "Unknown command 'raed'.\n(Did you mean read?)"],
  ['read', "Missing required argument 'path'."],
  ['read sys/auth --nothing', "Unknown option '--nothing'."],
  ['snapshot nothing', "Unknown command 'nothing'."],
  ['status again', "Too many arguments for 'status'. Expected 0 arguments but got 1: again."],
])('a wrong command line is reported with a hint at --help: %s', async (typed, told) => {
  const { code, err } = await run(typed.split(' '))
  expect([code, err]).toEqual([1, `holdfast: ${told}\nAdd --help to see what is possible.\n`])
})

test('--help and a command group print help without an error', async () => {
  expect((await run(['read', '--help'])).err).toBe('')
  expect((await run(['snapshot'])).err).not.toContain('Add --help')
  expect((await run(['config'])).err).toMatch(/^Usage: holdfast config [\s\S]*\n {2}check /)
})

test('version: tells the version, the commit and the Node that runs it', async () => {
  const line = /^holdfast \d+\.\d+\.\d+ \((?:commit [0-9a-f]{12}, )?Node 2\d\.\d+\.\d+, \w+-\w+\)\n$/
  expect((await run(['version'])).out).toMatch(line)
  for (const flag of ['--version', '-v'])
    expect(await run([flag])).toMatchObject({ code: 0, out: expect.stringMatching(line) })
})

test.each([
  [['version'], 0],
  [['--version'], 0],
  [['--help'], 0],
  [['read'], 1],
  [['stat'], 1],
  [['status', '--format', 'xml'], 1],
])('command line: %j exits with %i', async (args, code) => {
  server.reply = { status: 200, body: { sealed: false } }
  expect((await run(args)).code).toBe(code)
})
