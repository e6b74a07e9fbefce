import { expect, test } from 'vitest'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { mustBe, organization, person } from '../../test/support/platform.ts'
import { holdRemovals } from '../../test/support/removals.ts'
import { ownApp } from '../../test/support/shared.ts'
import { tokenCalls } from '../../test/support/token-calls.ts'

test('admin removals: lists what either API tells this token, and says when there is nothing', async () => {
  const app = await ownApp()
  const run = (token: string, ...args: string[]) =>
    runCommand(['admin', 'removals', ...args], { environment: clientEnvironment(app.url, token) })
  expect((await run(app.rootToken)).out).toBe('Nothing is being removed.\n')
  const ann = await person(app, 'ann')
  await organization(ann, 'acme')
  await app.root.post('/v1/sys/auth/edge', { type: 'cert' })
  for (const kind of ['organization', 'mount'] as const) holdRemovals(app, kind)
  mustBe(await ann.delete('/api/v2/organizations/acme'), 204)
  mustBe(await app.root.delete('/v1/sys/auth/edge'), 204)
  const { out } = await run(app.rootToken)
  expect(out).toMatch(/Kind +Name +Rows left[\s\S]*organization +acme +1 +ann [\s\S]*mount +auth\/edge\/ +1 +root /)
  const [first] = JSON.parse((await run(app.rootToken, '--format', 'json')).out)
  expect(first).toMatchObject({ kind: 'organization', name: 'acme', rows_left: 1, requested_by: 'ann' })

  const calls = await tokenCalls(app)
  await calls.policy('watcher', 'path "sys/removals" { capabilities = ["read", "sudo"] }')
  const { client_token: watcher } = await calls.create({ policies: ['watcher'] })
  expect(JSON.parse((await run(watcher, '--format', 'json')).out)).toMatchObject([{ kind: 'mount' }])
  const refused = await run(ann.token)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('/v1/sys/removals')])
})
