import { expect, test } from 'vitest'
import { certApp } from '../../../../../test/support/cert-login.ts'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { directoryOf } from './login/role-directory-actions.ts'

eachEngine((engine) => {
  test('mounts: removing a mount drops its role directory from the memory of every node', async () => {
    const app = await certApp({ engine })
    const other = await certApp({ engine, beside: app })
    try {
      const mount = await app.deps.mounts.find('auth/cert/')
      const kept = () => [app, other].map(({ deps }) => directoryOf(deps, mount?.id ?? '', 10))
      const before = kept()
      expect(kept()).toEqual(before.map((each) => expect.toSatisfy((now) => now === each)))
      expect((await app.root.delete('/v1/sys/auth/cert')).status).toBe(204)
      await expect
        .poll(async () => {
          await other.root.get('/v1/sys/health')
          return kept().filter((each) => before.includes(each))
        })
        .toEqual([])
    } finally {
      await other.close()
      await app.close()
    }
  })
})
