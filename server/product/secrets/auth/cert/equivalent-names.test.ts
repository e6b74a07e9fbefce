import { expect, test } from 'vitest'
import { sharedCertApp } from '../../../../../test/support/cert-login.ts'
import { mintCrl } from '../../../../../test/support/certificates.ts'
import type { Client } from '../../../../../test/support/client.ts'

const app = sharedCertApp()

let policies = 0
async function under(policy: string): Promise<Client> {
  const name = `spelling-${policies++}`
  await app.root.post(`/v1/sys/policies/acl/${name}`, { policy })
  const token = await app.root.post('/v1/auth/token/create', { policies: [name] })
  return app.anonymous.as(token.body.auth.client_token)
}

const all = (path: string): string => `path "auth/cert/${path}" { capabilities = ["read", "update", "delete"] }\n`
const only = (path: string, capability: string): string =>
  `path "auth/cert/${path}" { capabilities = ["${capability}"] }\n`

const calls = (client: Client, path: string, body: Record<string, unknown>) => [
  () => client.get(`/v1/auth/cert/${path}`),
  () => client.post(`/v1/auth/cert/${path}`, body),
  () => client.delete(`/v1/auth/cert/${path}`),
]

async function statuses(client: Client, path: string, body: Record<string, unknown>): Promise<number[]> {
  const found: number[] = []
  for (const call of calls(client, path, body)) found.push((await call()).status)
  return found
}

test.each([
  ['certs', 'as it is listed', 'Prod'],
  ['certs', 'in small letters', 'prod'],
  ['crls', 'as it is listed', 'Prod'],
  ['crls', 'in small letters', 'prod'],
])('names: a policy that denies %s/… %s denies every spelling of the name', async (collection, _how, denied) => {
  const body = { certificate: app.ca.pem, crl: mintCrl(app.ca).pem }
  await app.root.post(`/v1/auth/cert/${collection}/Prod`, body)
  const client = await under(all(`${collection}/*`) + only(`${collection}/${denied}`, 'deny'))
  for (const spelling of ['prod', 'Prod', 'PROD'])
    expect(await statuses(client, `${collection}/${spelling}`, body), spelling).toEqual([403, 403, 403])
  expect((await app.root.get(`/v1/auth/cert/${collection}/prod`)).status).toBe(200)
})

test('names: a rule that narrows one name applies to its other spellings, even before the name exists', async () => {
  const client = await under(all('certs/*') + only('certs/narrow', 'read'))
  const body = { certificate: app.ca.pem }
  expect(await statuses(client, 'certs/NARROW', body)).toEqual([404, 403, 403])
  await app.role('narrow', body)
  expect(await statuses(client, 'certs/Narrow', body)).toEqual([200, 403, 403])
  const certificate = app.leaf().pem
  expect((await client.post('/v1/auth/cert/certs/NARROW/check', { certificate })).status).toBe(200)
})

test('names: a rule that denies the check of a role denies it under every spelling', async () => {
  await app.role('Probe', { certificate: app.ca.pem })
  const client = await under(all('certs/*') + only('certs/Probe/check', 'deny'))
  const answer = await client.post('/v1/auth/cert/certs/probe/check', { certificate: app.leaf().pem })
  expect(answer).toMatchObject({ status: 403, body: { errors: ['permission denied'] } })
})

test('names: a rule for one spelling grants that spelling only', async () => {
  await app.role('Mixed', { certificate: app.ca.pem })
  const client = await under(all('certs/mixed'))
  expect((await client.get('/v1/auth/cert/certs/mixed')).status).toBe(200)
  expect((await client.get('/v1/auth/cert/certs/Mixed')).status).toBe(403)
  expect((await client.post('/v1/auth/cert/certs/mixed', { display_name: 'x' })).status).toBe(204)
})

type Right = 'read' | 'update' | 'delete'

/** Which of the three the server lets a caller do, found by doing it. */
async function tried(client: Client, path: string, body: Record<string, unknown>): Promise<Right[]> {
  const [read, update, remove] = await statuses(client, path, body)
  const rights = { delete: remove, read, update }
  return (Object.keys(rights) as Right[]).filter((right) => rights[right] !== 403)
}

test.each([
  ['denied as it is listed', only('certs/Prod', 'deny')],
  ['denied in small letters', only('certs/prod', 'deny')],
  ['narrowed', only('certs/prod', 'read')],
  ['not spoken of', ''],
  ['denied in a spelling nobody lists', only('certs/PROD', 'deny')],
])('names: capabilities-self agrees with what the caller can do where a name is %s', async (_how, rule) => {
  const body = { certificate: app.ca.pem }
  const client = await under(all('certs/*') + rule)
  for (const spelling of ['prod', 'Prod', 'PROD']) {
    await app.root.delete('/v1/auth/cert/certs/prod')
    await app.role('Prod', body)
    const path = `auth/cert/certs/${spelling}`
    const told = (await client.post('/v1/sys/capabilities-self', { paths: [path] })).body.data[path]
    const can = await tried(client, `certs/${spelling}`, body)
    expect(told, spelling).toEqual(can.length === 0 ? ['deny'] : can)
  }
})
