import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCa, mintCrl, usage } from '../../../../../../test/support/certificates.ts'
import { serveDuringTest } from '../../../../../../test/support/fakes/loopback.ts'
import { refreshDueCrls } from './crl-actions.ts'

test('crls: a list that may not replace the present one is refused before its bytes are written', async () => {
  const app = await ownCertApp({ engine: 'sqlite' })
  await app.role('web', { certificate: app.ca.pem })
  const write = async (number: bigint) =>
    (await app.root.post('/v1/auth/cert/crls/ours', { crl: mintCrl(app.ca, { number }).pem })).status
  expect(await write(2n)).toBe(204)
  await sql`create trigger no_bytes before insert on blob_chunks begin select raise(abort, 'written'); end`.execute(
    app.deps.db,
  )
  expect([await write(1n), await write(3n)]).toEqual([400, 500])
})

test('crls: a list whose signature cannot be checked is read again only if CAs of its issuer have changed', async () => {
  const app = await ownCertApp({ engine: 'sqlite' })
  const mute = mintCa({ commonName: 'Mute CA', keyUsage: [usage.keyCertSign] })
  const write = async (certificate: string) =>
    (await app.root.post('/v1/auth/cert/certs/other', { certificate })).status
  await app.role('web', { certificate: mute.pem })
  expect((await app.root.post('/v1/auth/cert/crls/mute', { crl: mintCrl(mute, {}).pem })).status).toBe(200)
  expect(await write(app.ca.pem)).toBe(204)
  // From now on reading the bytes of a list fails.
  await sql`alter table blob_chunks rename to hidden_chunks`.execute(app.deps.db)
  expect(await write(mintCa({ commonName: 'Any CA' }).pem)).toBe(204)
  expect(await write(mintCa({ commonName: 'Mute CA' }).pem)).toBe(500)
})

test('crls: a refresh that fails ends only after the downloads beside it', async () => {
  const app = await ownCertApp()
  await app.role('web', { certificate: app.ca.pem })
  let finished = 0
  let isDown = false
  const soon = new Date(app.clock.now() + 60_000)
  const url = await serveDuringTest((request, response) => {
    const body = mintCrl(app.ca, { number: isDown ? 2n : 1n, nextUpdate: soon }).der
    if (!isDown) return void response.end(body)
    if (request.url === '/down') return void response.writeHead(503).end()
    setTimeout(() => response.end(body, () => finished++), 300)
  })
  for (const name of ['down', 'slow'])
    expect((await app.root.post(`/v1/auth/cert/crls/${name}`, { url: `${url}/${name}` })).status).toBe(204)
  isDown = true
  app.clock.advance('2m')
  const log = {
    ...app.deps.log,
    info: () => undefined,
    warn: () => {
      throw new Error('The log is full.')
    },
  }
  await expect(refreshDueCrls({ ...app.deps, log }, new AbortController().signal)).rejects.toThrow('The log is full.')
  expect(finished).toBe(1)
})
