import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()
const { run, trustingEnvironment } = server

test('login: with a certificate and a role; the token is stored with mode 600 and used afterwards', async () => {
  server.reply = {
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
  const pair = [
    '-client-cert',
    join(server.directory, 'client.pem'),
    '-client-key',
    join(server.directory, 'client-key.pem'),
  ]
  const { code, out } = await run(['login', '-method=cert', ...pair, 'name=web'])
  expect(code).toBe(0)
  expect(out).toMatch(/token +hfs\.new/)
  expect(server.seen).toMatchObject([
    { method: 'POST', url: '/v1/auth/cert/login', certificate: true, body: { name: 'web' } },
  ])
  const file = join(server.directory, '.holdfast-token')
  expect(readFileSync(file, 'utf8')).toBe('hfs.new')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  server.reply = { status: 200, body: { data: { a: 1 } } }
  await run(['read', 'sys/mounts'])
  expect(server.seen.at(-1)).toMatchObject({ token: 'hfs.new', certificate: false })
})

test('login: a token file with another mode gets mode 600', async () => {
  const file = join(server.directory, '.holdfast-token')
  writeFileSync(file, 'old', { mode: 0o644 })
  server.reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  expect((await run(['login', '--method', 'token', 'hfs.mine'])).code).toBe(0)
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['hfs.mine', 0o600])
})

test('login: without a certificate it says what is missing and sends nothing', async () => {
  expect(await run(['login'])).toEqual({ code: 1, out: '', err: expect.stringContaining('needs --client-cert') })
  expect(server.seen).toEqual([])
})

test('login: --path, --name and --no-store are honoured', async () => {
  server.reply = {
    status: 200,
    body: { auth: { client_token: 'hfs.x', accessor: '', lease_duration: 0, renewable: false } },
  }
  const environment = {
    ...trustingEnvironment(),
    VAULT_CLIENT_CERT: join(server.directory, 'client.pem'),
    VAULT_CLIENT_KEY: join(server.directory, 'client-key.pem'),
  }
  const { out } = await run(['login', '--path', 'machines', '--name', 'db', '--no-store'], environment)
  expect(out).toMatch(/token +hfs\.x/)
  expect(server.seen[0]).toMatchObject({ url: '/v1/auth/machines/login', body: { name: 'db' } })
  expect(() => statSync(join(server.directory, '.holdfast-token'))).toThrow('ENOENT')
})

test('login: a token from standard input is checked before it is stored', async () => {
  server.reply = { status: 403, body: { errors: ['permission denied'] } }
  expect((await run(['login', '--method=token', '-'], trustingEnvironment(), 'hfs.bad\n')).code).toBe(2)
  expect(() => statSync(join(server.directory, '.holdfast-token'))).toThrow('ENOENT')
  server.reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  expect((await run(['login', '--method=token', '-'], trustingEnvironment(), 'hfs.good\n')).code).toBe(0)
  expect(readFileSync(join(server.directory, '.holdfast-token'), 'utf8')).toBe('hfs.good')
})

test('login: a lone token, - and --token log in by token', async () => {
  server.reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  for (const words of [['hfs.mine'], ['-'], ['--token', 'hfs.mine'], ['-token=hfs.mine']]) {
    server.seen.length = 0
    const { code, out } = await run(['login', '--json', ...words], trustingEnvironment(), 'hfs.mine\n')
    expect([code, JSON.parse(out)], words.join()).toMatchObject([0, { auth: { client_token: 'hfs.mine' } }])
    expect(server.seen).toMatchObject([{ method: 'GET', url: '/v1/auth/token/lookup-self', token: 'hfs.mine' }])
    expect(readFileSync(join(server.directory, '.holdfast-token'), 'utf8')).toBe('hfs.mine')
  }
})

test('login: --token-only prints the token and stores nothing', async () => {
  server.reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  const printed = await run(['login', '--token-only', 'hfs.mine'], trustingEnvironment())
  expect(printed).toEqual({ code: 0, out: 'hfs.mine', err: '' })
  expect(() => statSync(join(server.directory, '.holdfast-token'))).toThrow('ENOENT')
})

test('login: with a certificate, fields from standard input and --token do not make it a login by token', async () => {
  server.reply = {
    status: 200,
    body: { auth: { client_token: 'hfs.x', accessor: '', lease_duration: 0, renewable: false } },
  }
  const environment = {
    ...trustingEnvironment(),
    HOLDFAST_CLIENT_CERT: join(server.directory, 'client.pem'),
    HOLDFAST_CLIENT_KEY: join(server.directory, 'client-key.pem'),
  }
  for (const words of [['-'], ['--token', 'hfs.mine', 'name=web'], ['--token', 'hfs.mine']])
    expect((await run(['login', '--no-store', ...words], environment, '{"name":"web"}')).code).toBe(0)
  expect(server.seen.map(({ url }) => url)).toEqual(new Array(3).fill('/v1/auth/cert/login'))
  expect(server.seen[0]).toMatchObject({ body: { name: 'web' } })
})

test('login: a token that cannot be stored is printed anyway, and the exit code is 1', async () => {
  server.reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  const file = join(server.directory, 'none', 'token')
  const ended = await run(['login', '--method=token', 'hfs.good'], {
    ...trustingEnvironment(),
    HOLDFAST_TOKEN_FILE: file,
  })
  expect(ended).toMatchObject({
    code: 1,
    err: `holdfast: The file ${file} cannot be written: its folder does not exist (ENOENT).\n`,
  })
  expect(ended.out).toMatch(/token +hfs\.good/)
})

test.each([404, 403])('login: a refusal with %i asks whether the method is mounted', async (status) => {
  server.reply = { status, body: { errors: ['permission denied'] } }
  const files = [
    '--client-cert',
    join(server.directory, 'client.pem'),
    '--client-key',
    join(server.directory, 'client-key.pem'),
  ]
  expect((await run(['login', '--path', 'edge/cert', ...files])).err).toMatch(
    /\n {2}Is a method mounted at auth\/edge\/cert\? 'holdfast read sys\/auth' lists .+\n$/,
  )
})

test.each(['HOLDFAST_TOKEN', 'VAULT_TOKEN'])('login and logout: warn that %s is used instead', async (variable) => {
  server.reply = { status: 200, body: { data: { accessor: 'a', ttl: 0, renewable: false, policies: ['root'] } } }
  const environment = { ...trustingEnvironment(), [variable]: 'hfs.old' }
  const warning = `Warning: commands still use the token in ${variable}, until it is unset.\n`
  expect((await run(['login', 'hfs.new'], environment)).err).toContain(warning)
  expect((await run(['login', '--token', 'hfs.new', '--token-only'], environment)).err).toBe('')
  expect((await run(['login', '--no-store', 'hfs.new'], environment)).err).toBe('')
  expect((await run(['login', 'hfs.old'], environment)).err).not.toContain('Warning')
  expect((await run(['logout'], environment)).err).toBe(warning)
})
