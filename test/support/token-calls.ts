import { expect } from 'vitest'
import type { Client } from './client.ts'
import type { TestApp } from './test-app.ts'

/** The `auth` part of an answer, as far as tests look into it. */
export type Auth = {
  readonly client_token: string
  readonly accessor: string
  readonly lease_duration: number
  readonly [key: string]: unknown
}

/** The answer to a token that is unknown, expired, revoked or used up. */
export const invalidTokenAnswer = { status: 403, body: { errors: ['permission denied', 'invalid token'] } }

/** The answer that gives no reason. */
export const deniedAnswer = { status: 403, body: { errors: ['permission denied'] } }

/** The refusal of a request without a token. */
export const noTokenAnswer = {
  status: 403,
  body: { errors: ['permission denied', expect.stringMatching(/^no token was sent: /)] },
}

/** What tests do with tokens. */
type TokenCalls = {
  create(fields?: object, by?: Client, path?: string): Promise<Auth>
  /** The errors of a creation that is refused with 400. */
  refusal(fields: object, by?: Client, path?: string): Promise<string>
  as(auth: Auth): Client
  lookup(auth: Auth): Promise<Record<string, unknown>>
  isAlive(auth: Auth): Promise<boolean>
  policy(name: string, text: string): Promise<void>
}

/** Policies for tests: `maker` may use the token endpoints, `chief` has sudo on them. */
export async function tokenCalls(app: TestApp): Promise<TokenCalls> {
  const { root } = app
  const post = (fields: object, by: Client, path: string) => by.post(`/v1/auth/token/${path}`, fields)
  const calls: TokenCalls = {
    create: async (fields = {}, by = root, path = 'create') => {
      const answer = await post(fields, by, path)
      expect(answer.status, answer.text).toBe(200)
      return answer.body.auth as Auth
    },
    refusal: async (fields, by = root, path = 'create') => {
      const answer = await post(fields, by, path)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.body).not.toHaveProperty('auth')
      return answer.body.errors.join('; ')
    },
    as: (auth) => root.as(auth.client_token),
    lookup: async ({ client_token }) => {
      const answer = await root.post('/v1/auth/token/lookup', { token: client_token })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data
    },
    isAlive: async (auth) => (await root.as(auth.client_token).get('/v1/auth/token/lookup-self')).status === 200,
    policy: async (name, policy) => {
      expect((await root.post(`/v1/sys/policies/acl/${name}`, { policy })).status).toBe(204)
    },
  }
  const all = (words: string) => `path "auth/token/*" { capabilities = [${words}] }`
  await calls.policy('maker', all('"create", "read", "update"'))
  await calls.policy('chief', all('"create", "read", "update", "delete", "list", "sudo"'))
  return calls
}
