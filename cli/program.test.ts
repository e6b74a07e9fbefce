import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectionOf, defaultListenerLimits, type Listener, openListener } from '../server/http/listener/index.ts'
import { mintCa, mintLeaf, mintServer } from '../test/support/certificates.ts'
import { type Ended, runCommand } from '../test/support/command-line.ts'

const ca = mintCa()
const serverPair = mintServer(ca, { ips: ['127.0.0.1'] })
const clientPair = mintLeaf(ca, { commonName: 'web' })

type Seen = { method: string; url: string; token: unknown; authorization: unknown; certificate: boolean; body: unknown }
type Reply = { status: number; body?: unknown; text?: string; isCutOff?: boolean }

let listener: Listener
let directory: string
let seen: Seen[] = []
let reply: Reply = { status: 204 }

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  seen.push({
    method: request.method ?? '',
    url: request.url ?? '',
    token: request.headers['x-service-token'],
    authorization: request.headers.authorization,
    certificate: connectionOf(request).certificate !== undefined,
    body: body === '' ? undefined : JSON.parse(body),
  })
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  if (reply.isCutOff) return void response.write('{"data":', () => response.destroy())
  response.end(reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body)))
}

beforeAll(async () => {
  const tls = { cert: serverPair.pem, key: serverPair.keyPem, clientCertificate: 'request' } as const
  const options = { name: 'test', host: '127.0.0.1', port: 0, tls, limits: defaultListenerLimits }
  listener = await openListener(options, (request, response) => void handle(request, response))
})
afterAll(() => listener.close(0))

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-cli-'))
  writeFileSync(join(directory, 'ca.pem'), ca.pem)
  writeFileSync(join(directory, 'client.pem'), clientPair.pem)
  writeFileSync(join(directory, 'client-key.pem'), clientPair.keyPem)
  seen = []
  reply = { status: 204 }
})
afterEach(() => rmSync(directory, { recursive: true }))

const address = (): string => `https://127.0.0.1:${listener.address.port}`
const trusting = (): Record<string, string> => ({
  HOLDFAST_ADDR: address(),
  HOLDFAST_CACERT: join(directory, 'ca.pem'),
})

const run = (args: readonly string[], environment: Record<string, string> = trusting(), input = ''): Promise<Ended> =>
  runCommand(args, { environment, directory, home: directory, readInput: async () => input })

test.each([
  [{ initialized: false, sealed: true }, "The server is not initialised. Make its keys with 'holdfast write sys/init"],
  [{ initialized: true, sealed: true, type: 'auto', t: 1 }, 'With its seal key in place, a start opens it.'],
  [{ initialized: true, sealed: true, type: 'shamir', t: 3, progress: 1 }, 'It takes 2 more of its key shares'],
])('status: what is not open says what it needs: %j', async (body, told) => {
  reply = { status: 200, body }
  expect(await run(['status'])).toMatchObject({ code: 2, err: expect.stringContaining(told) })
})

test('status: shows the seal, and ends with 2 when the server is sealed', async () => {
  reply = {
    status: 200,
    body: { type: 'auto', initialized: true, sealed: false, n: 1, t: 1, holdfast_version: '0.1.0' },
  }
  const open = await run(['status'])
  expect(open.code).toBe(0)
  expect(open.out).toMatch(/Sealed +false/)
  expect(open.out).toMatch(/Version +0\.1\.0/)
  reply = { status: 200, body: { sealed: true } }
  expect(await run(['status', '-format=json'])).toMatchObject({ code: 2, out: '{\n  "sealed": true\n}\n' })
})

