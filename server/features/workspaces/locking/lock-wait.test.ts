import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe, organization, person, workspaceIn } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'

eachEngine((engine) => {
  test.each([
    ['is still valid gets the lock', false, 200],
    ['is deleted on another node does not get the lock', true, 401],
  ] as const)('lock wait: a token that %s', async (_name, isDeleted, status) => {
    const here = await ownApp({ engine })
    const there = await ownApp({ beside: here })
    const ann = await person(here, 'ann')
    const id = await workspaceIn(await organization(ann, 'acme'), { name: 'network' })
    const token = { type: 'authentication-tokens', attributes: { description: 'waits' } }
    const made = mustBe(await ann.post(`/api/v2/users/${ann.id}/authentication-tokens`, { data: token }), 201).body.data
    const path = `/api/v2/workspaces/${id}/actions`
    mustBe(await ann.post(`${path}/lock`), 200)
    const waiting = there.anonymous.as(made.attributes.token).post(`${path}/lock?wait=20s`)
    await sleep(300)
    if (isDeleted) mustBe(await ann.delete(`/api/v2/authentication-tokens/${made.id}`), 204)
    mustBe(await ann.post(`${path}/unlock`), 200)
    expect((await waiting).status).toBe(status)
  })
})
