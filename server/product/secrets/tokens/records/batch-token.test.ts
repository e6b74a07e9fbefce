import { beforeEach, expect, test } from 'vitest'
import { testClock } from '../../../../../test/support/clock.ts'
import { Keyring } from '../../../../crypto/keyring.ts'
import { later } from '../../../../kernel/clock.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { secret } from '../../../../kernel/secret.ts'
import { blankToken } from '../issuing/new-token-actions.ts'
import type { Token } from './token.ts'
import { openBatchToken, sealBatchToken } from './token-text-actions.ts'

const clock = testClock()
const newKeyring = (): Keyring => Keyring.create({ clock, ids: randomIds }, secret(randomIds.bytes(32)))

let keyring: Keyring
let token: Token
beforeEach(() => {
  keyring = newKeyring()
  token = {
    ...blankToken({ keyring, clock, ids: randomIds }, ''),
    type: 'batch',
    policies: ['default', 'web'],
    metadata: { owner: 'ann' },
    entityId: 'e1',
    creationTtl: 60,
    expiresAt: later(clock.now(), 60_000),
    boundCidrs: ['10.0.0.0/8'],
  }
})

test('batch token: opening it gives back what was sealed, under the keyed hash of its text', () => {
  const text = sealBatchToken({ keyring }, token)
  expect(text).toMatch(/^hfb\.[\w-]+$/)
  const opened = openBatchToken({ keyring }, text)
  expect(opened).toEqual({ ...token, id: keyring.keyedHash('token', text) })
  expect(text).not.toContain(Buffer.from('ann').toString('base64url'))
})

test('batch token: still opens after the keys were rotated', async () => {
  const text = sealBatchToken({ keyring }, token)
  await keyring.rotate(async () => undefined)
  expect(openBatchToken({ keyring }, text)?.policies).toEqual(['default', 'web'])
})

test('batch token: with any character changed, missing or added it does not open', () => {
  const text = sealBatchToken({ keyring }, token)
  for (let at = 4; at < text.length; at++) {
    const other = text[at] === 'A' ? 'B' : 'A'
    expect(openBatchToken({ keyring }, `${text.slice(0, at)}${other}${text.slice(at + 1)}`)).toBeUndefined()
  }
  for (const wrong of [text.slice(0, -1), `${text}A`, `${text}=`, `${text}!`, text.replace('hfb.', 'hfs.'), 'hfb.']) {
    expect(openBatchToken({ keyring }, wrong)).toBeUndefined()
  }
})

test('batch token: a token sealed by another server does not open', async () => {
  expect(openBatchToken({ keyring }, sealBatchToken({ keyring: newKeyring() }, token))).toBeUndefined()
})

test('batch token: opening it on a sealed server throws that the server is sealed', () => {
  const text = sealBatchToken({ keyring }, token)
  keyring.lock()
  expect(() => openBatchToken({ keyring }, text)).toThrow('sealed')
})

test('batch token: a token too large for a header is refused', () => {
  const metadata = { text: 'x'.repeat(8_000) }
  expect(() => sealBatchToken({ keyring }, { ...token, metadata })).toThrow('too large')
})
