import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mintCa, mintCrl, mintIntermediate, mintLeaf } from '../../test/support/certificates.ts'
import { enumerated } from '../../test/support/der-values.ts'
import { signOcspResponse } from '../../test/support/fakes/ocsp-responder.ts'
import { instant } from '../kernel/clock.ts'
import { Failure } from '../kernel/failure.ts'
import * as der from './der-writer.ts'
import {
  crlBytes,
  crlProblem,
  judgeOcspResponse,
  readCertificate,
  readCrl,
  readPemCertificates,
  validateClientChain,
} from './index.ts'
import { pemBlocks } from './pem.ts'

const ca = mintCa({ commonName: 'ca', permitted: { dns: ['example.com'], ip: ['10.0.0.0/8'], email: ['example.com'] } })
const mid = mintIntermediate(ca, { commonName: 'mid', pathLength: 0 })
const leaf = mintLeaf(mid, {
  dns: ['a.example.com', '*.example.com'],
  emails: ['a@example.com'],
  uris: ['spiffe://example.com/x'],
  ips: ['10.0.0.1'],
  directoryNames: [[['O', 'x']]],
  otherNames: [{ oid: '1.2.3', value: der.utf8String('x') }],
  ocspUrls: ['http://ocsp'],
  crlUrls: ['http://crl'],
  organizationalUnits: ['eng'],
})
const list = mintCrl(mid, {
  revoked: [1n, 2n ** 80n, { serial: 5n, extensions: [{ oid: '2.5.29.21', value: enumerated(1) }] }],
  number: 7n,
})
const delegate = mintLeaf(mid, { extendedKeyUsage: ['ocspSigning'] })
const answer = signOcspResponse(mid, leaf.serial, { status: 'revoked', signer: delegate, certificates: [delegate] })
const expected = { leaf: readCertificate(leaf.der), issuer: readCertificate(mid.der), at: instant(Date.now()) }

/** One way to damage bytes. */
type Damage = { kind: 'flip' | 'set' | 'cut' | 'insert' | 'repeat' | 'length'; at: number; value: number }

const damages = fc.array(
  fc.record<Damage>({
    kind: fc.constantFrom('flip', 'set', 'cut', 'insert', 'repeat', 'length'),
    at: fc.nat(100_000),
    value: fc.nat(255),
  }),
  { minLength: 1, maxLength: 3 },
)

function damage(bytes: Buffer, list: readonly Damage[]): Buffer {
  return list.reduce((damaged, { kind, at, value }) => {
    const place = damaged.length === 0 ? 0 : at % damaged.length
    const [head, tail] = [damaged.subarray(0, place), damaged.subarray(place)]
    const byte = tail[0] ?? 0
    if (kind === 'flip') return Buffer.concat([head, Buffer.from([byte ^ (1 << (value & 7))]), tail.subarray(1)])
    if (kind === 'set') return Buffer.concat([head, Buffer.from([value]), tail.subarray(1)])
    if (kind === 'length') return Buffer.concat([head, Buffer.from([0x84, 0xff, 0xff, 0xff]), tail.subarray(1)])
    if (kind === 'cut') return Buffer.concat([head, tail.subarray(1 + (value & 15))])
    if (kind === 'insert') return Buffer.concat([head, Buffer.from([value]), tail])
    return Buffer.concat([head, tail.subarray(0, value), tail])
  }, bytes)
}

/** Runs a reader: it may refuse, but throws nothing else and takes less than a second of CPU time. */
function holds<T>(run: () => T): T | undefined {
  const before = process.threadCpuUsage()
  try {
    return run()
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return undefined
  } finally {
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1_000)
  }
}

const runs = { numRuns: 2000 }

