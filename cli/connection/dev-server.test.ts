import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptedServer } from '../../test/support/scripted-server.ts'

const server = scriptedServer()
const { address, run } = server

function announceDev(facts: object, mode = 0o600): void {
  mkdirSync(join(server.directory, 'data'), { recursive: true })
  const files = {
    ca_cert: join(server.directory, 'ca.pem'),
    client_cert: join(server.directory, 'client.pem'),
    client_key: join(server.directory, 'client-key.pem'),
  }
  writeFileSync(join(server.directory, 'data', 'dev.json'), JSON.stringify({ ...files, ...facts }), { mode })
}

test('dev server: address, CA, token and client certificate are found automatically', async () => {
  announceDev({ address: address(), root_token: 'hfs.dev' })
  server.reply = { status: 200, body: { data: {} } }
  expect((await run(['read', 'sys/mounts'], {})).code).toBe(0)
  expect(server.seen[0]).toMatchObject({ token: 'hfs.dev', certificate: true })
})

test('dev server: its key is not used with a certificate that was given without a key', async () => {
  announceDev({ address: address(), root_token: 'hfs.dev' })
  const { code, err } = await run(['login', '--client-cert', join(server.directory, 'client.pem')], {})
  expect([code, err]).toEqual([1, expect.stringContaining('needs --client-cert and --client-key')])
})

test.each([
  ['others could have written it', { mode: 0o644 }],
  ['it leads to another machine', { address: 'https://attacker.example:8200' }],
])(
  'dev server: dev.json is ignored if %s',
  async (_why, { mode = 0o600, address: elsewhere }: { mode?: number; address?: string }) => {
    announceDev({ address: elsewhere ?? address(), root_token: 'hfs.dev' }, mode)
    expect((await run(['status'], { HOLDFAST_TOKEN: 'hfs.mine' })).err).toContain('https://127.0.0.1:8200')
    expect(server.seen).toEqual([])
  },
)

test('dev server: its root token is not sent to another address', async () => {
  announceDev({ address: 'https://127.0.0.1:1', root_token: 'hfs.dev' })
  await run(['read', 'x'])
  expect(server.seen[0]?.token).toBeUndefined()
})
