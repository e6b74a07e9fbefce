import { beforeAll, expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCrl } from '../../../../../../test/support/certificates.ts'

const app = sharedCertApp()
beforeAll(async () => {
  await app.role('web', { certificate: app.ca.pem })
})

/** Small changes to valid bytes, the same ones at every run. */
function* mutations(bytes: Buffer, count: number): Generator<Buffer> {
  let state = 12345
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return state % below
  }
  for (let round = 0; round < count; round++) {
    const changed = Buffer.from(bytes)
    for (let change = 0; change <= next(3); change++) changed[next(changed.length)] = next(256)
    yield next(5) === 0 ? changed.subarray(0, next(changed.length)) : changed
  }
}

test('crl: damaged lists get 200, 204 or 400, and logins still work', async () => {
  const { der } = mintCrl(app.ca, { revoked: [1n, 2n ** 100n, { serial: 7n, extensions: [] }] })
  const statuses = new Set<number>()
  for (const damaged of mutations(der, 300)) {
    const answer = await app.root.post('/v1/auth/cert/crls/fuzz', { crl: damaged.toString('base64') })
    statuses.add(answer.status)
    expect([200, 204, 400], answer.text).toContain(answer.status)
  }
  expect(statuses.has(400)).toBe(true)
  expect((await app.login(app.leaf())).status).toBe(200)
}, 120_000)

test('roles: damaged certificates get 200, 204 or 400, and logins by that role never get a 5xx', async () => {
  const { der } = app.ca
  for (const damaged of mutations(der, 300)) {
    const pem = `-----BEGIN CERTIFICATE-----\n${damaged.toString('base64')}\n-----END CERTIFICATE-----\n`
    const { status } = await app.root.post('/v1/auth/cert/certs/fuzz', { certificate: pem })
    expect([200, 204, 400]).toContain(status)
    expect([200, 400]).toContain((await app.login(app.leaf(), { name: 'fuzz' })).status)
  }
}, 120_000)
