import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../../test/support/clock.ts'
import { type Engine, eachEngine, testStore } from '../../../test/support/databases.ts'
import { countStatements } from '../../../test/support/statements.ts'
import { randomIds } from '../../kernel/ids.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { recordChange } from './change-actions.ts'
import type { FeedScope } from './change-feed-store.ts'
import { ChangeFollower } from './change-follower.ts'
import { ChangeReader, type FeedCursor } from './change-reader.ts'
import { type RecordedChange, serverAuthor } from './change-rules.ts'
import { insertChange } from './change-store.ts'
import { followLive } from './live-changes.ts'

const organizationId = 'org-1'
const fromTheBeginning: FeedCursor = { position: 0, known: 0 }

async function setUp(engine: Engine) {
  const clock = testClock()
  const { store, db } = await testStore(engine, { clock })
  const deps = { store, db, clock, ids: randomIds }

  /** Records changes of these workspaces in one transaction. */
  const write = (...workspaceIds: readonly string[]): Promise<void> =>
    inTransaction(db, async (tx) => {
      for (const workspaceId of workspaceIds) {
        const subject = { type: 'workspaces', id: workspaceId, name: workspaceId }
        await recordChange(deps, tx, serverAuthor, { organizationId, workspaceId, subject, action: 'lock' })
      }
    })

  /** Follows until the test has finished; `read` contains what was found so far. */
  const follow = async (scope: FeedScope, cursor?: FeedCursor) => {
    const reader = await ChangeReader.open(deps, scope, cursor)
    const follower = new ChangeFollower(deps, scope, reader)
    const stop = new AbortController()
    const { signal } = stop
    const read: RecordedChange[] = []
    /** Reads all there is at the moment. */
    const drain = async () => {
      for (let found = await follower.next(signal); found.length > 0; found = await follower.next(signal)) {
        for (const change of found) reader.markRead(change)
        read.push(...found)
      }
    }
    /** Reads until so many were found, and after that once more, for those that must not come. */
    const readTo = async (number: number) => {
      for (await drain(); read.length < number && !signal.aborted; await drain()) await follower.wait(signal)
      await follower.wait(signal)
      await drain()
      return read
    }
    onTestFinished(() => {
      stop.abort()
      follower.close()
    })
    return { read, drain, readTo, stop, follower }
  }
  return { deps, write, follow }
}

const many = (number: number, workspaceId = 'ws-1'): string[] => Array.from({ length: number }, () => workspaceId)
const workspaces = (changes: readonly RecordedChange[]) => changes.map(({ workspaceId }) => workspaceId)

/** Each change once, and those of one workspace in their order. */
function expectWhole(read: readonly RecordedChange[], number: number): void {
  expect(new Set(read.map(({ id }) => id)).size).toBe(number)
  expect(read).toHaveLength(number)
  for (const own of Map.groupBy(read, ({ workspaceId }) => workspaceId).values()) {
    const positions = own.map(({ position }) => position)
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  }
}

