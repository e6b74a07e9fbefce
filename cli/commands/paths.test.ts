import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientEnvironment, runCommand } from '../../test/support/command-line.ts'
import { organization, person, workspaceIn } from '../../test/support/platform.ts'
import { type TestApp, testApp } from '../../test/support/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.close())

const run = (args: readonly string[]) => runCommand(args, { environment: clientEnvironment(app.url, app.rootToken) })

test('read: a text is shown as it is', async () => {
  const { code, out } = await run(['read', 'sys/metrics', 'format=prometheus'])
  expect(code).toBe(0)
  expect(out).toMatch(/^# HELP .*\n(?:.*\n)+$/)
})

test('read: a binary response is not printed, and the command that saves it is named', async () => {
  expect(await run(['read', 'sys/storage/raft/snapshot'])).toEqual({
    code: 1,
    out: '',
    err: "holdfast: The answer is a file (application/gzip), which is not shown. 'holdfast snapshot save' saves snapshots.\n",
  })
})

test('write: --field finds token fields by the names that login shows', async () => {
  const field = async (name: string) => (await run(['write', 'auth/token/create', 'ttl=1h', '--field', name])).out
  expect(await field('token')).toMatch(/^hfs\.\w+$/)
  expect(await field('token_duration')).toBe('3600')
  expect((await run(['read', 'auth/token/lookup-self', '--field', 'token'])).err).toContain(
    "There is no field 'token'.",
  )
})

test('--field: a policy is the same after a round trip through a file; a terminal gets a line', async () => {
  const policy = 'path "cubbyhole/*" { capabilities = ["read"] }'
  await run(['write', 'sys/policies/acl/round', `policy=${policy}`])
  const words = ['read', '--field', 'policy', 'sys/policies/acl/round']
  expect((await run(words)).out).toBe(policy)
  const environment = clientEnvironment(app.url, app.rootToken)
  expect((await runCommand(words, { environment, isOutputTerminal: true })).out).toBe(`${policy}\n`)
  await run(['write', 'sys/policies/acl/round', `policy=${policy}\n`])
  expect((await runCommand(words, { environment, isOutputTerminal: true })).out).toBe(`${policy}\n`)
})

test('write: runs an action below /api', async () => {
  const acme = await organization(await person(app, 'ann'), 'acme')
  const id = await workspaceIn(acme)
  const environment = clientEnvironment(app.url, acme.owner.token)
  const lock = ['write', `api/v2/workspaces/${id}/actions/lock`, 'reason=moving', '--field', 'id']
  expect(await runCommand(lock, { environment })).toEqual({ code: 0, out: id, err: '' })
  const shown = await acme.owner.get(`/api/v2/workspaces/${id}`)
  expect(shown.body.data.attributes).toMatchObject({ locked: true, 'locked-reason': 'moving' })
})

test('write: creates resources below /api from their attributes, which are rows of the answer and fields', async () => {
  const org = await organization(await person(app, 'cora'), 'written')
  const environment = clientEnvironment(app.url, org.owner.token)
  const run = (...words: string[]) => runCommand(words, { environment })
  const made = await run('write', 'api/v2/organizations/written/workspaces', 'name=web', 'auto-apply:=true')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toMatch(/^name +web$/m)
  expect(made.out).toMatch(/^auto-apply +true$/m)
  const path = 'api/v2/organizations/written/workspaces/web'
  expect((await run('read', path, '--field', 'name')).out).toBe('web')
  expect(JSON.parse((await run('read', path, '--field', 'attributes')).out)).toMatchObject({ name: 'web' })
  expect((await run('read', path, '--field', 'nothing')).err).toMatch(/^holdfast: There is no field 'nothing'.+ name, /)
  expect((await run('patch', path, 'description=x', '--field', 'description')).out).toBe('x')
  const retention = ['write', 'api/v2/organizations/written/relationships/data-retention-policy']
  const type = ['--type', 'data-retention-policy-delete-olders', 'delete-older-than-n-days:=30']
  expect((await run(...retention, ...type)).code).toBe(0)
})

test('patch: changes attributes, and := sends values as JSON', async () => {
  const org = await organization(await person(app, 'bert'), 'patched')
  const id = await workspaceIn(org)
  const environment = clientEnvironment(app.url, org.owner.token)
  const patch = (...words: string[]) => runCommand(['patch', ...words], { environment })
  const path = `api/v2/workspaces/${id}`
  expect(await patch(path, 'description=5', 'auto-apply:=true', '--field', 'id')).toMatchObject({
    code: 0,
    out: id,
  })
  const shown = await org.owner.get(`/api/v2/workspaces/${id}`)
  expect(shown.body.data.attributes).toMatchObject({ description: '5', 'auto-apply': true })
  expect((await patch('api/v2/account/update', '--type', 'users', 'email=bert@example.org')).code).toBe(0)
  const bound = 'data:=[{"type":"tag-bindings","attributes":{"key":"env","value":"prod"}}]'
  expect((await patch(`${path}/tag-bindings`, bound)).code).toBe(0)
  expect((await org.owner.get(`/api/v2/workspaces/${id}/tag-bindings`)).body.data).toHaveLength(1)
})

test('patch: invalid paths, missing fields and values that are not JSON are refused', async () => {
  const told = async (...words: string[]) => (await run(['patch', ...words])).err
  expect(await told('sys/auth/x', 'a=1')).toBe(
    'holdfast: Only paths below api/ are patched; write sys/auth/x instead.\n',
  )
  expect(await told('api/v2/workspaces/ws-1')).toContain("Missing required argument 'fields'.")
  expect(await told('api/v2/workspaces/ws-1', 'auto-apply:=yes')).toContain("after := in 'auto-apply:=yes' is not JSON")
})

test('delete: below /api the body may say what to delete', async () => {
  const org = await organization(await person(app, 'dirk'), 'deleted')
  const id = await workspaceIn(org)
  const environment = clientEnvironment(app.url, org.owner.token)
  const path = `api/v2/workspaces/${id}/relationships/tags`
  const tag = (name: string) => `{"type":"tags","attributes":{"name":"${name}"}}`
  const both = `data:=[${tag('a')},${tag('b')}]`
  expect((await runCommand(['write', path, both], { environment })).code).toBe(0)
  expect((await runCommand(['delete', path, `data:=[${tag('a')}]`], { environment })).code).toBe(0)
  const shown = await org.owner.get(`/api/v2/workspaces/${id}`)
  expect(shown.body.data.attributes['tag-names']).toEqual(['b'])
  expect((await runCommand(['delete', `api/v2/workspaces/${id}`], { environment })).code).toBe(0)
  expect((await org.owner.get(`/api/v2/workspaces/${id}`)).status).toBe(404)
})

test('--wrap-ttl: what is wrapped is opened with the token that was printed', async () => {
  const wrapped = await run(['write', '--wrap-ttl', '5m', '--field', 'token', 'sys/wrapping/wrap', 'a=b'])
  const token = wrapped.out.trim()
  expect((await run(['write', '--field', 'a', 'sys/wrapping/unwrap', `token=${token}`])).out).toBe('b')
})
