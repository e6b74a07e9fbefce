import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { mintCa, mintIntermediate, mintServer } from '../test/support/certificates.ts'
import { ownFolder } from '../test/support/folders.ts'
import { Failure } from './kernel/failure.ts'
import { readTlsFiles } from './tls-files.ts'

let directory: string
beforeEach(() => {
  directory = ownFolder()
})

const authority = mintCa()
const intermediate = mintIntermediate(authority)
const server = mintServer(intermediate)
const other = mintServer(intermediate)

type Files = { readonly cert: string | Buffer; readonly key: string }

/** What is said about a pair of files, with their names alone. */
function refusal({ cert, key }: Files): string {
  writeFileSync(join(directory, 'cert.pem'), cert)
  writeFileSync(join(directory, 'key.pem'), key)
  return refusalOf({ certFile: join(directory, 'cert.pem'), keyFile: join(directory, 'key.pem') })
}

function refusalOf(files: { certFile: string; keyFile: string }): string {
  try {
    readTlsFiles(files)
    return ''
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(Failure)
    return (thrown as Failure).message.replaceAll(`${directory}/`, '')
  }
}

test('TLS files: a chain with its key is accepted', () => {
  expect(refusal({ cert: `${server.pem}${intermediate.pem}`, key: server.keyPem })).toBe('')
})

test('TLS files: both missing files are reported', () => {
  expect(refusalOf({ certFile: '/none/a.pem', keyFile: '/none/b.pem' })).toBe(
    'tls.cert_file: /none/a.pem does not exist. Check the path. ' +
      'tls.key_file: /none/b.pem does not exist. Check the path.',
  )
})

test('TLS files: a key of another certificate is reported', () => {
  expect(refusal({ cert: server.pem, key: other.keyPem })).toBe(
    'tls.key_file: the key does not belong to the certificate in cert.pem. ' +
      'Name the key of that certificate. If its file holds several, the server’s own comes first.',
  )
})

test.each(['pkcs8', 'sec1'] as const)('TLS files: a key with a passphrase (%s) is reported', (type) => {
  const key = server.key.export({ type, format: 'pem', cipher: 'aes-128-cbc', passphrase: 'x' }).toString()
  expect(refusal({ cert: server.pem, key })).toBe(
    'tls.key_file: key.pem is locked with a passphrase. Store the key without one: openssl pkey -in … -out …',
  )
})

test('TLS files: a DER file and a damaged chain are reported as not usable', () => {
  const damaged = intermediate.pem.replace(/\n.{20}/, '\n')
  for (const cert of [server.der, `${server.pem}${damaged}`]) {
    expect(refusal({ cert: Buffer.from(cert), key: server.keyPem })).toMatch(
      /^tls\.cert_file: cert\.pem is not usable: /,
    )
  }
})

test('TLS files: a certificate and a key in each other’s place are told what belongs there', () => {
  expect(refusal({ cert: server.keyPem, key: server.pem })).toMatch(
    /^tls\.cert_file: .* it holds a private key\. It must hold a certificate as PEM\. tls\.key_file: .* it holds a certificate\. It must hold a private key as PEM\.$/,
  )
})