eachEngine((engine) => {
  test('follower: those who catch up while others write get each change once, and in order', async () => {
    const { write, follow } = await setUp(engine)
    const [before, writers, each, joining] = [450, 6, 40, 8]
    await write(...many(before))
    // Each of those who join first writes as often as others have joined before.
    const written = writers * each + (joining * (joining - 1)) / 2
    const early = await follow({ organizationId })
    const reading = [early.readTo(written).then((read) => expectWhole(read, written))]
    const writing = Array.from({ length: writers }, async (_, writer) => {
      for (let number = 0; number < each; number++) await write(`ws-${writer}`)
    })
    const joined = Array.from({ length: joining }, async (_, index) => {
      // Changes of one workspace are made one after another, so that each has a workspace of its own.
      for (let turn = 0; turn < index; turn++) await write(`ws-of-${index}`)
      const workspaceId = index % 2 === 0 ? undefined : `ws-${index}`
      const own = (workspaceId === 'ws-1' ? before : 0) + (index < writers ? each : 0)
      const number = workspaceId === undefined ? before + written : own
      const { readTo } = await follow({ organizationId, workspaceId }, fromTheBeginning)
      expectWhole(await readTo(number), number)
    })
    await Promise.all([...writing, ...joined, ...reading])
  })

  test('follower: at most three ask the database at once, however many catch up', async () => {
    const { deps, write, follow } = await setUp(engine)
    await write(...many(450))
    const followers: Awaited<ReturnType<typeof follow>>[] = []
    for (let number = 0; number < 20; number++) followers.push(await follow({ organizationId }, fromTheBeginning))
    const statements = countStatements(deps.db)
    await Promise.all(followers.map(({ drain }) => drain()))
    expect(statements.byText.size).toBeGreaterThan(0)
    expect(statements.mostAtOnce()).toBeLessThanOrEqual(3)
    for (const { read } of followers) expectWhole(read, 450)
  })

  test('follower: once they have caught up, new changes are read once for all of them', async () => {
    const { deps, write, follow } = await setUp(engine)
    const followers: Awaited<ReturnType<typeof follow>>[] = []
    for (let number = 0; number < 20; number++) followers.push(await follow({ organizationId }))
    for (const { drain } of followers) await drain()
    const { byText } = countStatements(deps.db)
    const reading = followers.map(({ readTo }) => readTo(1))
    await write('ws-1')
    for (const read of await Promise.all(reading)) expect(workspaces(read)).toEqual(['ws-1'])
    const reads = [...byText].filter(([text]) => /^select \* from "change_log"/.test(text))
    expect(reads).not.toEqual([])
    for (const [, times] of reads) expect(times).toBeLessThan(5)
  })

  test('follower: changes of one workspace do not wake those who follow another', async () => {
    const { deps, write, follow } = await setUp(engine)
    const standing = { ...deps, clock: { ...deps.clock, monotonic: () => 0 } }
    const [live, leave] = followLive(standing, organizationId)
    onTestFinished(leave)
    const begin = await live.taken()
    const { follower, drain, read, stop } = await follow({ organizationId, workspaceId: 'ws-1' })
    await drain()
    let isWoken = false
    const waiting = follower.wait(stop.signal).then(() => {
      isWoken = true
    })
    await write('ws-2')
    await live.wait({ organizationId }, stop.signal)
    await nextTurn()
    expect(workspaces(live.after(begin) ?? [])).toEqual(['ws-2'])
    expect(isWoken).toBe(false)
    await write('ws-1')
    await waiting
    await drain()
    expect(workspaces(read)).toEqual(['ws-1'])
  })

  test('follower: a change that appears behind others is taken in, once', async () => {
    const { deps, write, follow } = await setUp(engine)
    const { readTo } = await follow({ organizationId })
    await write('ws-1')
    const [first] = await readTo(1)
    const { workspaceId: _, ...late } = { ...(first as RecordedChange), id: 'chg-late' }
    await inTransaction(deps.db, async (tx) => await insertChange(tx, { ...late, position: late.position - 1 }))
    expect((await readTo(2)).map(({ id }) => id)).toEqual([first?.id, 'chg-late'])
  })

  test('follower: whoever falls so far behind that changes are no longer in memory reads the log', async () => {
    const { write, follow } = await setUp(engine)
    const [slow, quick] = [await follow({ organizationId }), await follow({ organizationId })]
    await slow.drain()
    await write(...many(1_300))
    await quick.readTo(1_300)
    await write('ws-2')
    expectWhole(await slow.readTo(1_301), 1_301)
    expectWhole(await quick.readTo(1_301), 1_301)
  })

  test('follower: when the log cannot be read, those who wait learn it', async () => {
    const { deps, follow } = await setUp(engine)
    const { follower, drain, stop } = await follow({ organizationId })
    await drain()
    const waiting = follower.wait(stop.signal)
    await deps.store.close()
    await expect(waiting).rejects.toThrow()
  })
})
