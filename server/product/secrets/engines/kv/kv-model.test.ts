import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import {
  anySecretCommand,
  keptVersions,
  noSecret,
  obey,
  readView,
  sendCommand,
  viewOf,
} from '../../../../../test/support/kv-model.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  let secrets = 0

  beforeAll(async () => {
    await app.root.post('/v1/sys/mounts/m', { type: 'kv-v2' })
    await app.root.post('/v1/m/config', { max_versions: keptVersions })
  })

  test('kv: any sequence of requests does to a secret what the model says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySecretCommand, { minLength: 3, maxLength: 14 }), async (commands) => {
        const key = `k${secrets++}/secret`
        let model = noSecret
        for (const command of commands) {
          const { after, status, wrote } = obey(model, command)
          const answer = await sendCommand(app.root, key, command)
          expect([answer.status, wrote && answer.body.data.version]).toEqual([status, wrote])
          model = after
        }
        expect(await readView(app.root, key)).toEqual(viewOf(model))
      }),
      { numRuns: 40 },
    )
    const { holdfast } = (await app.root.get('/v1/sys/mounts/m')).body.data
    const rows = await app.deps.db.selectFrom('kv_versions').select('size').execute()
    expect(holdfast).toMatchObject({
      secrets: (await app.deps.db.selectFrom('kv_secrets').select('id').execute()).length,
      versions: rows.length,
      bytes: rows.reduce((sum, { size }) => sum + size, 0),
    })
  }, 60_000)
})
