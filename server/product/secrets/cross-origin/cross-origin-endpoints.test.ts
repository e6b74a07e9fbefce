import { afterEach, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'
import { deniedAnswer, tokenCalls } from '../../../../test/support/token-calls.ts'

const at = '/v1/sys/config/cors'
const page = 'https://app.example.com'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const calls = shared(() => tokenCalls(app))
  afterEach(() => app.root.delete(at))

  const allow = async (body: object): Promise<void> => expect((await app.root.post(at, body)).status).toBe(204)
  const callFrom = (origin: string, verb = 'GET', path = '/v1/sys/health') =>
    app.anonymous.send(verb, path, undefined, { headers: { origin } })

  describe('CORS settings (sys/config/cors)', () => {
    test('need the sudo capability for reading, writing and deleting', async () => {
      const half = calls.as(await calls.create({ policies: [await policy(['read', 'update', 'delete'])] }))
      expect(await half.get(at)).toMatchObject(deniedAnswer)
      expect(await half.post(at, { allowed_origins: page })).toMatchObject(deniedAnswer)
      expect(await half.delete(at)).toMatchObject(deniedAnswer)
      const whole = calls.as(await calls.create({ policies: [await policy(['read', 'sudo'])] }))
      expect((await whole.get(at)).status).toBe(200)
    })

    const policy = async (capabilities: string[]): Promise<string> => {
      const name = `cors-${capabilities.join('-')}`
      const text = `path "sys/config/cors" { capabilities = ${JSON.stringify(capabilities)} }`
      await app.root.post(`/v1/sys/policies/acl/${name}`, { policy: text })
      return name
    }

    test('are off at first, replaced by each write, off after DELETE; data is repeated at the top level', async () => {
      expect((await app.root.get(at)).body).toMatchObject({ data: { enabled: false }, enabled: false })
      await allow({ allowed_origins: `${page}, http://localhost:3000`, allowed_headers: ['X-Custom'] })
      const { body } = await app.root.get(at)
      expect(body.data).toEqual({
        enabled: true,
        allowed_origins: [page, 'http://localhost:3000'],
        allowed_headers: expect.arrayContaining(['Content-Type', 'X-Service-Token', 'X-Service-Wrap-TTL', 'X-Custom']),
      })
      expect(body.allowed_origins).toEqual(body.data.allowed_origins)
      await allow({ allowed_origins: page })
      expect((await app.root.get(at)).body.data.allowed_headers).not.toContain('X-Custom')
      expect((await app.root.delete(at)).status).toBe(204)
      expect((await app.root.delete(at)).status).toBe(204)
      expect((await app.root.get(at)).body.data).toEqual({ enabled: false })
    })

    test('pages may send every header that clients of the API send', async () => {
      await allow({ allowed_origins: page })
      const headers: string[] = (await app.root.get(at)).body.data.allowed_headers
      const words = ['Token', 'Namespace', 'Request', 'Wrap-TTL', 'Wrap-Format', 'MFA', 'Policy-Override', 'Index']
      const more = ['Forward', 'Inconsistent', 'No-Request-Forwarding']
      for (const word of [...words, ...more]) {
        expect(headers).toEqual(expect.arrayContaining([`X-Service-${word}`, `X-Vault-${word}`]))
      }
      expect(new Set(headers).size).toBe(headers.length)
    })

    test('can be switched off by writing enabled: false', async () => {
      await allow({ allowed_origins: page, enabled: true })
      await allow({ enabled: false })
      expect((await app.root.get(at)).body.data).toEqual({ enabled: false })
    })

    test.each([
      [{}, 'at least one origin'],
      [{ allowed_origins: '' }, 'at least one origin'],
      [{ allowed_origins: ['*', page] }, "'*' must be the only"],
      [{ allowed_origins: [`${page}/`] }, 'not an origin'],
      [{ allowed_origins: 'app.example.com' }, 'not an origin'],
      [{ allowed_origins: page, allowed_headers: ['X Y'] }, 'not the name of a header'],
    ])('%j is refused with 400 and a reason', async (body, text) => {
      const answer = await app.root.post(at, body)
      expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining(text)])
    })
  })

  describe('requests with an Origin header', () => {
    test('without CORS settings they get no CORS headers, and OPTIONS is 405', async () => {
      const answer = await callFrom(page)
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, undefined])
      expect((await callFrom(page, 'OPTIONS')).status).toBe(405)
    })

    test('an allowed origin gets access-control-allow-origin, also on 403s; any other origin is 403', async () => {
      await allow({ allowed_origins: page })
      for (const [path, status] of [
        ['/v1/sys/health', 200],
        ['/v1/sys/mounts', 403],
        ['/v1/nowhere/at/all', 403],
      ] as const) {
        const answer = await callFrom(page, 'GET', path)
        expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, page])
        expect(answer.headers.vary).toBe('Origin')
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      }
      const other = await callFrom('https://evil.example.com')
      expect([other.status, other.body]).toEqual([403, { errors: ['origin not allowed'] }])
      expect(other.headers['access-control-allow-origin']).toBeUndefined()
      expect((await callFrom('null')).status).toBe(403)
      expect((await callFrom('HTTPS://APP.example.com')).status).toBe(200)
    })

    test('the origin of the server itself and requests without Origin are never refused', async () => {
      await allow({ allowed_origins: page })
      const own = await callFrom(app.url)
      expect([own.status, own.headers['access-control-allow-origin']]).toEqual([200, undefined])
      expect((await app.anonymous.get('/v1/sys/health')).status).toBe(200)
    })

    test('the configured base URL counts as the own origin of the server even if a proxy changes Host', async () => {
      await allow({ allowed_origins: page })
      const settings = { baseUrl: 'https://holdfast.example.com' }
      const behindProxy = await ownApp({ engine, beside: app, settings })
      const headers = { origin: 'https://holdfast.example.com' }
      expect((await behindProxy.anonymous.get('/v1/sys/health', { headers })).status).toBe(200)
      expect((await app.anonymous.get('/v1/sys/health', { headers })).status).toBe(403)
    })

    test('a preflight OPTIONS is 204 for every path without a token; without Origin it is 405', async () => {
      await allow({ allowed_origins: '*', allowed_headers: 'X-Custom' })
      for (const path of ['/v1/sys/mounts', '/v1/auth/token/create', '/v1/nowhere']) {
        const answer = await callFrom(page, 'OPTIONS', path)
        expect([answer.status, answer.text]).toEqual([204, ''])
        expect(answer.headers).toMatchObject({
          'access-control-allow-origin': page,
          'access-control-allow-methods': expect.stringContaining('LIST'),
          'access-control-allow-headers': expect.stringMatching(/X-Service-Token.*X-Vault-Token.*X-Custom/),
          'access-control-max-age': '300',
        })
      }
      expect((await app.anonymous.send('OPTIONS', '/v1/sys/mounts')).status).toBe(405)
    })
  })
})
