import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresUrl, testEngines } from '../../../test/support/databases.ts'
import { type Ask, areShared, isShared } from './shared-sessions.ts'

/** A pooler that hands out the session that was given back last, for one transaction; others may be faster. */
function pooler(sessions: number, isTakenByOthers: () => boolean = () => false): () => Ask {
  const free = Array.from({ length: sessions }, (_, index) => `session ${index}`)
  return () => {
    let held: string | undefined
    return async (text) => {
      if (text === 'begin') held = free.splice(isTakenByOthers() ? 1 : 0, 1)[0]
      if (text === 'rollback' && held !== undefined) free.unshift(held)
      if (text === 'rollback') held = undefined
      return held ?? free[isTakenByOthers() ? 1 : 0]
    }
  }
}

test('connections whose statements may reach the same session are recognised, also while others use the pooler', async () => {
  const connect = pooler(3)
  expect(await areShared(connect(), connect())).toBe(true)
  let turn = 0
  const busy = pooler(3, () => {
    turn += 1
    return turn % 3 === 0
  })
  expect(await areShared(busy(), busy())).toBe(true)
})

test('connections with a session each are not', async () => {
  expect(await areShared(pooler(1)(), async () => 'another session')).toBe(false)
})

describe.runIf(testEngines.includes('postgres'))('postgres', () => {
  const connected = async () => {
    const client = new pg.Client({ connectionString: postgresUrl() })
    await client.connect()
    return client
  }

  test('without a pooler no second connection is opened', async () => {
    const client = await connected()
    onTestFinished(() => client.end())
    expect(await isShared(client, () => Promise.reject(new Error('opened')))).toBe(false)
  })

  test('two connections to the server itself are not shared', async () => {
    const client = await connected()
    onTestFinished(() => client.end())
    // As a pooler would tell it.
    Object.assign(client, { processID: 1 })
    expect(await isShared(client, connected)).toBe(false)
  })
})
