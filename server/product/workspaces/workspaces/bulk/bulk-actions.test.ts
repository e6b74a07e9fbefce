import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { actorOf, grantsInOrganization } from '../../../../access/permissions/index.ts'
import { invalidActor } from '../../../../kit/access.ts'
import type { RequestFacts } from '../../../../kit/endpoint.ts'
import { everyWorkspace } from '../listing/workspace-list.ts'
import { newLock } from '../locking/lock.ts'
import type { Workspace } from '../workspace.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { type BulkOperation, runBulkOperation, selectionOf } from './bulk-actions.ts'

eachEngine((engine) => {
  /** An operation that locks two workspaces. */
  const locking = async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const ids = [await workspaceIn(acme, { name: 'first' }), await workspaceIn(acme, { name: 'second' })] as const
    const request = { presentedToken: ann.token, headers: {}, remoteAddress: '127.0.0.1' } as RequestFacts
    const actor = actorOf((await app.deps.callers.authenticate(request)) as Parameters<typeof actorOf>[0])
    const grants = await grantsInOrganization({ deps: app.deps, caller: actor }, acme.id)
    const operation: BulkOperation = {
      author: { kind: 'user', id: ann.id, name: 'ann', tokenId: '', requestId: 'r' },
      grants,
      currentGrants: async () => grants,
      request: { action: 'lock', lock: newLock(actor, {}, app.clock.now()), tagNames: [], bindings: [] },
      selection: selectionOf(app.deps, everyWorkspace),
      after: '',
      dryRun: false,
      isTimeUp: () => false,
      signal: new AbortController().signal,
    }
    return { app, ann, ids, operation }
  }

  test('bulk: a caller who is locked out while it runs changes no further workspace', async () => {
    const { app, ann, ids, operation } = await locking()
    // Everything takes a minute on this clock.
    let minutes = 0
    const clock = { ...app.clock, monotonic: () => 60_000 * ++minutes }
    let asked = 0
    const currentGrants = async () => {
      if (++asked > 1) throw invalidActor()
      return operation.grants
    }
    await expect(runBulkOperation({ ...app.deps, clock }, { ...operation, currentGrants })).rejects.toThrow('token')
    const lockedOf = async (id: string) =>
      mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes.locked
    expect(await Promise.all(ids.map(lockedOf))).toEqual([true, false])
  })

  test('bulk: an answer has 10,000 results at most, and says what is left', async () => {
    const { app, ids, operation } = await locking()
    const one = (await loadWorkspace(app.deps.db, ids[0])) as Workspace
    const all = Array.from({ length: 10_001 }, (_, at): Workspace => ({ ...one, name: String(100_000 + at) }))
    const of = (size: number): BulkOperation['selection'] => {
      const after = (name: string) => all.slice(0, size).filter((each) => each.name > name)
      return {
        next: async (_grants, name, limit) => after(name).slice(0, limit),
        countAfter: async (_grants, name) => after(name).length,
      }
    }
    const run = (size: number) => runBulkOperation(app.deps, { ...operation, selection: of(size), dryRun: true })
    const [full, over] = [await run(10_000), await run(10_001)]
    expect([full.outcomes.length, full.rest]).toEqual([10_000, undefined])
    expect([over.outcomes.length, over.rest]).toEqual([10_000, { after: '109999', count: 1 }])
  })
})
