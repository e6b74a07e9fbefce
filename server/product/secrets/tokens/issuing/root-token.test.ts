import { expect, test } from 'vitest'
import { ownApp } from '../../../../../test/support/shared.ts'
import type { TestApp } from '../../../../../test/support/test-app.ts'
import { secret } from '../../../../kernel/secret.ts'
import { seedRootToken } from './new-token-actions.ts'

const statusOf = async (app: TestApp): Promise<number> => (await app.root.get('/v1/auth/token/lookup-self')).status

test('development root token: works again after the next start, even if it was revoked', async () => {
  const app = await ownApp()
  expect((await app.root.post('/v1/auth/token/revoke-self')).status).toBe(204)
  expect(await statusOf(app)).toBe(403)
  expect(await seedRootToken(app.deps)).toEqual({ root_token: app.rootToken })
  expect(await statusOf(app)).toBe(200)
})

test('development root token: a newly configured one works beside the old one', async () => {
  const first = await ownApp()
  const second = await ownApp({ beside: first, settings: { rootToken: secret('another-root') } })
  expect(await statusOf(second)).toBe(403)
  await seedRootToken(second.deps)
  expect([await statusOf(second), await statusOf(first)]).toEqual([200, 200])
})
