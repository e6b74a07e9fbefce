import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresUrl, testEngines } from '../../../test/support/databases.ts'
import { postgresProxy } from '../../../test/support/fakes/postgres-proxy.ts'
import { systemClock } from '../../kernel/clock.ts'
import { randomIds } from '../../kernel/ids.ts'
import { silentLog } from '../../kernel/log.ts'
import { openStore } from '../open.ts'
import { Primary } from './primary.ts'

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code ?? error.message,
  )

describe.runIf(testEngines.includes('postgres'))('hosts', () => {
  const primaryOf = (urls: string[], patience = 500) => {
    const hosts = urls.map((url) => ({ label: new URL(url).host, url }))
    const primary = new Primary(
      hosts,
      { schema: undefined, durable: true },
      { clock: systemClock, log: silentLog, patience },
    )
    onTestFinished(() => primary.close())
    return primary
  }
  const nobody = 'postgres://holdfast@127.0.0.1:1/postgres'

  test('the writable server is found among one that is down and one that is read-only', async () => {
    const readOnly = `${postgresUrl()}?options=${encodeURIComponent('-c default_transaction_read_only=on')}`
    const client = await primaryOf([nobody, readOnly, postgresUrl()]).connect()
    const { rows } = await client.query("select current_setting('transaction_read_only') as read_only")
    client.release()
    expect(rows).toEqual([{ read_only: 'off' }])
  })

  test('a server without free connections is not treated as lost', async () => {
    const name = `crowded_${randomIds.hex(6)}`
    const admin = primaryOf([postgresUrl()])
    const client = await admin.connect()
    onTestFinished(async () => {
      await client.query(`drop database ${name} with (force)`)
      client.release()
    })
    await client.query(`create database ${name} connection limit 2`)
    const url = postgresUrl().replace(/\/[^/]*$/, `/${name}`)
    const guest = `guest_${randomIds.hex(6)}`
    await client.query(`create role ${guest} login`)
    onTestFinished(async () => void (await client.query(`drop role ${guest}`)))
    const crowded = primaryOf([url.replace('//holdfast@', `//${guest}@`)], 60_000)
    const held = await Promise.all([crowded.connect(), crowded.connect()])
    const third = crowded.connect()
    await sleep(50)
    held[0]?.release()
    ;(await third).release()
    held[1]?.release()
    expect(crowded.isAway).toBe(false)
  })

  test('a server that returns read-only is not used: the search starts again', async () => {
    const name = `demoted_${randomIds.hex(6)}`
    const client = await primaryOf([postgresUrl()]).connect()
    onTestFinished(async () => {
      await client.query(`drop database ${name} with (force)`)
      client.release()
    })
    await client.query(`create database ${name}`)
    const primary = primaryOf([postgresUrl().replace(/\/[^/]*$/, `/${name}`)], 300)
    const ask = async () => {
      const one = await primary.connect()
      await one.query('select 1').finally(() => one.release(true))
    }
    await ask()
    await client.query(`alter database ${name} set default_transaction_read_only = on`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await expect.poll(() => code(ask())).toBe('storage.unreachable')
    expect(primary.isAway).toBe(true)
    await client.query(`alter database ${name} reset default_transaction_read_only`)
    await ask()
  })

  test('each caller has its full patience, even if it joins a running search late', async () => {
    const proxy = await postgresProxy(postgresUrl())
    proxy.cut()
    let now = 0
    const hosts = [{ label: 'one', url: proxy.url }]
    const parts = { clock: { ...systemClock, monotonic: () => now }, log: silentLog, patience: 1_000 }
    const primary = new Primary(hosts, { schema: undefined, durable: true }, parts)
    onTestFinished(() => primary.close())
    const early = code(primary.connect())
    now = 900
    const late = primary.connect()
    now = 1_000
    expect(await early).toBe('storage.unreachable')
    proxy.mend()
    ;(await late).release()
  })

  test('if no host is reachable, the error names all hosts and no password', async () => {
    const url = 'postgres://holdfast:hunter2@127.0.0.1:1,localhost:2/postgres'
    const refused = await openStore({ url, log: silentLog, clock: systemClock, patience: 100 }).catch((error) => error)
    expect(refused.message).toMatch(
      /^PostgreSQL cannot be reached at 127\.0\.0\.1:1: nothing listens there; localhost:2: nothing listens there\.$/,
    )
    expect(JSON.stringify(refused) + refused.message).not.toContain('hunter2')
  })
})
