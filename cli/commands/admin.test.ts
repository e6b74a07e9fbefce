import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { doc, mustBe, organization, person } from '../../test/support/platform.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})

afterAll(() => app.close())

const run = (args: readonly string[], { token = app.rootToken, input = '' } = {}) =>
  runCommand(['admin', 'create-user', ...args], {
    environment: clientEnvironment(app.url, token),
    readInput: async () => input,
  })

test('create-user: a token without permission is refused, and all invalid fields are reported', async () => {
  const made = JSON.parse((await run(['eve', '--email', 'eve@example.com', '--user-token', '--format', 'json'])).out)
  const refused = await run(['bob', '--email', 'bob@example.com'], { token: made.user_token })
  expect(refused).toMatchObject({ code: 2, out: '' })
  const faulty = await run(['b b', '--email', 'x'])
  expect(faulty.code).toBe(2)
  expect(faulty.err).toMatch(/Email must be an e-mail address[\s\S]*Username may contain only/)
  expect((await run(['bob'])).code).toBe(1)
})

test('create-user: without a password an invitation link is printed, with one it is not', async () => {
  const invited = JSON.parse((await run(['ann', '--email', 'ann@example.com', '--format', 'json'])).out)
  expect(invited.invitation_url).toContain('/app/invitations/')
  expect((await app.anonymous.get(new URL(invited.invitation_url).pathname)).status).toBe(200)
  const known = await run(['carl', '--email', 'carl@example.com', '--password-stdin', '--format', 'json'], {
    input: 'long enough\n',
  })
  expect(JSON.parse(known.out)).not.toHaveProperty('invitation_url')
  expect((await run(['dora', '--email', 'dora@example.com', '--password-stdin'])).code).toBe(1)
})

test('create-user: --organization makes the user its first owner; --user-token prints a working token', async () => {
  const args = ['owner', '--email', 'owner@example.com', '--organization', 'acme', '--user-token', '--format', 'json']
  const { user_token: token, organization } = JSON.parse((await run(args)).out)
  expect(organization).toBe('acme')
  const shown = await app.root.as(token).get('/api/v2/organizations/acme')
  expect(shown.body.data.attributes.permissions['can-destroy']).toBe(true)
})

const peopleNamed = async (name: string): Promise<string[]> => {
  const { data } = mustBe(await app.root.get(`/api/v2/admin/users?q=${name}`), 200).body
  return data.map(({ attributes }: { attributes: { username: string } }) => attributes.username)
}

const ownerOf = (org: string, name: string) => run([name, '--email', `${name}@example.com`, '--organization', org])

test.each([
  ['invalid', 'not a name', 'frank'],
  ['taken', 'frozen', 'fred'],
])('create-user: if the name of the organization is %s, no user is left behind', async (_why, org, name) => {
  if (org === 'frozen') await organization(await person(app, 'elsa'), org)
  const { code, out, err } = await ownerOf(org, name)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('POST /api/v2/organizations')
  expect(err).toContain(`\n  Nothing was created, not even ${name}. Fix this and run`)
  expect(await peopleNamed(name)).toEqual([])
})

test('create-user: after a refused organization name the command works with another one', async () => {
  expect((await ownerOf('not a name', 'frida')).code).toBe(2)
  expect((await ownerOf('fridas', 'frida')).code).toBe(0)
  expect(await peopleNamed('frida')).toEqual(['frida'])
})

test('create-user: a user invited before keeps the membership and gets the link; no token is left', async () => {
  const guests = await organization(await person(app, 'host'), 'guests')
  const invited = doc('organization-memberships', { email: 'gina@example.com' })
  mustBe(await guests.owner.post('/api/v2/organizations/guests/organization-memberships', invited), 201)
  const args = ['gina', '--email', 'gina@example.com', '--organization', 'not a name', '--user-token']
  const { code, out, err } = await run([...args, '--format', 'json'])
  expect([code, err]).toEqual([2, expect.stringContaining('gina was created and is kept, as a member of guests.')])
  const { id, invitation_url: link } = JSON.parse(out)
  expect((await app.anonymous.get(new URL(link).pathname)).status).toBe(200)
  expect((await app.root.get(`/api/v2/users/${id}/authentication-tokens`)).body.data).toEqual([])
})

test('create-user: why there is no organization is reported even if its token cannot be revoked', async () => {
  const made = { data: { id: 'x-1', attributes: { token: 'hfu.x' } } }
  const server = createServer(({ method, url }, response) => {
    const isOrganization = url === '/api/v2/organizations'
    const isToken = url?.startsWith('/api/v2/authentication-tokens/')
    const status = isOrganization ? 422 : isToken ? 500 : method === 'DELETE' ? 204 : 201
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status === 204 ? undefined : JSON.stringify(status === 201 ? made : { errors: [{ title: 'taken' }] }))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const environment = clientEnvironment(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'hfs.x')
  const args = ['admin', 'create-user', 'hans', '--email', 'hans@example.com', '--organization', 'acme']
  const { code, err } = await runCommand(args, { environment })
  expect([code, err]).toEqual([2, expect.stringMatching(/refused POST \/api\/v2\/organizations with 422.\n.*taken/)])
})
