import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()
const { run } = server

test.each([
  [
    { initialized: false, sealed: true },
    "The server is not initialised. Create its keys with 'holdfast write sys/init",
  ],
  [{ initialized: true, sealed: true, type: 'auto', t: 1 }, 'With its seal key in place, a restart unseals it.'],
  [{ initialized: true, sealed: true, type: 'shamir', t: 3, progress: 1 }, 'It needs 2 more of its key shares'],
])('status: exits with 2 and says what a server needs that is %j', async (body, told) => {
  server.reply = { status: 200, body }
  expect(await run(['status'])).toMatchObject({ code: 2, err: expect.stringContaining(told) })
})

test('status: shows the seal, and exits with 2 if the server is sealed', async () => {
  server.reply = {
    status: 200,
    body: { type: 'auto', initialized: true, sealed: false, n: 1, t: 1, holdfast_version: '0.1.0' },
  }
  const open = await run(['status'])
  expect(open.code).toBe(0)
  expect(open.out).toMatch(/Sealed +false/)
  expect(open.out).toMatch(/Version +0\.1\.0/)
  server.reply = { status: 200, body: { sealed: true } }
  expect(await run(['status', '-format=json'])).toMatchObject({ code: 2, out: '{\n  "sealed": true\n}\n' })
})
