import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()
const { address, run, trustingEnvironment } = server

test.each([
  [
    'a token file that cannot be read',
    { HOLDFAST_TOKEN_FILE: tmpdir() },
    'The file .* cannot be read: it is a folder \\(EISDIR\\)',
  ],
  ['an invalid duration', { VAULT_CLIENT_TIMEOUT: 'soon' }, "'soon' in HOLDFAST_CLIENT_TIMEOUT is not a duration"],
  [
    'a CA that is not a certificate',
    { HOLDFAST_CACERT: import.meta.filename },
    'The file .* contains no certificate as PEM',
  ],
  ['a token over two lines', { HOLDFAST_TOKEN: 'a\nb' }, 'The token or a key contains a line break'],
  [
    'a client certificate that is not one',
    { HOLDFAST_CLIENT_CERT: import.meta.filename, HOLDFAST_CLIENT_KEY: import.meta.filename },
    'The file .* contains no certificate as PEM',
  ],
])('%s is reported in one line, and nothing is sent', async (_name, variables, expected) => {
  const { code, err } = await run(['status'], { ...trustingEnvironment(), ...variables })
  expect(code).toBe(1)
  expect(err).toMatch(new RegExp(`^holdfast: ${expected}.*\n$`))
  expect(server.seen).toEqual([])
})

test('an http address of an https server is reported with a hint at https', async () => {
  const { code, err } = await run(['status', '--address', address().replace('https:', 'http:')])
  expect([code, err]).toEqual([
    1,
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

test('a connection that is closed after a while is not taken for one to the wrong port', async () => {
  const stopping = createServer((socket) => {
    socket.on('error', () => undefined)
    setTimeout(() => socket.resetAndDestroy(), 2_200)
  }).listen(0, '127.0.0.1')
  await once(stopping, 'listening')
  const { port } = stopping.address() as AddressInfo
  const ended = await run(['status', '--address', `http://127.0.0.1:${port}`])
  expect([ended.code, ended.err]).toEqual([
    1,
    expect.stringMatching(/closed the connection before it answered\. If it is/),
  ])
  stopping.close()
})

test('a response that is not JSON is reported', async () => {
  server.reply = { status: 200, text: '<html>' }
  expect(await run(['read', 'x'])).toMatchObject({ code: 2, err: expect.stringContaining('is not JSON') })
})

test('a response that is cut off is reported in one line', async () => {
  server.reply = { status: 200, isCutOff: true }
  expect(await run(['read', 'x'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^holdfast: The connection ended before the whole answer had arrived/),
  })
})

test('an untrusted server certificate is reported with a hint at HOLDFAST_CACERT', async () => {
  const { code, err } = await run(['status'], { HOLDFAST_ADDR: address() })
  expect(code).toBe(1)
  expect(err).toContain('HOLDFAST_CACERT')
  expect(server.seen).toEqual([])
})

test.each([
  ['--ca-cert', 'client-key.pem', 'certificate'],
  ['--client-cert', 'client-key.pem', 'certificate'],
  ['--client-key', 'ca.pem', 'key'],
])('%s: a file without the expected content is reported by name', async (flag, name, what) => {
  const file = join(server.directory, name)
  expect(await run(['status', flag, file])).toEqual({
    code: 1,
    out: '',
    err: `holdfast: The file ${file} contains no ${what} as PEM.\n`,
  })
})

test('an unreachable server and an invalid address are reported with a hint', async () => {
  expect(await run(['status'], { HOLDFAST_ADDR: 'https://127.0.0.1:1' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('holdfast dev'),
  })
  expect(await run(['status', '--address', 'nonsense'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is not an address'),
  })
})