test('login: by certificate with a role, and the token is kept for the owner alone', async () => {
  reply = {
    status: 200,
    body: {
      auth: {
        client_token: 'hfs.new',
        accessor: 'a',
        lease_duration: 60,
        renewable: true,
        token_policies: ['default'],
      },
    },
  }
  const pair = ['-client-cert', join(directory, 'client.pem'), '-client-key', join(directory, 'client-key.pem')]
  const { code, out } = await run(['login', '-method=cert', ...pair, 'name=web'])
  expect(code).toBe(0)
  expect(out).toMatch(/token +hfs\.new/)
  expect(seen).toMatchObject([{ method: 'POST', url: '/v1/auth/cert/login', certificate: true, body: { name: 'web' } }])
  const file = join(directory, '.holdfast-token')
  expect(readFileSync(file, 'utf8')).toBe('hfs.new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  reply = { status: 200, body: { data: { a: 1 } } }
  await run(['read', 'sys/mounts'])
  expect(seen.at(-1)).toMatchObject({ token: 'hfs.new', certificate: false })
})

test('login: without a certificate it says what is missing and sends nothing', async () => {
  expect(await run(['login'])).toEqual({ code: 1, out: '', err: expect.stringContaining('needs --client-cert') })
  expect(seen).toEqual([])
})

test('login: another mount, another role, the token alone, nothing kept', async () => {
  reply = { status: 200, body: { auth: { client_token: 'hfs.x', accessor: '', lease_duration: 0, renewable: false } } }
  const environment = {
    ...trusting(),
    VAULT_CLIENT_CERT: join(directory, 'client.pem'),
    VAULT_CLIENT_KEY: join(directory, 'client-key.pem'),
  }
  const { out } = await run(['login', '--path', 'machines', '--name', 'db', '--no-store', '--token-only'], environment)
  expect(out).toBe('hfs.x\n')
  expect(seen[0]).toMatchObject({ url: '/v1/auth/machines/login', body: { name: 'db' } })
  expect(() => statSync(join(directory, '.holdfast-token'))).toThrow('ENOENT')
})

test('login: with a token from standard input, which is tried before it is kept', async () => {
  reply = { status: 403, body: { errors: ['permission denied'] } }
  expect((await run(['login', '--method=token', '-'], trusting(), 'hfs.bad\n')).code).toBe(2)
  expect(() => statSync(join(directory, '.holdfast-token'))).toThrow('ENOENT')
  reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  expect((await run(['login', '--method=token', '-'], trusting(), 'hfs.good\n')).code).toBe(0)
  expect(readFileSync(join(directory, '.holdfast-token'), 'utf8')).toBe('hfs.good')
})

test('login: a token that cannot be kept is shown all the same', async () => {
  reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  const file = join(directory, 'none', 'token')
  const ended = await run(['login', '--method=token', 'hfs.good'], { ...trusting(), HOLDFAST_TOKEN_FILE: file })
  expect(ended).toMatchObject({
    code: 1,
    err: `holdfast: The file ${file} cannot be written: its folder does not exist (ENOENT).\n`,
  })
  expect(ended.out).toMatch(/token +hfs\.good/)
})

test.each([
  [
    'a token file that cannot be read',
    { HOLDFAST_TOKEN_FILE: tmpdir() },
    'The file .* cannot be read: it is a folder \\(EISDIR\\)',
  ],
  ['a time that is none', { VAULT_CLIENT_TIMEOUT: 'soon' }, "'soon' in HOLDFAST_CLIENT_TIMEOUT is not a duration"],
  ['a CA that is no certificate', { HOLDFAST_CACERT: import.meta.filename }, 'The file .* holds no certificate as PEM'],
  ['a token over two lines', { HOLDFAST_TOKEN: 'a\nb' }, 'The token or a key holds a line break'],
  [
    'a client certificate that is none',
    { HOLDFAST_CLIENT_CERT: import.meta.filename, HOLDFAST_CLIENT_KEY: import.meta.filename },
    'The file .* holds no certificate as PEM',
  ],
])('%s is told in one line, and nothing is sent', async (_name, variables, expected) => {
  const { code, err } = await run(['status'], { ...trusting(), ...variables })
  expect(code).toBe(1)
  expect(err).toMatch(new RegExp(`^holdfast: ${expected}.*\n$`))
  expect(seen).toEqual([])
})

test('read: as a table, as one field, and with a query', async () => {
  reply = { status: 200, body: { data: { ttl: 60, names: ['a', 'b'] }, warnings: ['careful'] } }
  const table = await run(['read', 'auth/cert/certs/web', 'depth=2'])
  expect(table.out).toBe('Key      Value\n---      -----\nnames    ["a","b"]\nttl      60\n')
  expect(table.err).toBe('Warning: careful\n')
  expect(seen[0]?.url).toBe('/v1/auth/cert/certs/web?depth=2')
  expect((await run(['read', '-field=ttl', 'auth/cert/certs/web'])).out).toBe('60\n')
  expect(await run(['read', '-field=nope', 'x'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('There are: ttl, names'),
  })
})

test('write: values, files, standard input, whole documents, and repeated keys', async () => {
  writeFileSync(join(directory, 'whole.json'), '{"a":1,"b":[true]}')
  const words = [
    `@${join(directory, 'whole.json')}`,
    `certificate=@${join(directory, 'ca.pem')}`,
    'note=-',
    'at=\\@home',
    'n=1',
    'n=2',
  ]
  const { out } = await run(['write', '/auth/cert/certs/web', ...words], trusting(), 'typed')
  expect(out).toBe('Written: /auth/cert/certs/web\n')
  expect(seen[0]).toMatchObject({ method: 'PUT', url: '/v1/auth/cert/certs/web' })
  expect(seen[0]?.body).toEqual({ a: 1, b: [true], certificate: ca.pem, note: 'typed', at: '@home', n: ['1', '2'] })
})

test.each([
  ['hfs.typed\n', 'hfs.typed'],
  ['hfs.typed\r\n', 'hfs.typed'],
  ['two\nlines\n', 'two\nlines\n'],
])('write: the end of a single line belongs to the terminal, not to the value: %j', async (input, expected) => {
  await run(['write', 'auth/token/revoke', 'token=-'], trusting(), input)
  expect(seen[0]?.body).toEqual({ token: expected })
})

test('write: nothing to write is an error unless it is forced', async () => {
  expect((await run(['write', 'sys/rotate'])).code).toBe(1)
  expect(seen).toEqual([])
  for (const flag of ['-force', '--force', '-f']) expect((await run(['write', flag, 'sys/rotate'])).code).toBe(0)
})

test('write: an answer of nothing but warnings is told as done', async () => {
  reply = { status: 200, body: { data: {}, auth: null, warnings: ['ignored: [x]'] } }
  expect(await run(['write', 'auth/cert/certs/web', 'x=1'])).toEqual({
    code: 0,
    out: 'Written: auth/cert/certs/web\n',
    err: 'Warning: ignored: [x]\n',
  })
})

test('write and delete: where a machine reads the answer, an empty one stays empty', async () => {
  expect(await run(['write', 'x', 'a=1', '--format', 'json'])).toEqual({ code: 0, out: '', err: '' })
  expect(await run(['delete', 'x', '--format', 'yaml'])).toEqual({ code: 0, out: '', err: '' })
})

test('a format that does not exist is told before anything is sent', async () => {
  const told = "holdfast: 'xml' is not a format. Use table, json or yaml.\n"
  expect(await run(['write', 'auth/token/create', 'ttl=1h', '--format=xml'])).toEqual({ code: 1, out: '', err: told })
  expect(seen).toEqual([])
})

test('list: uses the verb LIST; an empty list is said plainly', async () => {
  reply = { status: 200, body: { data: { keys: ['a', 'b/'] } } }
  expect((await run(['list', 'auth/cert/certs'])).out).toBe('Keys\n----\na\nb/\n')
  expect(seen[0]?.method).toBe('LIST')
  reply = { status: 404, body: { errors: [] } }
  expect(await run(['list', 'auth/cert/certs'])).toMatchObject({
    code: 2,
    err: 'holdfast: There is nothing at /v1/auth/cert/certs.\n',
  })
})

test('list: hundreds of thousands of keys', async () => {
  reply = { status: 200, body: { data: { keys: Array.from({ length: 200_000 }, (_none, at) => `key-${at}`) } } }
  const { code, out } = await run(['list', 'auth/token/accessors'])
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'key-199999'])
})

