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

type Thing = { readonly organizationId: string }

/** What memory has of the thing, and what the database has. */
type Finds = { readonly memory?: () => Thing; readonly database: () => Thing | undefined }

/** Whether the rule allows the caller, or the code of the refusal; reads of the thing are counted. */
async function ask({ id }: Person, { memory, database }: Finds, allows = true): Promise<string> {
  const load = async () => {
    reads++
    return database()
  }
  const rule = onResource({ name: 'thing', peek: () => memory?.(), load, allows: () => allows })
  const user = { kind: 'user', id, name: id, tokenId: '', via: 'api-token', organizationId: '', siteAdmin: false }
  const call = { deps: app.deps, caller: user, params: {} } as unknown as RuleCall
  try {
    await rule.check(call)
    return 'allowed'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const find = (): Thing => ({ organizationId: acme.id })
const known: Finds = { memory: find, database: find }
const read: Finds = { database: find }
const missing: Finds = { database: () => undefined }

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
