import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { ownFolder } from '../support/folders.ts'
import { pgpKey } from '../support/openpgp.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { ownApp } from '../support/shared.ts'

/** GnuPG with the private keys of these holders. */
function gpgWith(names: readonly string[]): (message: string) => string {
  const home = ownFolder()
  const env = { ...process.env, GNUPGHOME: home }
  onTestFinished(() => {
    execFileSync('gpgconf', ['--kill', 'all'], { env })
  })
  const gpg = (args: readonly string[], input: Buffer): string =>
    execFileSync('gpg', ['--batch', '--quiet', ...args], { env, input, encoding: 'utf8', stdio: 'pipe' })
  for (const name of names) gpg(['--import'], Buffer.from(pgpKey(`${name}.sec`), 'base64'))
  return (message) => gpg(['--decrypt'], Buffer.from(message, 'base64'))
}

test.runIf(isInstalled('gpg'))('gpg reads the shares and the root token that were encrypted for its keys', async () => {
  const seal = { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } as const
  const app = await ownApp({ settings: { seal } })
  const holders = ['rsa', 'curve', 'nist', 'single', 'old']
  const read = gpgWith(holders)
  const keys = holders.map((name) => pgpKey(`${name}.pub`))
  const wanted = { secret_shares: 5, secret_threshold: 5, pgp_keys: keys, root_token_pgp_key: keys[1] }
  const made = (await app.anonymous.put('/v1/sys/init', wanted)).body
  for (const share of made.keys_base64) await app.anonymous.put('/v1/sys/unseal', { key: read(share) })
  expect((await app.anonymous.get('/v1/sys/seal-status')).body.sealed).toBe(false)
  const token = read(made.root_token)
  expect((await app.anonymous.as(token).get('/v1/auth/token/lookup-self')).status).toBe(200)
})