test('delete: says what is gone', async () => {
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
])('delete: no other path than the one that was named: %s', async (path, url) => {
  await run(['delete', path])
  expect(seen).toMatchObject([{ method: 'DELETE', url }])
})

test('paths of the other API get its token header', async () => {
  reply = { status: 200, body: { data: [] } }
  await run(['read', '/api/v2/organizations'], { ...trusting(), HOLDFAST_TOKEN: 'hfu.me' })
  expect(seen[0]).toMatchObject({ url: '/api/v2/organizations', authorization: 'Bearer hfu.me', token: undefined })
})

test.each([
  [{ errors: ['permission denied'] }, 'permission denied'],
  [{ errors: [{ title: 'invalid attribute', detail: 'Name is taken' }] }, 'invalid attribute: Name is taken'],
])('a refusal is told in the server’s words and ends with 2', async (body, expected) => {
  reply = { status: 403, body }
  const { code, err } = await run(['read', 'x', '--token', 'hfs.given'])
  expect(code).toBe(2)
  expect(err).toBe(`holdfast: The server refused GET /v1/x with 403.\n  * ${expected}\n`)
})

test('read and list: what is not there is said plainly, and a refusal tells its reasons', async () => {
  reply = { status: 404, body: { errors: [] } }
  const missing = { code: 2, out: '', err: 'holdfast: There is nothing at /v1/auth/cert/certs/x.\n' }
  expect(await run(['read', 'auth/cert/certs/x'])).toEqual(missing)
  reply = { status: 403, body: { errors: ['permission denied'] } }
  const refused = 'holdfast: The server refused LIST /v1/auth/cert/certs with 403.\n  * permission denied\n'
  const asked = await run(['list', 'auth/cert/certs', '--token', 'hfs.given'])
  expect(asked).toEqual({ code: 2, out: '', err: refused })
})

