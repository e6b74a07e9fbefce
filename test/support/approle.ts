import { expect } from 'vitest'
import type { Engine } from './databases.ts'
import { mustBe } from './platform.ts'
import { recordingLog } from './recording-log.ts'
import { shared, sharedApp } from './shared.ts'
import { tokenCalls } from './token-calls.ts'

const forwarding = { forwardedClientCertificate: 'off', forwardedClientCertificateHeader: 'x' } as const

/** A server for all tests of a block with application roles at `auth/approle`, which believes what a proxy says of addresses. */
export function sharedAppRoles(engine: Engine) {
  const { log, text: logged } = recordingLog()
  const proxies = new Map([['http', { trustedProxies: ['127.0.0.1'], ...forwarding }]])
  const app = sharedApp({ engine, log, proxies })
  const calls = shared(async () => {
    mustBe(await app.root.post('/v1/sys/auth/approle', { type: 'approle' }), 204)
    return await tokenCalls(app)
  })
  const base = '/v1/auth/approle'
  const write = (name: string, fields: object = {}) => app.root.post(`${base}/role/${name}`, fields)
  const roleIdOf = async (name: string): Promise<string> =>
    mustBe(await app.root.get(`${base}/role/${name}/role-id`), 200).body.data.role_id
  const makeId = async (name: string, fields: object = {}) =>
    mustBe(await app.root.post(`${base}/role/${name}/secret-id`, fields), 200).body.data
  const login = (role_id: string, secret_id?: string, from?: string) =>
    app.anonymous.post(
      `${base}/login`,
      { role_id, secret_id },
      from === undefined ? {} : { headers: { 'x-forwarded-for': from } },
    )
  /** A role of its own, its role id and a secret id. */
  async function made(name: string, fields: object = {}, secret: object = {}) {
    const { status, body } = await write(name, fields)
    expect([status, body?.errors]).toEqual([expect.toBeOneOf([200, 204]), undefined])
    const id = await makeId(name, secret)
    return { roleId: await roleIdOf(name), secretId: id.secret_id as string, accessor: id.secret_id_accessor as string }
  }
  return { app, calls, base, write, roleIdOf, makeId, login, made, logged }
}
