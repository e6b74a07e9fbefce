import { expect, test } from 'vitest'
import { mintCa } from '../../../test/support/certificates.ts'
import { sharedApp } from '../../../test/support/shared.ts'
import { seedDevRole } from './dev-seed.ts'

const app = sharedApp()

const role = async () => (await app.root.get('/v1/auth/cert/certs/dev')).body.data

test('dev: the seed creates mount and role once and keeps later changes to the role', async () => {
  const { pem: caCertificate } = mintCa()
  const context = { dataDir: '/nowhere', caCertificate }
  for (let start = 0; start < 2; start++) expect(await seedDevRole(app.deps, context)).toEqual({ cert_role: 'dev' })
  expect(await role()).toMatchObject({ certificate: caCertificate, token_ttl: 3600 })
  const both = `${mintCa().pem}${caCertificate}`
  await app.root.post('/v1/auth/cert/certs/dev', { certificate: both, token_ttl: 60 })
  await seedDevRole(app.deps, context)
  expect(await role()).toMatchObject({ certificate: both, token_ttl: 60 })
})

test('dev: a new demo CA replaces the old one and keeps the other fields of the role', async () => {
  const { pem: caCertificate } = mintCa()
  await seedDevRole(app.deps, { dataDir: '/nowhere', caCertificate })
  expect(await role()).toMatchObject({ certificate: caCertificate, token_ttl: 60 })
})
