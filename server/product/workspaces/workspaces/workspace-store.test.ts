import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { later } from '../../../kernel/clock.ts'
import { inTransaction } from '../../../storage/transaction.ts'
import { ensureTags } from './tagging/tag-store.ts'
import type { Workspace } from './workspace.ts'
import {
  type ChangedMembers,
  deleteOrphanTags,
  deleteWorkspace,
  loadWorkspace,
  loadWorkspaces,
  swapWorkspace,
  updateWorkspaces,
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
        await swapWorkspace(tx, before, { projectId })
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

  test('a swap works once for what was read, writes only the members it names, and only to that workspace', async () => {
    const app = await ownApp({ engine })
    const { db } = app.deps
    const acme = await organization(await person(app, 'ann'), 'acme')
    const [id, other] = [await workspaceIn(acme, { name: 'one' }), await workspaceIn(acme, { name: 'other' })]
    const read = async (of: string) => (await loadWorkspace(db, of)) as Workspace
    const [before, bystander] = [await read(id), await read(other)]
    expect(bystander.revision).toBe(before.revision)
    const changes: ChangedMembers[] = [
      { description: 'new', autoApply: true, triggerPatterns: ['*.tf'], updatedAt: later(app.clock.now(), 1) },
      {
        lock: {
          holder: { kind: 'user', id: 'user-1', name: 'ann' },
          reason: 'why',
          since: before.createdAt,
          expiresAt: null,
        },
      },
      { lockGeneration: 5 },
      { name: 'renamed' },
      { vcsRepo: null, sshKeyId: null, tagNames: ['a'], currentStateVersionId: null, resourceCount: 3 },
    ]
    let last = before
    for (const members of changes) {
      const seen = last
      const swap = () => inTransaction(db, (tx) => swapWorkspace(tx, seen, members))
      const after = await swap()
      expect(after).toEqual({ ...seen, ...members, revision: seen.revision + 1 })
      expect([await swap(), await read(id)]).toEqual([undefined, after])
      last = after as Workspace
    }
    expect(await read(other)).toEqual(bystander)
  })

  test('a swap finds nothing once the store was restored, which moves the generations of all locks', async () => {
    const app = await ownApp({ engine })
    const { db } = app.deps
    const id = await workspaceIn(await organization(await person(app, 'ann'), 'acme'), { name: 'one' })
    const before = (await loadWorkspace(db, id)) as Workspace
    await db.updateTable('workspaces').set({ lock_generation: 1_000 }).where('id', '=', id).execute()
    expect(await inTransaction(db, (tx) => swapWorkspace(tx, before, { description: 'lost' }))).toBeUndefined()
  })

  test('many workspaces are updated by one statement, which says which, and the others stay', async () => {
    const app = await ownApp({ engine })
    const { db } = app.deps
    const acme = await organization(await person(app, 'ann'), 'acme')
    const [one, two, other] = [
      await workspaceIn(acme, { name: 'one' }),
      await workspaceIn(acme),
      await workspaceIn(acme),
    ]
    const before = await loadWorkspaces(db, [one, two, other])
    const written = await inTransaction(db, (tx) =>
      updateWorkspaces(
        tx,
        () => ({ description: 'all' }),
        (eb) => eb('id', 'in', [one, two]),
      ),
    )
    expect(written.map(({ id }) => id).toSorted()).toEqual([one, two].toSorted())
    const byId = new Map((await loadWorkspaces(db, [one, two, other])).map((each) => [each.id as string, each]))
    for (const each of before) {
      const isWritten = each.id !== other
      const expected = isWritten ? { ...each, description: 'all', revision: each.revision + 1 } : each
      expect(byId.get(each.id)).toEqual(expected)
    }
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
