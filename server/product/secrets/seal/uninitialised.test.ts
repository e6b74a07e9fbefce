import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'

const shamir = { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } } as const
const addresses = ['/v1/sys/mounts', '/api/v2/organizations', '/app/sign-in'] as const

eachEngine((engine) => {
  test('a server without keys says that it is not initialised, and that it is sealed once it has some', async () => {
    const app = await ownApp({ settings: shamir, engine })
    const texts = async () => {
      const answers = addresses.map((address) => app.anonymous.get(address, { headers: { accept: '*/*, text/html' } }))
      return (await Promise.all(answers)).map((answer) => mustBe(answer, 503).text)
    }
    const before = await texts()
    for (const text of before) {
      expect(text).toContain('is not initialised')
      expect(text).toContain('PUT /v1/sys/init')
      expect(text).not.toContain('Nothing is lost')
    }
    // Scripts that wait for a server look for these words.
    expect(before[0]).toContain('Holdfast is sealed')
    mustBe(await app.anonymous.put('/v1/sys/init', { secret_shares: 1, secret_threshold: 1 }), 200)
    for (const text of await texts()) expect(text).toContain('Holdfast is sealed')
  })
})
