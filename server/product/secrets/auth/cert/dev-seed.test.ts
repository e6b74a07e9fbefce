import { expect, test } from 'vitest'
import { mintCa } from '../../../../../test/support/certificates.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import type { TestApp } from '../../../../../test/support/test-app.ts'
import { seedDevRole } from './dev-seed.ts'

const path = '/v1/auth/cert/certs/dev'
const role = async (app: TestApp) => (await app.root.get(path)).body.data

test('dev: the seed creates mount and role once and keeps later changes to the role', async () => {
  const app = await ownApp()
  const { pem: caCertificate } = mintCa()
  const context = { dataDir: '/nowhere', caCertificate }
  for (let start = 0; start < 2; start++) expect(await seedDevRole(app.deps, context)).toEqual({ cert_role: 'dev' })
  expect(await role(app)).toMatchObject({ certificate: caCertificate, token_ttl: 3600 })
  const both = `${mintCa().pem}${caCertificate}`
  await app.root.post(path, { certificate: both, token_ttl: 60 })
  await seedDevRole(app.deps, context)
  expect(await role(app)).toMatchObject({ certificate: both, token_ttl: 60 })
})

test('dev: a new demo CA replaces the old ones and keeps the other fields of the role', async () => {
  const app = await ownApp()
  const [{ pem: old }, { pem: caCertificate }] = [mintCa(), mintCa()]
  await seedDevRole(app.deps, { dataDir: '/nowhere', caCertificate: old })
  await app.root.post(path, { certificate: `${mintCa().pem}${old}`, token_ttl: 60 })
  await seedDevRole(app.deps, { dataDir: '/nowhere', caCertificate })
  expect(await role(app)).toMatchObject({ certificate: caCertificate, token_ttl: 60 })
})