describe('damaged bytes', () => {
  test('a certificate is read or refused with a Failure, in bounded time', () => {
    fc.assert(
      fc.property(damages, (list) => void holds(() => readCertificate(damage(leaf.der, list)))),
      runs,
    )
  })

  test('a CRL is read or refused with a Failure, in bounded time', () => {
    fc.assert(
      fc.property(damages, (how) => void holds(() => readCrl(damage(list.der, how)))),
      runs,
    )
  })

  test('an OCSP answer gets a verdict other than good and never throws', () => {
    const judge = (how: readonly Damage[]): void => {
      const verdict = holds(() => judgeOcspResponse(damage(answer, how), expected))
      expect(verdict?.result).toMatch(/^(revoked|unknown|unusable|stale|forged)$/)
    }
    fc.assert(fc.property(damages, judge), runs)
  })

  test('a changed leaf or intermediate is never accepted', async () => {
    const judge = async (how: readonly Damage[], isLeaf: boolean): Promise<void> => {
      const [leafDer, midDer] = isLeaf ? [damage(leaf.der, how), mid.der] : [leaf.der, damage(mid.der, how)]
      const { ok } = await validateClientChain({
        leafDer,
        intermediatesDer: [midDer],
        trustAnchorsDer: [ca.der],
        at: new Date(),
      })
      expect(ok).toBe(leafDer.equals(leaf.der) && midDer.equals(mid.der))
    }
    await fc.assert(fc.asyncProperty(damages, fc.boolean(), judge), runs)
  })

  test('a changed CRL is never taken for one of its issuer', async () => {
    await fc.assert(
      fc.asyncProperty(damages, async (how) => {
        const bytes = damage(list.der, how)
        const loaded = holds(() => readCrl(bytes))
        if (loaded === undefined) return
        const problem = await crlProblem(loaded, expected.issuer)
        expect(problem === undefined).toBe(bytes.equals(list.der))
      }),
      runs,
    )
  })

  test('a PEM bundle is read or refused with a Failure, in bounded time', async () => {
    const texts = [leaf.chainPem, list.pem].map((text) => Buffer.from(text))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), damages, async (text, how) => {
        const damaged = damage(text, how).toString('latin1')
        holds(() => readPemCertificates(damaged))
        holds(() => [...pemBlocks(damaged)])
        await crlBytes(damaged)
      }),
      { numRuns: 500 },
    )
  })
})

describe('random bytes', () => {
  test('random bytes are refused as certificate and CRL', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(holds(() => readCertificate(Buffer.from(bytes)))).toBeUndefined()
        expect(holds(() => readCrl(Buffer.from(bytes)))).toBeUndefined()
      }),
      runs,
    )
  })

  const { tree } = fc.letrec<{ tree: Buffer }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 20 })).map(([tagByte, bytes]) => der.tlv(tagByte, bytes)),
      fc.array(tie('tree'), { maxLength: 6 }).map((parts) => der.sequence(...parts)),
      fc.array(tie('tree'), { maxLength: 3 }).map((parts) => der.explicitTag(0, ...parts)),
    ),
  }))

  test('random DER is refused as certificate, CRL and OCSP answer', () => {
    fc.assert(
      fc.property(tree, (bytes) => {
        expect(holds(() => readCertificate(bytes))).toBeUndefined()
        expect(holds(() => readCrl(bytes))).toBeUndefined()
        expect(holds(() => judgeOcspResponse(bytes, expected))?.result).toBe('unusable')
      }),
      runs,
    )
  })

  test.each([
    ['one value after another', Buffer.alloc(200_000, Buffer.from([0x05, 0x00]))],
    ['empty sequences', Buffer.alloc(200_000, Buffer.from([0x30, 0x00]))],
    ['object identifiers', Buffer.alloc(200_000, der.oid('2.5.4.3'))],
  ])('a huge extension of %s is read or refused in bounded time', (_name, value) => {
    const bytes = mintLeaf(ca, { extensions: [{ oid: '2.5.29.32', value: der.sequence(value) }] }).der
    holds(() => readCertificate(bytes))
  })
})
