import { expect, expectTypeOf, test } from 'vitest'
import { organization, person } from '../test/support/platform.ts'
import { shared, sharedApp } from '../test/support/shared.ts'
import { ApiFailure, createApiClient, type Schemas } from './client.ts'

const app = sharedApp()
const ann = shared(() => person(app, 'ann'))
const acme = shared(() => organization(ann, 'acme'))

const asAnn = () => createApiClient({ baseUrl: app.url, token: ann.token })
const asRoot = () => createApiClient({ baseUrl: app.url, token: app.rootToken })

test('call: a refusal is thrown with its status and what each complaint is about', async () => {
  const { call } = asAnn()
  const path = { organization: acme.name }
  const body = { data: { type: 'workspaces', attributes: { name: 'not a name' } } } as const
  const refused = await call('workspaces.create', { params: { path }, body }).catch((thrown: unknown) => thrown)
  expect(refused).toBeInstanceOf(ApiFailure)
  expect(refused).toMatchObject({ status: 422, complaints: [{ pointer: '/data/attributes/name' }] })
  expect((refused as ApiFailure).message).toContain('Name')
})

test('call: below /v1 the token has its own header, and errors are texts', async () => {
  const refused = await createApiClient({ baseUrl: app.url })
    .call('policies.read', { params: { path: { name: 'web' } } })
    .catch((thrown: unknown) => thrown)
  expect(refused).toMatchObject({ status: 403, message: expect.stringContaining('permission denied') })
  const found = await asRoot().call('policies.read', { params: { path: { name: 'default' } } })
  expect(found.data.policy).toContain('path')
})

test('call: parameters and bodies travel as documents, and answers are typed', async () => {
  const { call } = asAnn()
  const path = { organization: acme.name }
  for (const name of ['app-one', 'app-two', 'other'])
    await call('workspaces.create', { params: { path }, body: { data: { type: 'workspaces', attributes: { name } } } })
  const query = { 'search[name]': 'app', 'page[size]': 1, sort: 'name' }
  const page = await call('workspaces.list', { params: { path, query } })
  expectTypeOf(page).toEqualTypeOf<Schemas['WorkspacePage']>()
  expect(page.data.map(({ attributes }) => attributes.name)).toEqual(['app-one'])
  expect(page.meta.pagination['total-count']).toBe(2)
})

test('call: an answer without a body is undefined', async () => {
  const { call } = asRoot()
  const written = await call('policies.write', {
    params: { path: { name: 'client' } },
    body: { policy: 'path "a" { capabilities = ["read"] }' },
  })
  expect(written).toBeUndefined()
  expect(await call('policies.delete', { params: { path: { name: 'client' } } })).toBeUndefined()
})

test('call: a name with slashes is sent as it is, and other characters are escaped', async () => {
  const { call } = asRoot()
  const params = { path: { name: 'team/app one' } }
  await call('policies.write', { params, body: { policy: 'path "a" { capabilities = ["read"] }' } })
  expect((await call('policies.read', { params })).data.name).toBe('team/app one')
})

test('byPath: the same operations by method and path, with the refusal as a value', async () => {
  const { byPath } = asAnn()
  const { data, error } = await byPath.GET('/api/v2/organizations/{organization}', {
    params: { path: { organization: 'nowhere' } },
  })
  expect(data).toBeUndefined()
  expect(error?.errors[0]?.status).toBe('404')
})