test('a refused token of the last login is named, one that was given is not', async () => {
  const file = join(directory, '.holdfast-token')
  writeFileSync(file, 'hfs.old')
  reply = { status: 403, body: { errors: ['permission denied', 'invalid token'] } }
  expect((await run(['read', 'x'])).err).toContain(`\n  The token is the one in ${file}, from the last login.\n`)
  expect((await run(['read', 'x', '--token', 'hfs.given'])).err).not.toContain(file)
})

test.each([404, 403])('login: refused with %i, it asks whether the method is mounted', async (status) => {
  reply = { status, body: { errors: ['permission denied'] } }
  const files = ['--client-cert', join(directory, 'client.pem'), '--client-key', join(directory, 'client-key.pem')]
  expect((await run(['login', '--path', 'edge/cert', ...files])).err).toMatch(
    /\n {2}Is a method mounted at auth\/edge\/cert\? 'holdfast read sys\/auth' tells .+\n$/,
  )
})

test('a sealed server: where it is told what it needs', async () => {
  reply = { status: 503, body: { errors: ['Holdfast is sealed'] } }
  expect((await run(['read', 'x'])).err).toContain(
    "\n  * Holdfast is sealed\n  'holdfast status' tells what it needs.\n",
  )
})

test('a refusal without any token says how to get one', async () => {
  reply = { status: 403, body: { errors: ['permission denied'] } }
  const hint = "\n  No token was sent: log in with 'holdfast login', or set HOLDFAST_TOKEN.\n"
  rmSync(join(directory, '.holdfast-token'), { force: true })
  expect((await run(['read', 'x'])).err).toContain(hint)
  expect((await run(['read', 'x', '--token', 'hfs.given'])).err).not.toContain('No token')
})

test.each([
  ['auth enable --path=edge cert', 'holdfast write sys/auth/PATH type=cert'],
  ['audit list', 'holdfast read sys/audit'],
  ['operator raft snapshot save today.snap', 'holdfast snapshot save, restore or inspect'],
])('a command that other programs of this family have is told in ours: %s', async (typed, instead) => {
  const { code, err } = await run(typed.split(' '))
  expect([code, err]).toEqual([1, expect.stringMatching(/^holdfast: Unknown command '.*'\.\nHere this is: /)])
  expect(err).toContain(`: ${instead}\n`)
})

test('a command that nobody has gets no other in its place', async () => {
  expect((await run(['authenticate', 'enable'])).err).toBe(
    "holdfast: Unknown command 'authenticate'.\nAdd --help to see what can be written.\n",
  )
})

test.each([
  ['raed sys/auth', "Unknown command 'raed'.\n(Did you mean read?)"],
  ['read', "Missing required argument 'path'."],
  ['read sys/auth --nothing', "Unknown option '--nothing'."],
  ['snapshot nothing', "Unknown command 'nothing'."],
  ['status again', "Too many arguments for 'status'. Expected 0 arguments but got 1: again."],
])('a mistake is told, and where help is: %s', async (typed, told) => {
  const { code, err } = await run(typed.split(' '))
  expect([code, err]).toEqual([1, `holdfast: ${told}\nAdd --help to see what can be written.\n`])
})

