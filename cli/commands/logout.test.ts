import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()
const { run, trustingEnvironment } = server
const tokenFile = () => join(server.directory, '.holdfast-token')

test('logout: removes the stored token and asks nothing of the server', async () => {
  writeFileSync(tokenFile(), 'hfs.mine')
  expect(await run(['logout'])).toEqual({ code: 0, out: `The token in ${tokenFile()} was removed.\n`, err: '' })
  expect([existsSync(tokenFile()), server.seen]).toEqual([false, []])
  expect(await run(['logout'])).toEqual({ code: 0, out: `No token is kept in ${tokenFile()}.\n`, err: '' })
})

test('logout: --revoke ends the stored token, not the one in a variable', async () => {
  writeFileSync(tokenFile(), 'hfs.mine')
  const environment = { ...trustingEnvironment(), HOLDFAST_TOKEN: 'hfs.other' }
  expect((await run(['logout', '--revoke'], environment)).code).toBe(0)
  expect(server.seen).toMatchObject([{ method: 'POST', url: '/v1/auth/token/revoke-self', token: 'hfs.mine' }])
  expect(existsSync(tokenFile())).toBe(false)
})

test('logout: a token that cannot be revoked stays', async () => {
  writeFileSync(tokenFile(), 'hfs.mine')
  server.reply = { status: 403, body: { errors: ['permission denied', 'invalid token'] } }
  expect(await run(['logout', '--revoke'])).toMatchObject({ code: 2, err: expect.stringContaining(tokenFile()) })
  expect(existsSync(tokenFile())).toBe(true)
})

test('logout: no token is left behind a link', async () => {
  const kept = join(server.directory, 'kept')
  writeFileSync(kept, 'hfs.mine')
  symlinkSync(kept, tokenFile())
  expect((await run(['logout'])).code).toBe(0)
  expect([existsSync(tokenFile()), readFileSync(kept, 'utf8')]).toEqual([false, ''])
})
