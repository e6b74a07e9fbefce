import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { mintCa, mintIntermediate, mintServer } from '../../test/support/certificates.ts'
import { ownFolder } from '../../test/support/folders.ts'
import { loadConfig } from './index.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

const authority = mintCa()
const intermediate = mintIntermediate(authority)
const server = mintServer(intermediate)
const other = mintServer(intermediate)

type Files = { readonly cert: string | Buffer; readonly key: string }

function problems({ cert, key }: Files, mode: 'dev' | 'server' = 'server'): string[] {
  writeFileSync(join(directory, 'cert.pem'), cert)
  writeFileSync(join(directory, 'key.pem'), key)
  const environment = {
    HOLDFAST_TLS_CERT_FILE: join(directory, 'cert.pem'),
    HOLDFAST_TLS_KEY_FILE: join(directory, 'key.pem'),
  }
  const loaded = loadConfig({ mode, environment })
  const found = loaded.ok ? [] : loaded.problems
  return found.map(({ where, text, fix }) => `${where}: ${text}. ${fix}`.replaceAll(`${directory}/`, ''))
}

test('TLS files: a chain with its key is accepted', () => {
  expect(problems({ cert: `${server.pem}${intermediate.pem}`, key: server.keyPem })).toEqual([])
})

test('TLS files: a key of another certificate is reported', () => {
  expect(problems({ cert: server.pem, key: other.keyPem })).toEqual([
    'HOLDFAST_TLS_KEY_FILE: the key does not belong to the certificate in cert.pem. ' +
      'Name the key of that certificate. If its file holds several, the server’s own comes first.',
  ])
})

test.each(['pkcs8', 'sec1'] as const)('TLS files: a key with a passphrase (%s) is reported', (type) => {
  const key = server.key.export({ type, format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }).toString()
  expect(problems({ cert: server.pem, key })).toEqual([
    'HOLDFAST_TLS_KEY_FILE: key.pem is locked with a passphrase. Store the key without one: openssl pkey -in … -out …',
  ])
})

test('TLS files: a DER file and a damaged chain are reported as not usable', () => {
  const damaged = intermediate.pem.replace(/\n.{20}/, '\n')
  for (const cert of [server.der, `${server.pem}${damaged}`]) {
    expect(problems({ cert: Buffer.from(cert), key: server.keyPem })).toEqual([
      expect.stringMatching(/^HOLDFAST_TLS_CERT_FILE: cert\.pem is not usable: /),
    ])
  }
})

test('TLS files: a certificate and a key in each other’s place are told what belongs there', () => {
  expect(problems({ cert: server.keyPem, key: server.pem })).toEqual([
    expect.stringMatching(/^HOLDFAST_TLS_CERT_FILE: .* It must hold a certificate as PEM\.$/),
    expect.stringMatching(/^HOLDFAST_TLS_KEY_FILE: .* It must hold a private key as PEM\.$/),
  ])
})

test('TLS files: files configured in dev mode are checked too', () => {
  expect(problems({ cert: 'nonsense', key: server.keyPem }, 'dev')).toEqual([
    expect.stringMatching(/^HOLDFAST_TLS_CERT_FILE: cert\.pem is not usable: .* It must hold a certificate as PEM\.$/),
  ])
})
