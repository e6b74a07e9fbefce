import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mintCa, mintLeaf } from '../../../test/support/certificates.ts'
import { sharedFolder } from '../../../test/support/folders.ts'
import { isInstalled } from '../../../test/support/programs/programs.ts'
import { instant } from '../../kernel/clock.ts'
import { readCertificate } from '../certificates/certificate.ts'
import { judgeOcspResponse } from './ocsp.ts'
import { writeOcspRequest } from './ocsp-request.ts'

describe.skipIf(!isInstalled('openssl', 'version'))(
  'openssl as the responder (skipped when openssl is missing)',
  () => {
    const folder = sharedFolder()
    const file = (name: string, contents: string | Buffer = ''): string => {
      if (contents.length > 0) writeFileSync(join(folder, name), contents)
      return join(folder, name)
    }
    const hex = (serial: bigint): string =>
      serial
        .toString(16)
        .toUpperCase()
        .replace(/^(.(..)*)$/, '0$1')

    const ca = mintCa({ commonName: 'ca' })
    const [good, revoked, unlisted] = [mintLeaf(ca), mintLeaf(ca), mintLeaf(ca)]
    const responder = mintLeaf(ca, { extendedKeyUsage: ['ocspSigning'] })
    const index = [
      `V\t400101000000Z\t\t${hex(good.serial)}\tunknown\t/CN=good`,
      `R\t400101000000Z\t260101000000Z\t${hex(revoked.serial)}\tunknown\t/CN=revoked`,
    ]
    file('index.txt', `${index.join('\n')}\n`)
    file('ca.pem', ca.pem)

    test.each([
      ['the CA', ca, 'sha1'],
      ['a delegate', responder, 'sha1'],
      ['a delegate, asked with SHA-256', responder, 'sha256'],
    ] as const)('answers signed by %s give good, revoked and unknown', (_name, signer, hash) => {
      file('signer.pem', signer.pem)
      file('signer.key', signer.keyPem)
      const verdicts = [good, revoked, unlisted].map((leaf) => {
        const [subject, issuer] = [readCertificate(leaf.der), readCertificate(ca.der)]
        file('request.der', writeOcspRequest(subject, issuer, hash))
        const files = [
          '-index',
          file('index.txt'),
          '-CA',
          file('ca.pem'),
          '-reqin',
          file('request.der'),
          '-respout',
          file('response.der'),
        ]
        const keys = ['-rsigner', file('signer.pem'), '-rkey', file('signer.key'), '-ndays', '1', '-noverify']
        execFileSync('openssl', ['ocsp', ...files, ...keys], { stdio: 'ignore' })
        const at = instant(Date.now())
        return judgeOcspResponse(readFileSync(file('response.der')), { leaf: subject, issuer, at }).result
      })
      expect(verdicts).toEqual(['good', 'revoked', 'unknown'])
    })
  },
)
