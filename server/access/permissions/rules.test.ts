import { beforeEach, expect, test } from 'vitest'
import { organization, type Person, person } from '../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../test/support/shared.ts'
import type { RuleCall } from '../../kit/endpoint.ts'
import { onResource } from './rules.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const bob = shared(() => person(app, 'bob'))
const acme = shared(() => organization(ann, 'acme'))
let reads = 0

beforeEach(() => {
  reads = 0
})

type Load = () => { organizationId: string } | Promise<{ organizationId: string } | undefined>

/** Whether the rule allows the caller, or the code of the refusal; reads of the thing are counted. */
async function ask({ id }: Person, load: Load, allows = true): Promise<string> {
  const rule = onResource({ name: 'thing', load, read: async () => void reads++, allows: () => allows })
  const user = { kind: 'user', id, name: id, tokenId: '', via: 'api-token', organizationId: '', siteAdmin: false }
  const call = { deps: app.deps, caller: user, params: {} } as unknown as RuleCall
  try {
    await rule.check(call)
    return 'allowed'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const known: Load = () => ({ organizationId: acme.id })
const read: Load = async () => {
  reads++
  return { organizationId: acme.id }
}
const missing: Load = async () => {
  reads++
  return undefined
}

test('rules: if the organization is known without a query, an allowed caller causes no read', async () => {
  expect([await ask(ann, known), reads]).toEqual(['allowed', 0])
})

test.each([
  ['that is not there', () => ask(ann, missing)],
  ['that was read', () => ask(bob, read)],
  ['that is known', () => ask(bob, known)],
  ['that is known to others of the organization', () => ask(ann, known, false)],
])('rules: a refused caller gets hidden after exactly one read, for a thing %s', async (_name, refused) => {
  expect([await refused(), reads]).toEqual(['hidden', 1])
})