test('help is shown and nothing told beside it', async () => {
  expect((await run(['read', '--help'])).err).toBe('')
  expect((await run(['snapshot'])).err).not.toContain('Add --help')
})

test('an https address that is called as http names the remedy', async () => {
  const { code, err } = await run(['status', '--address', address().replace('https:', 'http:')])
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/This listener speaks TLS: the address begins with https:\/\//),
  ])
  const closing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(closing, 'listening')
  const { port } = closing.address() as AddressInfo
  const ended = await run(['status', '--address', `http://127.0.0.1:${port}`])
  expect([ended.code, ended.err]).toEqual([
    1,
    expect.stringMatching(/closes the connection\. Is it an https:\/\/ address\?/),
  ])
  closing.close()
})

test('an answer that is no JSON is told, not thrown', async () => {
  reply = { status: 200, text: '<html>' }
  expect(await run(['read', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('is not JSON') })
})

test('an answer that breaks off is told, not thrown', async () => {
  reply = { status: 200, isCutOff: true }
  expect(await run(['read', 'x'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^holdfast: The connection ended before the whole answer had come/),
  })
})

test('a certificate that is not trusted names the remedy', async () => {
  const { code, err } = await run(['status'], { HOLDFAST_ADDR: address() })
  expect(code).toBe(1)
  expect(err).toContain('HOLDFAST_CACERT')
  expect(seen).toEqual([])
})

test.each([
  ['--ca-cert', 'client-key.pem', 'certificate'],
  ['--client-cert', 'client-key.pem', 'certificate'],
  ['--client-key', 'ca.pem', 'key'],
])('%s: a file without what it is for is named as such', async (flag, name, what) => {
  const file = join(directory, name)
  expect(await run(['status', flag, file])).toEqual({
    code: 1,
    out: '',
    err: `holdfast: The file ${file} holds no ${what} as PEM.\n`,
  })
})

test('no server: says so, and how to get one', async () => {
  expect(await run(['status'], { HOLDFAST_ADDR: 'https://127.0.0.1:1' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('holdfast dev'),
  })
  expect(await run(['status', '--address', 'nonsense'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not an address'),
  })
})

function announceDev(facts: object, mode = 0o600): void {
  mkdirSync(join(directory, 'data'), { recursive: true })
  const files = {
    ca_cert: join(directory, 'ca.pem'),
    client_cert: join(directory, 'client.pem'),
    client_key: join(directory, 'client-key.pem'),
  }
  writeFileSync(join(directory, 'data', 'dev.json'), JSON.stringify({ ...files, ...facts }), { mode })
}

test('dev server: address, CA, token and client certificate are found by themselves', async () => {
  announceDev({ address: address(), root_token: 'hfs.dev' })
  reply = { status: 200, body: { data: {} } }
  expect((await run(['read', 'sys/mounts'], {})).code).toBe(0)
  expect(seen[0]).toMatchObject({ token: 'hfs.dev', certificate: true })
})

test.each([
  ['others could have written it', { mode: 0o644 }],
  ['it leads to another machine', { address: 'https://attacker.example:8200' }],
])(
  'dev server: a file is not believed when %s',
  async (_why, { mode = 0o600, address: elsewhere }: { mode?: number; address?: string }) => {
    announceDev({ address: elsewhere ?? address(), root_token: 'hfs.dev' }, mode)
    expect((await run(['status'], { HOLDFAST_TOKEN: 'hfs.mine' })).err).toContain('https://127.0.0.1:8200')
    expect(seen).toEqual([])
  },
)

test('dev server: its root token is not sent to another address', async () => {
  announceDev({ address: 'https://127.0.0.1:1', root_token: 'hfs.dev' })
  await run(['read', 'x'])
  expect(seen[0]?.token).toBeUndefined()
})

test.each([
  [['version'], 0],
  [['--help'], 0],
  [['read'], 1],
  [['stat'], 1],
  [['status', '--format', 'xml'], 1],
])('command line: %j ends with %i', async (args, code) => {
  reply = { status: 200, body: { sealed: false } }
  expect((await run(args)).code).toBe(code)
})
