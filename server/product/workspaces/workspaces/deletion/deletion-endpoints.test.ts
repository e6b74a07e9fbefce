import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Answer } from '../../../../../test/support/client.ts'
import { eachEngine, untilAwaited } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { stateDocument, stateOf } from '../../../../../test/support/states.ts'
import { insertBlob } from '../../../../storage/blob-store.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { touchWorkspace } from '../workspace-store.ts'
import { deletionTexts } from './deletion.ts'

test('safe delete: the texts contain "locked" and "being processed" only where clients expect them', () => {
  expect(deletionTexts.locked).toMatch(/locked/)
  expect(deletionTexts['manages-resources']).not.toMatch(/locked|being processed/)
})

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const bob = shared(() => person(app, 'bob'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const workspace = async () => {
    const name = `ws-${++count}`
    return { id: await workspaceIn(org, { name }), name }
  }

  test.runIf(engine === 'postgres')('force delete: also deletes a blob that is being stored', async () => {
    const { id } = await workspace()
    const blobs = app.deps.db.selectFrom('blobs').select('id').where('scope', '=', id)
    let deleted: Promise<Answer> | undefined
    await inTransaction(app.deps.db, async (tx) => {
      await touchWorkspace(tx, id)
      const chunks = [Buffer.from('state')]
      await insertBlob(tx, { scope: id, upload: `upload-${id}`, id: 'blob', createdAt: 0, chunks })
      deleted ??= ann.delete(`/api/v2/workspaces/${id}`)
      await untilAwaited((query) => sql.raw(query).execute(tx))
    })
    mustBe((await deleted) as Answer, 204)
    expect(await blobs.execute()).toEqual([])
  })

  test('safe delete: a stranger gets 404 and the workspace stays', async () => {
    const { id } = await workspace()
    expect((await bob.post(`/api/v2/workspaces/${id}/actions/safe-delete`)).status).toBe(404)
    expect((await ann.get(`/api/v2/workspaces/${id}`)).status).toBe(200)
  })

  test('safe delete: an empty workspace is deleted, by id and by name', async () => {
    const [one, two] = [await workspace(), await workspace()]
    mustBe(await ann.post(`/api/v2/workspaces/${one.id}/actions/safe-delete`), 204)
    mustBe(await ann.post(`/api/v2/organizations/${org.name}/workspaces/${two.name}/actions/safe-delete`), 204)
    for (const { id } of [one, two]) expect((await ann.get(`/api/v2/workspaces/${id}`)).status).toBe(404)
  })

  test('delete: with an outdated If-Match safe and force delete are 412, with the current one 204', async () => {
    for (const ways of ['safe', 'force'] as const) {
      const { id } = await workspace()
      const path = `/api/v2/workspaces/${id}`
      const remove = (tag: string) => {
        const options = { headers: { 'if-match': tag } }
        return ways === 'safe'
          ? ann.post(`${path}/actions/safe-delete`, undefined, options)
          : ann.delete(path, undefined, options)
      }
      const read = String((await ann.get(path)).headers.etag)
      mustBe(await ann.patch(path, doc('workspaces', { description: 'still needed' })), 200)
      mustBe(await remove(read), 412)
      mustBe(await remove(String((await ann.get(path)).headers.etag)), 204)
      mustBe(await ann.get(path), 404)
    }
  })

  test('safe delete: a locked workspace is 409; force delete removes it', async () => {
    const { id } = await workspace()
    await ann.post(`/api/v2/workspaces/${id}/actions/lock`)
    const answer = await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`)
    expect([answer.status, answer.body.errors[0].detail]).toEqual([409, expect.stringContaining('locked')])
    mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)
  })

  test('safe delete: with managed resources or an unknown resource count it is 409', async () => {
    for (const columns of [{ resource_count: 3 }, { resource_count_known: 0 }]) {
      const { id } = await workspace()
      await app.deps.db.updateTable('workspaces').set(columns).where('id', '=', id).execute()
      const answer = await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`)
      expect([answer.status, answer.body.errors[0].detail]).toEqual([409, deletionTexts['manages-resources']])
    }
  })

  test('safe delete: a state stored under a lock that has expired counts for the resource check', async () => {
    for (const [resources, ways] of [
      [1, 409],
      [0, 204],
    ] as const) {
      const { id } = await workspace()
      const path = `/api/v2/workspaces/${id}`
      mustBe(await ann.post(`${path}/actions/lock`, { 'expires-after': '1m' }), 200)
      const state = stateOf({ resources })
      mustBe(await ann.post(`${path}/state-versions`, stateDocument(state, { state: state.toString('base64') })), 201)
      app.clock.advance('2m')
      const headers = { 'if-match': String((await ann.get(path)).headers.etag) }
      const answer = mustBe(await ann.post(`${path}/actions/safe-delete`, undefined, { headers }), ways)
      if (resources > 0) expect(answer.body.errors[0].detail).toBe(deletionTexts['manages-resources'])
    }
  })
})
