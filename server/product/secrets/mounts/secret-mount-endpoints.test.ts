import { expect, test } from 'vitest'
import { sharedApp } from '../../../../test/support/shared.ts'

const app = sharedApp()

test('sys/mounts lists the built-in mounts in data and at the top level', async () => {
  const { body } = await app.root.get('/v1/sys/mounts')
  expect(Object.keys(body.data).sort()).toEqual(['cubbyhole/', 'identity/', 'sys/'])
  expect(body['sys/']).toMatchObject({ type: 'system', config: { default_lease_ttl: 0 } })
  expect(body['sys/'].config).not.toHaveProperty('token_type')
  expect((await app.root.get('/v1/sys/mounts/identity')).body.data.type).toBe('identity')
  expect((await app.root.get('/v1/sys/mounts/cubbyhole/tune')).body.data).toMatchObject({ max_lease_ttl: 2_764_800 })
})

test('sys/mounts/auth/token reads the same as sys/auth/token', async () => {
  const read = await app.root.get('/v1/sys/mounts/auth/token')
  expect(read).toMatchObject({
    status: 200,
    body: { data: { type: 'token', config: { token_type: 'default-service' } } },
  })
  expect(read.body.data).toEqual((await app.root.get('/v1/sys/auth/token')).body.data)
})

test.each([
  ['GET', 'mounts/secret', undefined, 400, /^No secret engine mount at secret\/$/],
  ['GET', 'mounts/auth/absent', undefined, 400, /auth\/absent/],
  ['POST', 'mounts/secret', { type: 'no-such-type' }, 400, /no-such-type/],
  ['POST', 'mounts/secret', {}, 400, /type/],
  ['POST', 'mounts/sys', { type: 'no-such-type' }, 403, /reserved/],
  ['POST', 'mounts/identity/x', { type: 'no-such-type' }, 403, /reserved/],
  ['POST', 'mounts/cubbyhole', { type: 'no-such-type' }, 403, /reserved/],
  ['POST', 'mounts/auth/x', { type: 'no-such-type' }, 403, /reserved/],
  ['DELETE', 'mounts/sys', undefined, 400, /cannot be removed/],
  ['DELETE', 'mounts/auth/cert', undefined, 400, /sys\/auth/],
  ['POST', 'mounts/sys/tune', { description: 'x' }, 400, /cannot be changed/],
  ['POST', 'mounts/cubbyhole/tune', { audit_non_hmac_request_keys: 'a', max_lease_ttl: '1h' }, 400, /max_lease_ttl/],
  ['GET', 'mounts/secret/tune', undefined, 400, /secret/],
])('%s sys/%s is refused', async (verb, path, body, status, text) => {
  const answer = await app.root.send(verb, `/v1/sys/${path}`, body)
  expect(answer.status).toBe(status)
  expect(answer.body.errors[0]).toMatch(text)
})

test.each(['sys', 'identity', 'cubbyhole'])(
  'what audit records show of %s can be changed, and stays its own',
  async (path) => {
    const before = (await app.root.get(`/v1/sys/mounts/${path}`)).body.data
    const lists = { audit_non_hmac_request_keys: ['name'], audit_non_hmac_response_keys: ['keys'] }
    expect((await app.root.post(`/v1/sys/mounts/${path}/tune`, lists)).status).toBe(204)
    const after = (await app.root.get(`/v1/sys/mounts/${path}`)).body.data
    expect(after).toEqual({ ...before, config: { ...before.config, ...lists } })
    expect((await app.root.delete(`/v1/sys/mounts/${path}`)).status).toBe(400)
    expect((await app.root.post('/v1/sys/remount', { from: path, to: 'moved' })).status).toBe(400)
    expect((await app.root.post('/v1/cubbyhole/note', { text: path })).status).toBe(204)
    const cleared = { audit_non_hmac_request_keys: '', audit_non_hmac_response_keys: '' }
    expect((await app.root.post(`/v1/sys/mounts/${path}/tune`, cleared)).status).toBe(204)
    expect((await app.root.get(`/v1/sys/mounts/${path}`)).body.data).toEqual(before)
  },
)

test('removing an unknown mount gets 204', async () => {
  expect((await app.root.delete('/v1/sys/mounts/secret')).status).toBe(204)
})
