import { expect, test } from 'vitest'
import { mintCa } from '../../../../test/support/certificates.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { DevFacts } from '../../../kit/feature.ts'

test('dev mode: seeds an organization and a working token, keeps both on restart, replaces a revoked one', async () => {
  const app = await ownApp()
  const context = { dataDir: app.deps.settings.dataDir, caCertificate: mintCa().pem }
  const seed = async (previous = {}) => {
    const facts: Partial<DevFacts> = {}
    for (const step of app.app.devSeeds) Object.assign(facts, await step({ ...context, previous }))
    return { organization: facts.organization, user_token: facts.user_token }
  }
  const first = await seed()
  expect(first.organization).toBe('demo')
  const owner = app.root.as(first.user_token ?? '')
  const shown = await owner.get('/api/v2/organizations/demo')
  expect(shown.body.data.attributes.permissions['can-destroy']).toBe(true)
  expect(await seed(first)).toEqual(first)
  const { id } = (await owner.get('/api/v2/account/details')).body.data
  const [token] = (await owner.get(`/api/v2/users/${id}/authentication-tokens`)).body.data
  await owner.delete(`/api/v2/authentication-tokens/${token.id}`)
  const next = await seed(first)
  expect(next.user_token).not.toBe(first.user_token)
  expect((await app.root.as(next.user_token ?? '').get('/api/v2/organizations/demo')).status).toBe(200)
})
