import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { later } from '../../../../kernel/clock.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { ensureTags } from '../tagging/tag-store.ts'
import type { Workspace } from '../workspace-rules.ts'
import {
  deleteOrphanTags,
  deleteWorkspace,
  holdAtRevision,
  holdWorkspace,
  loadWorkspace,
  loadWorkspaces,
  updateSettings,
} from './workspace-store.ts'

eachEngine((engine) => {
  test('concurrent moves in opposite directions do not deadlock', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const at = '/api/v2/organizations/acme'
    const other = mustBe(await ann.post(`${at}/projects`, doc('projects', { name: 'Other' })), 201).body.data.id
    const made = (name: string, projectId: string): Promise<string> =>
      workspaceIn(acme, { name }, { project: { data: { type: 'projects', id: projectId } } })
    const ids = [await made('one', acme.projectId), await made('two', other)]

    let runs = 0
    const move = async (id: string) => {
      const before = (await loadWorkspace(app.deps.db, id)) as Workspace
      const projectId = before.projectId === other ? acme.projectId : other
      await inTransaction(app.deps.db, async (tx) => {
        runs++
        await updateSettings(tx, before, { ...before, projectId }, app.clock.now())
      })
    }
    const rounds = 15
    for (let round = 0; round < rounds; round++) await Promise.all(ids.map(move))
    // A transaction aborted by a deadlock would run again, so more runs than moves mean a deadlock.
    expect(runs).toBe(2 * rounds)
    const { attributes } = mustBe(await ann.get(`/api/v2/projects/${other}`), 200).body.data
    expect(attributes['workspace-count']).toBe(1)
  })

  test('deleting a workspace that was moved since it was read reduces the count of its new project', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const at = '/api/v2/organizations/acme'
    const other = mustBe(await ann.post(`${at}/projects`, doc('projects', { name: 'Other' })), 201).body.data.id
    const id = await workspaceIn(acme, { name: 'moved' })
    const seen = (await loadWorkspace(app.deps.db, id)) as Workspace
    const project = { data: { type: 'projects', id: other } }
    mustBe(await ann.patch(`/api/v2/workspaces/${id}`, doc('workspaces', {}, { project })), 200)
    expect(await inTransaction(app.deps.db, (tx) => deleteWorkspace(tx, seen))).toBe(true)
    const counts = mustBe(await ann.get(`${at}/projects`), 200).body.data.map(
      ({ attributes }: { attributes: Record<string, number> }) => attributes['workspace-count'],
    )
    expect(counts).toEqual([0, 0])
  })

  test('claiming a revision works once, and only for that workspace', async () => {
    const app = await ownApp({ engine })
    const { db } = app.deps
    const acme = await organization(await person(app, 'ann'), 'acme')
    const [id, other] = [await workspaceIn(acme, { name: 'one' }), await workspaceIn(acme, { name: 'other' })]
    const [before, bystander] = [await loadWorkspace(db, id), await loadWorkspace(db, other)]
    const revision = before?.revision ?? 0
    expect(bystander?.revision).toBe(revision)
    const claimed = () => inTransaction(db, (tx) => holdAtRevision(tx, id, revision))
    expect([await claimed(), await claimed()]).toEqual([true, false])
    const updatedAt = later(app.clock.now(), 1)
    const held = await inTransaction(db, (tx) => holdWorkspace(tx, id, updatedAt))
    expect(held).toEqual({ ...before, revision: revision + 2, updatedAt })
    expect(await loadWorkspace(db, other)).toEqual(bystander)
  })

  test('deleteOrphanTags deletes only the named tags', async () => {
    const app = await ownApp({ engine })
    const { id } = await organization(await person(app, 'ann'), 'acme')
    const wanted = { names: ['gone', 'kept'], at: app.clock.now() }
    await inTransaction(app.deps.db, async (tx) => {
      const tags = await ensureTags(tx, app.deps.ids, id, wanted)
      await deleteOrphanTags(tx, [tags.get('gone') ?? ''])
    })
    expect(await app.deps.db.selectFrom('tags').select('name').execute()).toEqual([{ name: 'kept' }])
  })

  test('loading workspaces and deleting tags work with 70000 ids', async () => {
    const app = await ownApp({ engine })
    const { db, ids } = app.deps
    const acme = await organization(await person(app, 'ann'), 'acme')
    const [first, last] = [await workspaceIn(acme), await workspaceIn(acme)]
    // More parameters than either database accepts in one statement.
    const unknown = Array.from({ length: 70_000 }, (_, index) => `x-${index}`)
    const found = await loadWorkspaces(db, [first, ...unknown, last])
    expect(found.map(({ id }) => id).toSorted()).toEqual([first, last].toSorted())
    await inTransaction(db, async (tx) => {
      const tags = await ensureTags(tx, ids, acme.id, { names: ['first', 'kept', 'last'], at: app.clock.now() })
      await deleteOrphanTags(tx, [tags.get('first') ?? '', ...unknown, tags.get('last') ?? ''])
    })
    expect(await db.selectFrom('tags').select('name').execute()).toEqual([{ name: 'kept' }])
  })
})
