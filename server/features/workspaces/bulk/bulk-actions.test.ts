import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { actorOf, grantsInOrganization } from '../../../access/permissions/index.ts'
import { invalidActor } from '../../../kit/access.ts'
import type { RequestFacts } from '../../../kit/endpoint.ts'
import { newLock } from '../locking/lock-rules.ts'
import { loadWorkspace } from '../records/workspace-store.ts'
import { runBulkOperation } from './bulk-actions.ts'

eachEngine((engine) => {
  test('bulk: a caller who is locked out while it runs changes no further workspace', async () => {
    const app = await ownApp({ engine })
    const ann = await person(app, 'ann')
    const acme = await organization(ann, 'acme')
    const ids = [await workspaceIn(acme, { name: 'first' }), await workspaceIn(acme, { name: 'second' })]
    const workspaces = (await Promise.all(ids.map((id) => loadWorkspace(app.deps.db, id)))).filter((each) => !!each)
    const request = { presentedToken: ann.token, headers: {}, remoteAddress: '127.0.0.1' } as RequestFacts
    const actor = actorOf((await app.deps.hooks.authenticateActor(request)) as Parameters<typeof actorOf>[0])
    const organizationId = workspaces[0]?.organizationId ?? ''
    const grants = await grantsInOrganization({ deps: app.deps, caller: actor }, organizationId)
    // Everything takes a minute on this clock.
    let minutes = 0
    const clock = { ...app.clock, monotonic: () => 60_000 * ++minutes }
    let asked = 0
    const running = runBulkOperation(
      { ...app.deps, clock },
      {
        author: { kind: 'user', id: ann.id, name: 'ann', tokenId: '', requestId: 'r' },
        grants,
        currentGrants: async () => {
          if (++asked > 1) throw invalidActor()
          return grants
        },
        request: { action: 'lock', lock: newLock(actor, {}, app.clock.now()), tagNames: [], bindings: [] },
        workspaces,
        dryRun: false,
        signal: new AbortController().signal,
      },
    )
    await expect(running).rejects.toThrow('token')
    const lockedOf = async (id: string) =>
      mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes.locked
    expect(await Promise.all(ids.map(lockedOf))).toEqual([true, false])
  })
})
