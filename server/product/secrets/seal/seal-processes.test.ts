import { expect, test, vi } from 'vitest'
import { nodeOfApps } from '../../../../test/support/peers.ts'
import { ownApp } from '../../../../test/support/shared.ts'
import type { TestApp } from '../../../../test/support/test-app.ts'
import { lendRootKey } from '../../../crypto/root-keys/lent-root-key.ts'
import type { Peers } from '../../../kit/peers.ts'
import { adoptRootKey, sealNow, submitShare } from './seal-actions.ts'
import { sealNode } from './seal-node.ts'

const shamir = { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } } as const

const unseal = (app: TestApp, key: string) => app.anonymous.put('/v1/sys/unseal', { key })
const status = async (app: TestApp) => (await app.anonymous.get('/v1/sys/seal-status')).body

/** Two processes of one node, sealed, and the shares of their store. */
async function sealedPair(split: { shares: number; threshold: number }) {
  const peers = nodeOfApps()
  const first = await ownApp({ settings: shamir, peers: peers(1) })
  const second = await ownApp({ settings: shamir, beside: first, peers: peers(2) })
  const body = { secret_shares: split.shares, secret_threshold: split.threshold }
  const made = (await first.anonymous.put('/v1/sys/init', body)).body
  return { first, second, peers, keys: made.keys as string[], rootToken: made.root_token as string }
}

/** A process that was not there when these messages were sent, and hears none of them. */
const deafTo = (peers: Peers, ...topics: string[]): Peers => ({
  ...peers,
  on: (topic, listener) => (topics.includes(topic) ? () => undefined : peers.on(topic, listener)),
})

test('seal: a process that starts while shares are being submitted learns of those submitted before', async () => {
  const { first, second, peers, keys } = await sealedPair({ shares: 5, threshold: 3 })
  await unseal(first, keys[0] ?? '')
  await unseal(first, keys[1] ?? '')
  const { nonce } = await status(first)
  const newcomer = await ownApp({ settings: shamir, beside: first, peers: peers(3) })
  await expect.poll(() => status(newcomer)).toMatchObject({ sealed: true, progress: 2, nonce })
  await unseal(newcomer, keys[2] ?? '')
  for (const app of [first, second, newcomer])
    await expect.poll(() => status(app)).toMatchObject({ sealed: false, progress: 0 })
})

test('seal: a process that starts gets the key even if its configuration names the automatic seal', async () => {
  const { first, peers, keys } = await sealedPair({ shares: 1, threshold: 1 })
  await unseal(first, keys[0] ?? '')
  const newcomer = await ownApp({ beside: first, peers: peers(3) })
  await expect.poll(() => status(newcomer)).toMatchObject({ type: 'shamir', sealed: false })
})

test('seal: once a process has enough shares, the others open too, however many they have', async () => {
  const { first, peers, keys } = await sealedPair({ shares: 5, threshold: 3 })
  const behind = await ownApp({ settings: shamir, beside: first, peers: deafTo(peers(3), 'seal.share') })
  for (const key of keys.slice(0, 2)) await unseal(first, key)
  await unseal(behind, keys[2] ?? '')
  for (const app of [first, behind])
    await expect.poll(() => status(app)).toMatchObject({ sealed: false, progress: 0, nonce: '' })
})

/** Replaces the root key, of which there is a single share. */
async function renewShares(app: TestApp, rootToken: string, keys: readonly string[]): Promise<void> {
  const root = app.root.as(rootToken)
  const begun = await root.put('/v1/sys/rekey/init', { secret_shares: 1, secret_threshold: 1 })
  const { nonce } = begun.body
  expect((await root.put('/v1/sys/rekey/update', { key: keys[0], nonce })).body.complete).toBe(true)
}

test('seal: a process that starts while the root key is replaced gets the new one', async () => {
  const { first, second, peers, keys, rootToken } = await sealedPair({ shares: 1, threshold: 1 })
  await unseal(first, keys[0] ?? '')
  await expect.poll(async () => (await status(second)).sealed).toBe(false)
  const behind = Promise.withResolvers<void>()
  const blocked = sealNode(second.deps).oneByOne(() => behind.promise)
  await renewShares(first, rootToken, keys)
  // From now on, only the other one can tell the key.
  sealNow(first.deps)
  const newcomer = await ownApp({ settings: shamir, beside: first, peers: peers(3) })
  behind.resolve()
  await blocked
  await expect.poll(() => status(newcomer)).toMatchObject({ sealed: false })
})

test('seal: a process that was told a root key which has just been replaced asks again', async () => {
  const { first, peers, keys, rootToken } = await sealedPair({ shares: 1, threshold: 1 })
  await unseal(first, keys[0] ?? '')
  const replaced = lendRootKey(first.deps.keyring, (lent) => Buffer.from(lent.reveal()))
  await renewShares(first, rootToken, keys)
  const own = peers(3)
  const broadcast = vi.fn<Peers['broadcast']>()
  const newcomer = await ownApp({ settings: shamir, beside: first, peers: { ...own, broadcast } })
  broadcast.mockImplementation(own.broadcast)
  expect((await status(newcomer)).sealed).toBe(true)
  await adoptRootKey(newcomer.deps, replaced)
  await expect.poll(() => status(newcomer)).toMatchObject({ sealed: false })
})

test('seal: a share or key received before the node was sealed does not open it afterwards', async () => {
  const { first, second, keys, rootToken } = await sealedPair({ shares: 1, threshold: 1 })
  await unseal(first, keys[0] ?? '')
  await expect.poll(async () => (await status(second)).sealed).toBe(false)
  const rootKey = lendRootKey(first.deps.keyring, (lent) => Buffer.from(lent.reveal()))
  expect((await first.root.as(rootToken).put('/v1/sys/seal')).status).toBe(204)
  const late = [adoptRootKey(second.deps, rootKey), submitShare(second.deps, { share: keys[0] ?? '', nonce: '' })]
  sealNow(second.deps)
  await Promise.all(late)
  expect((await status(second)).sealed).toBe(true)
})

test('seal: a process that replaces a crashed one stays sealed if the node was sealed', async () => {
  const peers = nodeOfApps()
  const first = await ownApp({ peers: peers(1) })
  expect((await first.root.put('/v1/sys/seal')).status).toBe(204)
  const second = await ownApp({ beside: first, peers: peers(2) })
  expect((await status(second)).sealed).toBe(true)
})
