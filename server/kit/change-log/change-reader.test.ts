import { beforeEach, expect, test } from 'vitest'
import { eachEngine } from '../../../test/support/databases.ts'
import { sharedApp } from '../../../test/support/shared.ts'
import { inTransaction } from '../../storage/transaction.ts'
import { ChangeReader, readCursor } from './change-reader.ts'
import { insertChange, listChanges, toChange } from './change-store.ts'

test.each([
  ['12-3', { position: 12, known: 3 }],
  ['0-0', { position: 0, known: 0 }],
  ['1234567890123456-12345', { position: 1_234_567_890_123_456, known: 12_345 }],
  ['12345678901234567-1', undefined],
  ['1-123456', undefined],
  ['12', undefined],
  ['12-', undefined],
  ['-3', undefined],
  ['12-3 ', undefined],
  ['a-3', undefined],
  ['', undefined],
])('cursor: "%s" is read as %o', (text, cursor) => {
  expect(readCursor(text)).toEqual(cursor)
})

/** How far readers look back for late changes, in positions. */
const lookBack = 10_000_000

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const start = 1_000_000_000
  let organizationId: string

  beforeEach(() => {
    organizationId = app.deps.ids.newId('org')
  })

  const rowAt = (position: number, more: { organization_id?: string; workspace_id?: string } = {}) => ({
    id: `${organizationId}-${position}`,
    position,
    organization_id: organizationId,
    workspace_id: '',
    subject_type: 'teams',
    subject_id: 'team-1',
    subject_name: 'one',
    action: 'update',
    actor_kind: 'system',
    actor_id: '',
    actor_name: '',
    token_id: '',
    request_id: '',
    created_at: 0,
    before: null,
    after: null,
    ...more,
  })
  /** Changes as other processes write them: at any position, whatever was read already. */
  const appear = async (...positions: number[]): Promise<void> => {
    for (let from = 0; from < positions.length; from += 500) {
      const rows = positions.slice(from, from + 500).map((position) => rowAt(position))
      await app.deps.db.insertInto('change_log').values(rows).execute()
    }
  }
  const openAt = (cursor?: string, workspaceId?: string) =>
    ChangeReader.open(app.deps, { organizationId, workspaceId }, cursor === undefined ? undefined : readCursor(cursor))
  /** Where the next changes are, all of them marked as read. */
  const read = async (reader: ChangeReader): Promise<number[]> => {
    const changes = await reader.next()
    for (const change of changes) reader.markRead(change)
    return changes.map(({ position }) => position - start)
  }

  test('following: begins with changes from now on, sends them oldest first, and again until they are read', async () => {
    await appear(start)
    const reader = await openAt()
    expect(await reader.next()).toEqual([])
    await appear(start + 2, start + 1)
    expect((await reader.next()).map(({ position }) => position - start)).toEqual([1, 2])
    expect(await read(reader)).toEqual([1, 2])
    expect(await reader.next()).toEqual([])
  })

  test('following: an organization without changes begins at 0, and others are not followed', async () => {
    const reader = await openAt()
    expect(reader.cursor()).toBe('0-0')
    await app.deps.db
      .insertInto('change_log')
      .values(rowAt(start, { organization_id: `${organizationId}-other` }))
      .execute()
    expect(await reader.next()).toEqual([])
  })

  test('following one workspace: neither others nor what concerns none', async () => {
    const reader = await openAt(undefined, 'ws-one')
    const places = ['ws-one', 'ws-two', '', 'ws-one']
    const rows = places.map((workspace, index) => rowAt(start + index, { workspace_id: workspace }))
    await app.deps.db.insertInto('change_log').values(rows).execute()
    expect(await read(reader)).toEqual([0, 3])
  })

  test('late changes: are sent before newer ones, if they are not older than readers look back', async () => {
    await appear(start)
    const reader = await openAt()
    await appear(start - lookBack, start - lookBack + 1, start - 1, start + 1)
    expect(await read(reader)).toEqual([1 - lookBack, -1, 1])
    expect(await reader.next()).toEqual([])
  })

  test('cursor: continues after what was read', async () => {
    await appear(start - lookBack, start - 5, start)
    const reader = await openAt()
    await appear(start + 1, start + 2)
    expect(await read(reader)).toEqual([1, 2])
    expect(reader.cursor()).toBe(`${start + 2}-4`)
    await appear(start + 3)
    const next = await openAt(reader.cursor())
    expect(await read(next)).toEqual([3])
    expect(await next.next()).toEqual([])
    expect(next.cursor()).toBe(`${start + 3}-5`)
  })

  test('cursor: counts what is as recent as readers look back', async () => {
    const reader = await openAt()
    await appear(start, start + lookBack - 1)
    await read(reader)
    expect(reader.cursor()).toBe(`${start + lookBack - 1}-2`)
    await appear(start + lookBack)
    await read(reader)
    expect(reader.cursor()).toBe(`${start + lookBack}-2`)
    expect(await (await openAt(reader.cursor())).next()).toEqual([])
  })

  test('cursor: if a late change appeared while nobody was reading, the last seconds are sent again', async () => {
    await appear(start - lookBack, start - 2, start)
    const reader = await openAt()
    await appear(start - 1)
    const next = await openAt(reader.cursor())
    expect(await read(next)).toEqual([-2, -1, 0])
    expect(await next.next()).toEqual([])
  })

  test('batches: 200 changes at once, of late ones the oldest', async () => {
    await appear(start)
    const reader = await openAt()
    const many = Array.from({ length: 201 }, (_, index) => index + 1)
    await appear(...many.map((distance) => start + distance), ...many.map((distance) => start - distance))
    expect(await read(reader)).toEqual(many.slice(1).map((_, index) => index - 201))
    expect(await read(reader)).toEqual([-1, ...many.slice(0, 199)])
    expect(await read(reader)).toEqual([200, 201])
  })

  test('cursor: with more recent changes than are looked at, none is sent twice', async () => {
    await appear(...Array.from({ length: 2_100 }, (_, index) => start + index))
    const reader = await openAt()
    await appear(start + 2_100)
    expect(await read(reader)).toEqual([2_100])
    expect(reader.cursor()).toBe(`${start + 2_100}-2000`)
    expect(await (await openAt(reader.cursor())).next()).toEqual([])
  })

  test('unread: what was not marked as read, if it is not older than readers look back', async () => {
    const reader = await openAt()
    await appear(start)
    await read(reader)
    const isUnread = (position: number) => reader.isUnread(rowAt(position))
    expect([start - lookBack, start - lookBack + 1, start, start + 1].map(isUnread)).toEqual([false, true, false, true])
  })

  test('appending: a change of a workspace takes no place before one that can be read; others keep theirs', async () => {
    await appear(start)
    const change = toChange(rowAt(start - 1))
    await inTransaction(app.deps.db, async (tx) => {
      await insertChange(tx, { ...change, id: `${organizationId}-a`, workspaceId: 'ws-one' })
      await insertChange(tx, { ...change, id: `${organizationId}-b` })
      await insertChange(tx, { ...change, id: `${organizationId}-c`, position: start + 9, workspaceId: 'ws-one' })
    })
    const listed = await listChanges(app.deps.db, { organizationId }, { before: undefined, limit: 10 })
    const places = listed.map(({ id, position }) => [id.slice(organizationId.length + 1), position - start])
    expect(places).toEqual([
      ['c', 9],
      ['a', 1],
      [`${start}`, 0],
      ['b', -1],
    ])
  })
})
