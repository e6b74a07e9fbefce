import { expect, test } from 'vitest'
import { mintCa } from '../../../../../test/support/certificates.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { tokenCalls } from '../../../../../test/support/token-calls.ts'
import { seedDevRole } from '../../auth/cert/dev-seed.ts'
import { seedSecret } from './dev-seed.ts'

test('dev mode: a store of before gets secret/hello and the right to read it; what is removed stays removed', async () => {
  const app = await ownApp()
  const context = { dataDir: app.data.directory, caCertificate: mintCa().pem }
  await seedDevRole(app.deps, context)
  await app.root.post('/v1/auth/cert/certs/dev', { token_policies: 'own' })
  const policies = async () => (await app.root.get('/v1/auth/cert/certs/dev')).body.data.token_policies
  let previous = {}
  for (let start = 0; start < 2; start++) {
    const role = await seedDevRole(app.deps, { ...context, previous })
    previous = { ...previous, ...role, ...(await seedSecret(app.deps, { ...context, previous })) }
    expect(await policies()).toEqual(['own', 'dev'])
  }
  const calls = await tokenCalls(app)
  const reader = calls.as(await calls.create({ policies: ['dev'] }))
  const read = await reader.get('/v1/secret/data/hello')
  expect(read.body.data).toMatchObject({ data: { greeting: 'Hello from Holdfast' }, metadata: { version: 1 } })
  expect((await app.root.get('/v1/sys/mounts/secret')).body.data.description).toBe('key/value secret storage')
  await app.root.delete('/v1/sys/mounts/secret')
  await app.root.post('/v1/auth/cert/certs/dev', { token_policies: 'own' })
  await seedDevRole(app.deps, { ...context, previous })
  await seedSecret(app.deps, { ...context, previous })
  expect(await policies()).toEqual(['own'])
  expect((await app.root.get('/v1/sys/mounts/secret')).status).toBe(400)
})
