import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { failure } from '../../kernel/failure.ts'
import * as der from '../../pki/der-writer.ts'
import { connectionOf, type PeerCertificate } from './client-connection.ts'
import { openListener } from './listener.ts'
import { defaultListenerLimits } from './listener-limits.ts'

/**
 * Connects to itself once with a leaf and two intermediates and looks whether all three arrive. Some releases of Node lose
 * what a client sends beside its leaf; logins then fail one by one, and nothing points at the cause. Takes about 20 ms.
 */
export async function verifyChainCapture(): Promise<void> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const sent = ['leaf', 'first', 'second'].map((name) => selfSigned(name, privateKey))
  const certificate = await presentToItself(sent, privateKey)
  const arrived = certificate === undefined ? [] : [certificate.leaf, ...certificate.intermediates]
  if (arrived.length === sent.length && sent.every((each, index) => arrived[index]?.equals(each))) return
  const text = `Node ${process.version} loses the certificates a client sends beside its own, so certificate logins would fail. Use the Node release this package is pinned to.`
  throw failure('internal', 'listener.chain-lost', text)
}

async function presentToItself(chain: readonly Buffer[], privateKey: KeyObject): Promise<PeerCertificate | undefined> {
  const cert = chain.map(pem).join('')
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  let certificate: PeerCertificate | undefined
  const tls = { cert, key, clientCertificate: 'request' } as const
  const place = { name: 'self-test', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener({ ...place, tls }, (request, response) => {
    certificate = connectionOf(request).certificate
    response.end()
  })
  // The server's certificate is our own and nobody is to be trusted here.
  const socket = connect({ ...listener.address, cert, key, rejectUnauthorized: false })
  socket.end('GET / HTTP/1.1\r\nHost: self-test\r\nConnection: close\r\n\r\n')
  socket.resume()
  try {
    await once(socket, 'close')
  } finally {
    await listener.close(0)
  }
  return certificate
}

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`

/** The least a certificate can be (RFC 5280 §4.1); nobody verifies it. */
function selfSigned(commonName: string, key: KeyObject): Buffer {
  const algorithm = der.sequence(der.oid('1.2.840.10045.4.3.2'))
  const name = der.sequence(der.setOf(der.sequence(der.oid('2.5.4.3'), der.utf8String(commonName))))
  const validity = der.sequence(der.time(new Date('2020-01-01')), der.time(new Date('2049-12-31')))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const tbs = der.sequence(der.integer(1), algorithm, name, validity, name, publicKey)
  return der.sequence(tbs, algorithm, der.bitString(sign('sha256', tbs, key)))
}

/** A parser that is left hanging answers nothing. */
const patienceMs = 2_000

/**
 * Connects to itself once and looks whether the verb LIST arrives, followed by another request. Reading it takes parts of
 * Node that are not documented (docs/decisions/0006), so another Node may have changed them. Takes about 20 ms.
 */
export async function readsListVerb(): Promise<boolean> {
  const verbs: (string | undefined)[] = []
  const place = { name: 'self-test', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener(place, (request, response) => {
    verbs.push(request.method)
    response.end()
  }).catch(() => undefined)
  // Without a loopback address nothing can be tried, and nothing says that it does not work.
  if (!listener) return true
  const socket = connectPlain(listener.address)
  // How the connection ends does not matter: what has arrived does.
  socket.on('error', () => undefined)
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.end('LIST / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  await listener.close(0)
  return verbs.join() === 'LIST,GET'
}
