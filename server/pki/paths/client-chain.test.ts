import { describe, expect, test } from 'vitest'
import {
  type CrlOptions,
  mintCa,
  mintCrl,
  mintIntermediate,
  mintLeaf,
  usage,
} from '../../../test/support/certificates.ts'
import * as der from '../der-writer.ts'
import { type ClientChain, validateClientChain } from './client-chain.ts'

const ca = mintCa({ commonName: 'ca' })
const leaf = mintLeaf(ca, { serial: 77n })
const at = new Date('2026-11-15T12:00:00Z')
const offBy = (milliseconds: number): Date => new Date(at.getTime() + milliseconds)
const valid = { notBefore: offBy(-86_400_000), notAfter: offBy(86_400_000) }

const judge = async (chain: Partial<ClientChain>): Promise<string> => {
  const { ok, reason } = await validateClientChain({
    leafDer: leaf.der,
    intermediatesDer: [],
    trustAnchorsDer: [ca.der],
    at: new Date(),
    ...chain,
  })
  return ok ? 'accepted' : (reason ?? '')
}

test('chain: unreadable trust anchors are ignored', async () => {
  const strangers = Array.from({ length: 200 }, (_, index) => Buffer.from(`stranger ${index}`))
  expect(await judge({ trustAnchorsDer: [...strangers, ca.der] })).toBe('accepted')
})

test('chain: an invalid date is refused', async () => {
  expect(await judge({ at: new Date('no date') })).toMatch(/not a valid time/)
})

describe('with revocation lists', () => {
  const dated = mintCa({ commonName: 'dated', ...valid })
  const list = (options: CrlOptions = {}): Buffer =>
    mintCrl(dated, { thisUpdate: offBy(-3_600_000), nextUpdate: offBy(3_600_000), ...options }).der
  const covered = (lists: readonly Buffer[], chain: Partial<ClientChain> = {}): Promise<string> =>
    judge({ leafDer: user.der, trustAnchorsDer: [dated.der], at, crlsDer: lists, ...chain })
  const user = mintLeaf(dated, { serial: 77n, ...valid })
  const scope = (...parts: Buffer[]): CrlOptions => ({
    extensions: [{ oid: '2.5.29.28', critical: true, value: der.sequence(...parts) }],
  })
  const flag = (number: number): Buffer => der.implicitTag(number, Buffer.from([0xff]))
  const uncovered = /no usable list/

  test.each<[string, CrlOptions]>([
    ['of its issuer that does not have it', {}],
    ['that was issued this very second', { thisUpdate: at }],
    ['that ends this very second', { nextUpdate: at }],
    ['for certificates of users alone', scope(flag(1))],
  ])('chain: a list %s covers the leaf', async (_what, options) => {
    expect(await covered([list(options)], { at: offBy(400) })).toBe('accepted')
  })

  test.each<[string, CrlOptions]>([
    ['that has ended', { nextUpdate: offBy(-1000) }],
    ['of the future', { thisUpdate: offBy(1000) }],
    ['without an end', { nextUpdate: null }],
    ['for certificates of CAs alone', scope(flag(2))],
    ['for both alone, which is none', scope(flag(1), flag(2))],
    ['for some reasons', scope(der.implicitTag(3, Buffer.from([1, 2])))],
    ['for some reasons of users', scope(flag(1), der.implicitTag(3, Buffer.from([1, 2])))],
    ['that speaks for others as well', scope(flag(4))],
    ['of changes alone', { extensions: [{ oid: '2.5.29.27', critical: true, value: der.integer(1) }] }],
  ])('chain: a list %s does not cover the leaf', async (_what, options) => {
    expect(await covered([list(options)])).toMatch(uncovered)
  })

  test('chain: a list for CAs covers a CA certificate as leaf, one for users does not', async () => {
    const leafDer = mintIntermediate(dated, { ...valid, keyUsage: [usage.digitalSignature, usage.keyCertSign] }).der
    expect(await covered([list(scope(flag(2)))], { leafDer })).toBe('accepted')
    expect(await covered([list(scope(flag(1)))], { leafDer })).toMatch(uncovered)
  })

  test('chain: a list of one distribution point covers only certificates that name that point', async () => {
    const [own, other] = ['http://crl.example.com/1', 'http://crl.example.com/2']
    const ofPoint = scope(der.explicitTag(0, der.explicitTag(0, der.implicitTag(6, Buffer.from(own)))))
    const leafWith = (...crlUrls: string[]) => ({ leafDer: mintLeaf(dated, { ...valid, crlUrls }).der })
    expect(await covered([list(ofPoint)], leafWith(other, own))).toBe('accepted')
    expect(await covered([list(ofPoint)], leafWith(other))).toMatch(uncovered)
    expect(await covered([list(ofPoint)])).toMatch(uncovered)
    expect(await covered([list({ revoked: [77n], ...ofPoint })])).toMatch(/list of its issuer/)
  })

  test('chain: one list that revokes the leaf is enough, whatever others say', async () => {
    expect(await covered([list(), list({ revoked: [77n], ...scope(flag(1)) })])).toMatch(/list of its issuer/)
  })
})
