import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { tokenCaller } from '../../../../test/support/audit-events.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { Deps } from '../../../kit/deps.ts'
import { aclOf, writePolicy } from './policy-actions.ts'

const one = { ...tokenCaller, policies: ['default'], entityId: '' }

/** A weak reference, so that only the code under test can keep the ACL alive. */
const seenAcl = async (deps: Deps): Promise<WeakRef<object>> => new WeakRef(await aclOf(deps, one))

test('acl: an outdated compiled ACL can be garbage-collected although its token is still cached', async () => {
  const app = await ownApp()
  const before = await seenAcl(app.deps)
  await writePolicy(app.deps, 'other', 'path "x" { capabilities = ["read"] }')
  await aclOf(app.deps, { ...one, id: 'another' })
  await nextTurn()
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as NonNullable<typeof gc>
  collect()
  expect(before.deref()).toBeUndefined()
  expect(await aclOf(app.deps, one)).toBe(await aclOf(app.deps, one))
})
