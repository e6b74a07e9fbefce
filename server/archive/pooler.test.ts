import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../test/support/databases.ts'
import { postgresProxy } from '../../test/support/fakes/postgres-proxy.ts'
import { testApp } from '../../test/support/test-app.ts'
import { restoreArchive, takeArchive, verifyArchive } from './index.ts'

describe.runIf(testEngines.includes('postgres')).each(['ignore', 'refuse'] as const)(
  'through a pooler that would %s options at the start of a connection',
  (handling) => {
    test('a snapshot is verified and restored, and the tables in use are only replaced by the restore', async () => {
      const { deps, close } = await testApp({ engine: 'postgres' })
      onTestFinished(close)
      const { target } = deps.store
      if (target.engine !== 'postgres') throw new Error('not on PostgreSQL')
      const { url } = await postgresProxy(target.url, handling)
      const pooled = { ...deps, store: { ...deps.store, url, target: { ...target, url } } }
      const archive = await takeArchive(pooled)
      const bytes = await buffer(archive.open())
      await archive.remove()
      await deps.db.insertInto('policies').values({ name: 'later', text: '', updated_at: 1 }).execute()
      const later = () => deps.db.selectFrom('policies').select('name').where('name', '=', 'later').execute()
      expect(await verifyArchive(pooled, Readable.from([bytes]))).toMatchObject({ ok: true, problem: '' })
      expect(await later()).toHaveLength(1)
      await restoreArchive(pooled, Readable.from([bytes]))
      expect(await later()).toEqual([])
    })
  },
)
