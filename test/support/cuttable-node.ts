import { onTestFinished } from 'vitest'
import { silentLog } from '../../server/kernel/log.ts'
import type { Settings } from '../../server/kit/app-settings.ts'
import { openStore } from '../../server/storage/open.ts'
import { type PostgresProxy, postgresProxy } from './fakes/postgres-proxy.ts'
import { ownApp } from './shared.ts'
import type { TestApp } from './test-app.ts'

/** A node that reaches PostgreSQL through a proxy that can be cut, and waits for it longer than any test. */
export async function cuttableNode(settings: Partial<Settings> = {}): Promise<{ app: TestApp; proxy: PostgresProxy }> {
  const first = await ownApp({ engine: 'postgres' })
  const proxy = await postgresProxy(first.deps.store.url)
  const { clock, data } = first
  const way = { url: proxy.url, log: silentLog, clock, databaseClock: 'given', patience: 600_000 } as const
  const store = await openStore(way)
  onTestFinished(() => store.close())
  const beside = { ...first, data: { ...data, store: { ...data.store, openAnother: async () => store } } }
  return { app: await ownApp({ beside, settings }), proxy }
}
