import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { recordingLog } from '../../../../test/support/recording-log.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, sendSnapshot } from '../../../../test/support/snapshot-calls.ts'
import { openStore } from '../../../storage/open.ts'
import { loadVersion } from '../../../storage/versions.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

test('restore: what fails after everything was replaced is logged, and the answer is still 200', async () => {
  const { log, text } = recordingLog()
  const app = await ownApp({ engine: 'sqlite', log })
  const archive = await saveSnapshot(app)
  await app.root.put('/v1/sys/policies/acl/later', { policy: 'path "a" { capabilities = ["read"] }' })
  // The replacement moves this version once; nobody can write it again, as if there were no more room.
  const last = (await loadVersion(app.deps.db, 'everything')) + 1
  const refuse = `create trigger full before update on versions when new.area = 'everything' and new.version > ${last} begin select raise(abort, 'full'); end`
  await sql.raw(refuse).execute(app.deps.db)
  // With somebody else at the store, the restore leaves its file, and this trigger.
  const other = await openStore({ url: app.deps.store.url, clock: app.clock, log })
  onTestFinished(() => other.close())
  app.deps.node.announceUnsealed = () => Promise.reject(new Error('no room'))
  expect(await sendSnapshot(app, archive)).toMatchObject({ status: 200, body: { data: { sealed: false } } })
  for (const line of ['snapshot restored', 'could not announce the restore', 'could not adopt the restored seal']) {
    expect(text()).toContain(line)
  }
  expect((await app.root.get('/v1/sys/policies/acl/later')).status).toBe(404)
})
