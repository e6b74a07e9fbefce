import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type CertApp, ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { mintCrl } from '../../../../../../test/support/certificates.ts'
import { testEngines } from '../../../../../../test/support/databases.ts'
import { type PostgresProxy, postgresProxy } from '../../../../../../test/support/fakes/postgres-proxy.ts'
import { silentLog } from '../../../../../kernel/log.ts'
import { openStore } from '../../../../../storage/open.ts'

/** A node that reaches PostgreSQL through a proxy that can lose messages. */
async function disturbed(): Promise<{ app: CertApp; proxy: PostgresProxy }> {
  const first = await ownCertApp({ engine: 'postgres' })
  const proxy = await postgresProxy(first.deps.store.url)
  const way = { url: proxy.url, log: silentLog, clock: first.clock, databaseClock: 'given', patience: 500 } as const
  const store = await openStore(way)
  onTestFinished(() => store.close())
  const data = { ...first.data, store: { ...first.data.store, openAnother: async () => store } }
  const app = await ownCertApp({ beside: { ...first, data } })
  await app.role('web', { certificate: app.ca.pem })
  return { app, proxy }
}

const onPostgres = test.runIf(testEngines.includes('postgres'))

onPostgres.each(['loseNextCommitAnswer', 'loseNextCommit'] as const)(
  'crls: a list whose commit or its answer is lost (%s) is stored all the same, and in force',
  async (lose) => {
    const { app, proxy } = await disturbed()
    const [good, bad] = [app.leaf(), app.leaf()]
    proxy[lose]()
    const { pem } = mintCrl(app.ca, { revoked: [bad.serial] })
    expect((await app.root.post('/v1/auth/cert/crls/ours', { crl: pem })).status).toBe(204)
    expect([(await app.login(good)).status, (await app.login(bad)).status]).toEqual([200, 400])
  },
)

onPostgres('crls: if the outcome of a commit stays unknown, the write gets 503 and logins still work', async () => {
  const { app, proxy } = await disturbed()
  const { db } = app.deps
  const [good, bad] = [app.leaf(), app.leaf()]
  const { pem } = mintCrl(app.ca, { revoked: [bad.serial] })
  // Makes the query for the outcome of the commit fail.
  await sql`create function refuse_to_tell() returns trigger language plpgsql as
    $$ begin if exists (select 1 from cert_crls) then raise 'not told'; end if; return new; end $$`.execute(db)
  onTestFinished(async () => void (await sql`drop function refuse_to_tell cascade`.execute(db)))
  await sql`create trigger refuse_to_tell before insert on operations execute function refuse_to_tell()`.execute(db)
  proxy.loseNextCommitAnswer()
  expect((await app.root.post('/v1/auth/cert/crls/ours', { crl: pem })).status).toBe(503)
  expect([(await app.login(good)).status, (await app.login(bad)).status]).toEqual([200, 400])
})
