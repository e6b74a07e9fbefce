import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { openStore } from '../../server/storage/open.ts'
import { testEngines } from '../support/databases.ts'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import { copyWorkspaces } from '../support/many-workspaces.ts'
import { mustBe, organization, type Person, person, workspaceIn } from '../support/platform.ts'
import { finishRemovals, holdRemovals } from '../support/removals.ts'
import { ownApp } from '../support/shared.ts'
import { saveSnapshot, sealKeyHeader, sendSnapshot } from '../support/snapshot-calls.ts'
import { ServerProcess } from './server-process.ts'

/** More workspaces than a request removes while it is answered. */
const many = 2_000

const tagOn = async (ann: Person, id: string, name: string): Promise<string> => {
  const tags = { data: [{ type: 'tags', attributes: { name } }] }
  mustBe(await ann.post(`/api/v2/workspaces/${id}/relationships/tags`, tags), 204)
  return mustBe(await ann.get(`/api/v2/workspaces/${id}/relationships/tags`), 200).body.data[0].id
}

test('kill -9 in the middle of a removal: after the next start it continues and ends', async () => {
  const folder = ownFolder()
  const file = join(folder, 'holdfast.db')
  const rowsLeft = (): number => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    const row = database.prepare(`select count(*) as rows from workspaces where name like 'ws-copy-%'`).get()
    database.close()
    return Number(row?.rows)
  }
  const first = await ServerProcess.start(folder)
  const ann = await person(first, 'ann')
  const id = await workspaceIn(await organization(ann, 'acme'))
  await first.kill()
  const store = await openStore({ url: `sqlite:${file}`, clock: systemClock, log: silentLog })
  await copyWorkspaces(store.db, id, many)
  await store.close()

  const second = await ServerProcess.start(folder)
  mustBe(await second.root.as(ann.token).delete('/api/v2/organizations/acme'), 204)
  await second.kill()
  const left = rowsLeft()
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(many)

  const third = await ServerProcess.start(folder)
  expect((await third.root.as(ann.token).get('/api/v2/organizations/acme')).status).toBe(404)
  const removals = async () => (await third.root.get('/api/v2/admin/removals')).body.data.length
  await expect.poll(removals, { timeout: 60_000, interval: 100 }).toBe(0)
  expect(rowsLeft()).toBe(0)
})

test('kill -9 while a mount of secrets is removed: its path is free, and its rows are gone after the next start', async () => {
  const folder = ownFolder()
  const file = join(folder, 'holdfast.db')
  const rowsOf = (table: 'kv_secrets' | 'kv_versions', mount: string): number => {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    const row = database.prepare(`select count(*) as rows from ${table} where mount_id = ?`).get(mount)
    database.close()
    return Number(row?.rows)
  }
  const first = await ServerProcess.start(folder)
  mustBe(await first.root.post('/v1/sys/mounts/m', { type: 'kv-v2' }), 204)
  mustBe(await first.root.put('/v1/m/data/a', { data: { x: 1 } }), 200)
  const { uuid } = mustBe(await first.root.get('/v1/sys/mounts/m'), 200).body.data
  await first.kill()
  const database = new DatabaseSync(file)
  database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${tries(200_000, 40_000)})
    insert into kv_versions select mount_id, secret_id, i + 1, created_at, deletion_at, destroyed, created_by, deleted_by, size, value
    from kv_versions, n where mount_id = '${uuid}'`)
  database.close()

  const second = await ServerProcess.start(folder)
  mustBe(await second.root.delete('/v1/sys/mounts/m'), 204)
  mustBe(await second.root.post('/v1/sys/mounts/m', { type: 'kv-v2' }), 204)
  mustBe(await second.root.put('/v1/m/data/b', { data: { x: 2 } }), 200)
  await second.kill()
  expect(rowsOf('kv_versions', uuid)).toBeGreaterThan(0)

  const third = await ServerProcess.start(folder)
  mustBe(await third.root.get('/v1/m/data/b'), 200)
  mustBe(await third.root.get('/v1/m/data/a'), 404)
  const removals = async () => (await third.root.get('/v1/sys/removals')).body.data.removals.length
  await expect.poll(removals, { timeout: 60_000, interval: 100 }).toBe(0)
  expect([rowsOf('kv_secrets', uuid), rowsOf('kv_versions', uuid)]).toEqual([0, 0])
})

const ways = testEngines.flatMap((from) => testEngines.map((to) => [from, to] as const))

test.each(ways)('a snapshot of %s in the middle of removals goes on with them on %s', async (from, to) => {
  const before = await ownApp({ engine: from })
  const ann = await person(before, 'ann')
  const [acme, rest] = [await organization(ann, 'acme'), await organization(ann, 'rest')]
  await copyWorkspaces(before.deps.db, await workspaceIn(acme), 300)
  const tagged = await workspaceIn(rest)
  const tag = await tagOn(ann, tagged, 'old')
  await copyWorkspaces(before.deps.db, tagged, 300)
  await before.root.post('/v1/sys/auth/edge', { type: 'cert' })
  for (const kind of ['organization', 'tag', 'mount'] as const) holdRemovals(before, kind, kind === 'mount' ? 0 : 1)
  mustBe(await ann.delete('/api/v2/organizations/acme'), 204)
  mustBe(await ann.delete('/api/v2/organizations/rest/tags', { data: [{ type: 'tags', id: tag }] }), 204)
  mustBe(await before.root.delete('/v1/sys/auth/edge'), 204)
  const bytes = await saveSnapshot(before)

  const after = await ownApp({ engine: to })
  const restored = await sendSnapshot(after, bytes, { at: '-force', headers: await sealKeyHeader(before) })
  expect(restored.status).toBe(200)
  const [again, root] = [after.root.as(ann.token), after.root.as(before.rootToken)]
  const { data } = mustBe(await root.get('/api/v2/admin/removals'), 200).body
  const shown = data.map(({ attributes }: { attributes: Record<string, unknown> }) => [
    attributes.kind,
    attributes.name,
  ])
  expect(shown.sort()).toEqual([
    ['organization', 'acme'],
    ['tag', 'old'],
  ])
  expect((await again.get('/api/v2/organizations/acme')).status).toBe(404)
  await organization({ ...ann, ...again }, 'acme')
  const found = async () => (await again.get('/api/v2/organizations/rest/workspaces?search[tags]=old')).body.data
  expect(await found()).toEqual([])
  await finishRemovals(after)
  expect((await root.get('/api/v2/admin/removals')).body.data).toEqual([])
  expect((await root.get('/v1/sys/removals')).body.data.removals).toEqual([])
  const workspaces = after.deps.db.selectFrom('workspaces').select('id')
  expect(await workspaces.where('organization_id', '=', acme.id).execute()).toEqual([])
  expect(await workspaces.where('tag_names', 'like', '%old%').execute()).toEqual([])
  expect((await again.get('/api/v2/organizations/acme')).status).toBe(200)
})
