import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../test/support/databases.ts'
import { type PostgresProxy, postgresProxy } from '../../test/support/fakes/postgres-proxy.ts'
import { testApp } from '../../test/support/test-app.ts'
import type { Deps } from '../kit/deps.ts'
import { restoreArchive, takeArchive } from './index.ts'

/** A server whose bulk connections to PostgreSQL go through a proxy that can be disturbed. */
async function disturbed(): Promise<{ deps: Deps; proxy: PostgresProxy }> {
  const { deps, close } = await testApp({ engine: 'postgres' })
  onTestFinished(close)
  const { target } = deps.store
  if (target.engine !== 'postgres') throw new Error('not on PostgreSQL')
  const proxy = await postgresProxy(target.url)
  const { url } = proxy
  return { deps: { ...deps, store: { ...deps.store, url, target: { ...target, url } } }, proxy }
}

const triedAgainLater = { kind: 'unavailable', extras: { retryAfter: expect.any(Number) } }

describe.runIf(testEngines.includes('postgres'))('a connection to PostgreSQL that is lost', () => {
  test.each(['begin isolation', 'copy (', 'from migrations'])(
    'during a snapshot, at %s, is reported as unavailable with retryAfter and leaves no spool file',
    async (moment) => {
      const { deps, proxy } = await disturbed()
      proxy.loseNextCommit(moment)
      await expect(takeArchive(deps)).rejects.toMatchObject(triedAgainLater)
      expect(await readdir(join(deps.settings.dataDir, 'spool'))).toEqual([])
      await (await takeArchive(deps)).remove()
    },
  )

  test('and cannot be opened at all is reported as storage.unreachable', async () => {
    const { deps, proxy } = await disturbed()
    proxy.cut()
    await expect(takeArchive(deps)).rejects.toMatchObject({ ...triedAgainLater, code: 'storage.unreachable' })
  })

  test.each(['create schema', 'from stdin', 'lock table'])(
    'during a restore, at %s, is reported as unavailable with retryAfter, and the server stays unsealed',
    async (moment) => {
      const { deps, proxy } = await disturbed()
      const archive = await takeArchive(deps)
      const bytes = await buffer(archive.open())
      await archive.remove()
      proxy.loseNextCommit(moment)
      await expect(restoreArchive(deps, Readable.from([bytes]))).rejects.toMatchObject(triedAgainLater)
      expect(deps.keyring.state).toBe('unsealed')
    },
  )
})
