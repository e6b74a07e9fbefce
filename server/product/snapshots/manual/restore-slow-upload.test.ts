import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { mustBe } from '../../../../test/support/platform.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import { saveSnapshot, snapshotPath } from '../../../../test/support/snapshot-calls.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'

// Each archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

/** Uploads the beginning of an archive, and the rest after `meanwhile`; answers the status. */
async function restoreSlowly({ url }: TestApp, token: string, archive: Buffer, meanwhile: () => Promise<unknown>) {
  const headers = { 'X-Service-Token': token, 'Content-Length': archive.length, Expect: '100-continue' }
  const outgoing = request(`${url}${snapshotPath}`, { method: 'POST', headers })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  outgoing.flushHeaders()
  await once(outgoing, 'continue')
  outgoing.write(archive.subarray(0, 1_000))
  await meanwhile()
  await sleep(150)
  outgoing.end(archive.subarray(1_000))
  const [answer] = await answered
  answer.resume()
  return answer.statusCode
}

eachEngine((engine) => {
  test('restore: who loses the token, the policy or the seal during the upload changes nothing', async () => {
    const here = await ownApp({ engine })
    const there = await ownApp({ beside: here })
    const policy = (name: string) => `/v1/sys/policies/acl/${name}`
    const may = { policy: `path "sys/storage/raft/snapshot" { capabilities = ["create", "update", "sudo"] }` }
    mustBe(await here.root.post(policy('operator'), may), 204)
    const tokenOf = async () => {
      const { auth } = mustBe(await here.root.post('/v1/auth/token/create', { policies: ['operator'] }), 200).body
      return auth.client_token as string
    }
    const [revoked, weakened] = [await tokenOf(), await tokenOf()]
    const archive = await saveSnapshot(here)
    mustBe(await here.root.post(policy('after'), may), 204)

    const revoke = () => here.root.post('/v1/auth/token/revoke', { token: revoked })
    expect(await restoreSlowly(there, revoked, archive, revoke)).toBe(403)
    const weaken = () => here.root.post(policy('operator'), { policy: 'path "other" { capabilities = ["read"] }' })
    expect(await restoreSlowly(there, weakened, archive, weaken)).toBe(403)
    const seal = () => there.root.post('/v1/sys/seal')
    expect(await restoreSlowly(there, here.rootToken, archive, seal)).toBe(503)
    expect((await here.root.get(policy('after'))).status).toBe(200)

    const nothing = async () => undefined
    expect(await restoreSlowly(here, here.rootToken, archive, nothing)).toBe(200)
    expect((await here.root.get(policy('after'))).status).toBe(404)
  })
})
