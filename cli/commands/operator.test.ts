import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { sharedFolder } from '../../test/support/folders.ts'
import { decryptPgp, pgpKey } from '../../test/support/openpgp.ts'
import { type OpenStore, openShamirStore } from '../../test/support/shamir-store.ts'

const directory = sharedFolder()

const runner =
  ({ app, token }: OpenStore) =>
  (args: string[], input = '') =>
    runCommand(['operator', 'generate-root', ...args], {
      environment: clientEnvironment(app.url, token),
      directory,
      home: directory,
      readInput: async () => input,
    })

test('operator generate-root: refuses what does not go together, and what the server does not know', async () => {
  const run = runner(await openShamirStore())
  for (const [args, text] of [
    [['--init', '--status'], 'Give one of'],
    [['--cancel', 'a-share'], 'Give one of'],
    [['a-share'], '--nonce NONCE'],
    [['a-share', '--nonce', 'n'], '--init'],
    [['--decode', 'YWJj'], '--otp PASSWORD'],
    [['--decode', 'YWJj', '--otp', 'abcd'], 'do not belong together'],
    [['--init', '--otp', 'short'], '28 characters'],
    [['--init', '--pgp-key', 'nowhere.asc'], 'nowhere.asc'],
  ] as const) {
    const { code, err } = await run([...args])
    expect(code, text).toBeGreaterThan(0)
    expect(err).toContain(text)
  }
  writeFileSync(join(directory, 'armored.asc'), '-----BEGIN PGP PUBLIC KEY BLOCK-----\n')
  expect((await run(['--init', '--pgp-key', join(directory, 'armored.asc')])).err).toContain('without --armor')
})

test('operator generate-root: from the start to a token that works', async () => {
  const store = await openShamirStore()
  const run = runner(store)
  const begun = JSON.parse((await run(['-init', '-format=json'])).out)
  expect((await run(['--status'])).out).toMatch(/^started +true$/m)
  await run(['--nonce', begun.nonce, store.keys[0] ?? ''])
  const { out } = await run(['--nonce', begun.nonce, '-'], `${store.keys[1]}\n`)
  expect(out).toMatch(/^progress +2$/m)
  const made = JSON.parse((await run(['--nonce', begun.nonce, '--json', store.keys[2] ?? ''])).out)
  const decoded = await run(['--decode', '-', '--otp', begun.otp], `${made.encoded_token}\n`)
  expect((await store.app.root.as(decoded.out).get('/v1/auth/token/lookup-self')).status).toBe(200)
})

test('operator generate-root: with a password of its own, a PGP key, and cancelled', async () => {
  const store = await openShamirStore()
  const run = runner(store)
  const otp = (await run(['--generate-otp'])).out
  expect(otp).toMatch(/^[0-9A-Za-z]{28}$/)
  expect((await run(['--init', '--otp', otp])).err).toBe('')
  expect((await run(['--cancel'])).out).toBe('Cancelled, if it was started.\n')
  for (const [file, content] of [
    ['binary.gpg', Buffer.from(pgpKey('rsa.pub'), 'base64')],
    ['base64.txt', `${pgpKey('rsa.pub')}\n`],
  ] as const) {
    writeFileSync(join(directory, file), content)
    const { nonce } = JSON.parse((await run(['--init', '--pgp-key', join(directory, file), '--json'])).out)
    let last = ''
    for (const key of store.keys.slice(0, 3)) last = (await run(['--nonce', nonce, '--json', key])).out
    const token = decryptPgp('rsa.sec', Buffer.from(JSON.parse(last).encoded_token, 'base64'))
    expect((await store.app.root.as(token).get('/v1/auth/token/lookup-self')).status).toBe(200)
  }
})
