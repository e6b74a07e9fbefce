import type { Client } from './client.ts'
import { ownApp } from './shared.ts'
import type { TestApp, TestAppOptions } from './test-app.ts'

/** The settings of a server whose store opens with key shares. */
export const shamir = { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } } as const

/** A store that was opened with some of its key shares. */
export type OpenStore = {
  readonly app: TestApp
  readonly token: string
  readonly root: Client
  readonly keys: string[]
}

/** A store that three of five shares have opened. */
export async function openShamirStore({ settings, ...options }: TestAppOptions = {}): Promise<OpenStore> {
  const app = await ownApp({ ...options, settings: { ...shamir, ...settings } })
  const body = { secret_shares: 5, secret_threshold: 3 }
  const { keys, root_token } = (await app.anonymous.put('/v1/sys/init', body)).body
  await unseal(app, keys)
  return { app, token: root_token, root: app.root.as(root_token), keys }
}

/** The seal status of a server. */
export const sealStatus = async (app: TestApp) => (await app.anonymous.get('/v1/sys/seal-status')).body

/** Submits shares until the server opens, or there are no more; returns its status then. */
export async function unseal(app: TestApp, keys: readonly string[]) {
  await app.anonymous.put('/v1/sys/unseal', { reset: true })
  for (const key of keys) if ((await sealStatus(app)).sealed) await app.anonymous.put('/v1/sys/unseal', { key })
  return await sealStatus(app)
}

/** A caller with one policy. */
export async function callerWith({ app, root }: OpenStore, name: string, policy: string): Promise<Client> {
  await root.post(`/v1/sys/policies/acl/${name}`, { policy })
  const made = await root.post('/v1/auth/token/create', { policies: [name], no_default_policy: true })
  return app.root.as(made.body.auth.client_token)
}
