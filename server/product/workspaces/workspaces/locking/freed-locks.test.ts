import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { failure } from '../../../../kernel/failure.ts'
import { loadWorkspace } from '../workspace-store.ts'
import { releaseExpiredLocks } from './lock-actions.ts'
import { lockWhenFree } from './lock-queue-actions.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(() => organization(ann, 'acme'))
  let count = 0

  const held = async () => {
    const name = `freed-${++count}`
    const id = await workspaceIn(org, { name })
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, { 'expires-after': '10m' }), 200)
    return { id, name }
  }

  /** Waits as a caller in this process would; each try reads whether the workspace is free, or gone. */
  const waitFor = async (id: string) => {
    const polls: string[] = []
    const lock = async () => {
      const poll = polls.push('none yet') - 1
      const found = await loadWorkspace(app.deps.db, id)
      polls[poll] = found ? (found.lock ? 'held' : 'free') : 'gone'
      if (found?.lock) throw failure('conflict', 'lock.already-locked', 'Held.')
    }
    const patience = { milliseconds: 3_600_000, signal: new AbortController().signal }
    const ended = lockWhenFree(app.deps, id, { lock, check: async () => undefined }, patience)
    await expect.poll(() => polls).toEqual(['held'])
    return { polls, ended }
  }

  const freeing = {
    unlock: async ({ id }) => mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/unlock`), 200),
    'force-unlock': async ({ id }) => mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/force-unlock`), 200),
    'bulk unlock': async ({ name }) => {
      const path = `/api/v2/organizations/${org.name}/workspaces/actions/bulk?search[name]=${name}`
      mustBe(await ann.post(path, { action: 'unlock' }), 200)
    },
    'release by the job, when it has expired,': async () => {
      app.clock.advance('11m')
      await releaseExpiredLocks(app.deps)
    },
  } satisfies Record<string, (workspace: { id: string; name: string }) => Promise<unknown>>

  test.each(Object.entries(freeing))('freed lock: %s wakes who waits for it', async (_name, free) => {
    const workspace = await held()
    const { polls, ended } = await waitFor(workspace.id)
    await free(workspace)
    // The next try without being woken is a quarter of a second away.
    expect(polls.length).toBeGreaterThan(1)
    await ended
    expect(polls.at(-1)).toBe('free')
  })

  test.each([
    ['a workspace', async (id: string) => mustBe(await ann.delete(`/api/v2/workspaces/${id}`), 204)],
    [
      'a workspace whose lock has expired',
      async (id: string) => {
        app.clock.advance('11m')
        mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/safe-delete`), 204)
      },
    ],
  ])('freed lock: the deletion of %s ends the wait for its lock', async (_name, remove) => {
    const { id } = await held()
    const { polls, ended } = await waitFor(id)
    await remove(id)
    expect(polls.length).toBeGreaterThan(1)
    await ended
    expect(polls.at(-1)).toBe('gone')
  })
})
