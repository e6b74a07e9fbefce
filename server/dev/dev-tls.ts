import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Clock } from '../kernel/clock.ts'
import { writePrivateFile } from '../kernel/directories.ts'
import type { Ids } from '../kernel/ids.ts'
import { ifAbsent } from '../kernel/system-errors.ts'
import { type CertificateOrder, issueCertificate, type KeyPair } from './certificates.ts'
import { ensurePrivateDirectory } from './private-files.ts'

/** Where the certificates of dev mode lie. */
export type DevTlsFiles = {
  caCert: string
  caKey: string
  serverCert: string
  serverKey: string
  clientCert: string
  clientKey: string
}

type TlsDeps = { clock: Pick<Clock, 'now'>; ids: Pick<Ids, 'bytes'> }

const day = 86_400_000
const authorityName = 'Holdfast dev CA'

/** The paths of the certificates below a data directory. */
export const devTlsFiles = (dataDir: string): DevTlsFiles => ({
  caCert: join(dataDir, 'tls', 'ca.pem'),
  caKey: join(dataDir, 'tls', 'ca-key.pem'),
  serverCert: join(dataDir, 'tls', 'server.pem'),
  serverKey: join(dataDir, 'tls', 'server-key.pem'),
  clientCert: join(dataDir, 'tls', 'client.pem'),
  clientKey: join(dataDir, 'tls', 'client-key.pem'),
})

/**
 * Makes the authority, the server certificate and the demo client certificate, or keeps existing ones. A certificate
 * that is missing, damaged, about to expire, not signed by the authority or without one of the host names is issued
 * again.
 */
export async function ensureDevTls(deps: TlsDeps, dataDir: string, hosts: readonly string[]): Promise<DevTlsFiles> {
  const files = devTlsFiles(dataDir)
  await ensurePrivateDirectory(join(dataDir, 'tls'))
  const now = deps.clock.now()
  const keep = async (
    paths: { cert: string; key: string },
    order: CertificateOrder,
    issuer?: KeyPair,
  ): Promise<KeyPair> => {
    const present = await readPair(paths)
    if (present && isStillGood(present, order, issuer)) return present
    const signer = issuer && { commonName: authorityName, key: issuer.key }
    const pair = issueCertificate(deps.ids, order, signer)
    await writePrivateFile(paths.key, pair.key)
    await writePrivateFile(paths.cert, pair.certificate)
    return pair
  }
  const order = (rest: Omit<CertificateOrder, 'notBefore'>): CertificateOrder => ({ notBefore: now, ...rest })
  const authority = await keep(
    { cert: files.caCert, key: files.caKey },
    order({ purpose: 'authority', commonName: authorityName, names: [], lifetimeMs: 3650 * day }),
  )
  await keep(
    { cert: files.serverCert, key: files.serverKey },
    order({ purpose: 'server', commonName: 'localhost', names: hosts, lifetimeMs: 397 * day }),
    authority,
  )
  await keep(
    { cert: files.clientCert, key: files.clientKey },
    order({ purpose: 'client', commonName: 'dev-client', names: ['dev-client.localhost'], lifetimeMs: 397 * day }),
    authority,
  )
  return files
}

async function readPair({ cert, key }: { cert: string; key: string }): Promise<KeyPair | undefined> {
  try {
    return { certificate: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
  } catch (thrown) {
    return ifAbsent(thrown)
  }
}

/**
 * True if the certificate can be kept: intact, ours, for all names, and with more than a tenth of its lifetime left.
 */
function isStillGood(
  pair: KeyPair,
  { names, notBefore: now, lifetimeMs }: CertificateOrder,
  issuer: KeyPair | undefined,
): boolean {
  const certificate = parsePair(pair)
  if (certificate === undefined) return false
  const signer = issuer ? new X509Certificate(issuer.certificate) : certificate
  const signed = certificate.checkIssued(signer) && certificate.verify(signer.publicKey)
  const timely = certificate.validFromDate.getTime() <= now && certificate.validToDate.getTime() > now + lifetimeMs / 10
  return signed && timely && names.every((name) => coversName(certificate, name))
}

const coversName = (certificate: X509Certificate, name: string): boolean =>
  (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined

function parsePair({ certificate, key }: KeyPair): X509Certificate | undefined {
  try {
    const read = new X509Certificate(certificate)
    return read.checkPrivateKey(createPrivateKey(key)) ? read : undefined
  } catch (thrown) {
    // A damaged file must not prevent the start: it is replaced.
    if (thrown instanceof Error) return undefined
    throw thrown
  }
}
