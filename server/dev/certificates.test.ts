import { X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { beforeEach, expect, test } from 'vitest'
import { ownFolder } from '../../test/support/folders.ts'
import { type Instant, instant, systemClock } from '../kernel/clock.ts'
import { randomIds } from '../kernel/ids.ts'
import { type DevTlsFiles, ensureDevTls } from './dev-tls.ts'

const hosts = ['localhost', '127.0.0.1', '::1']
const day = 86_400_000
let directory: string

beforeEach(() => {
  directory = join(ownFolder(), 'data')
})

const make = (at: Instant = systemClock.now(), names: readonly string[] = hosts): Promise<DevTlsFiles> =>
  ensureDevTls({ clock: { now: () => at }, ids: randomIds }, directory, names)

const certificate = (path: string): X509Certificate => new X509Certificate(readFileSync(path))
const contents = (files: DevTlsFiles): string[] => Object.values(files).map((path) => readFileSync(path, 'utf8'))

test('dev certificates: a client that trusts only the CA connects with the demo client certificate', async () => {
  const files = await make()
  const server = createServer(
    {
      cert: readFileSync(files.serverCert),
      key: readFileSync(files.serverKey),
      ca: readFileSync(files.caCert),
      requestCert: true,
    },
    (incoming, answer) => {
      const socket = incoming.socket as TLSSocket
      answer.end(`${socket.authorized} ${socket.getPeerX509Certificate()?.subject.replace('\n', ' ')}`)
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const body = await new Promise<string>((resolve, reject) => {
    const options = {
      ca: readFileSync(files.caCert),
      cert: readFileSync(files.clientCert),
      key: readFileSync(files.clientKey),
    }
    const port = (server.address() as AddressInfo).port
    request({ ...options, host: '127.0.0.1', port, agent: false }, (answer) =>
      answer.on('data', (data) => resolve(String(data))),
    )
      .on('error', reject)
      .end()
  })
  server.close()
  expect(body).toBe('true O=Holdfast dev mode CN=dev-client')
})

test('dev certificates: the server names are localhost and both addresses; key usages are separate', async () => {
  const files = await make()
  const server = certificate(files.serverCert)
  expect(server.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
  expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
  expect(certificate(files.clientCert).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(certificate(files.caCert).ca).toBe(true)
  expect(server.ca).toBe(false)
})

test('dev certificates: the directory has mode 700 and the files 600', async () => {
  const files = await make()
  expect(statSync(join(directory, 'tls')).mode & 0o777).toBe(0o700)
  for (const path of Object.values(files)) expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('dev certificates: a second start keeps the files', async () => {
  const first = contents(await make())
  expect(contents(await make())).toEqual(first)
})

test('dev certificates: a certificate near its expiry is issued again by the same CA', async () => {
  const files = await make()
  const [authority, , server] = contents(files)
  await make(instant(systemClock.now() + 380 * day))
  expect(readFileSync(files.caCert, 'utf8')).toBe(authority)
  expect(readFileSync(files.serverCert, 'utf8')).not.toBe(server)
  expect(certificate(files.serverCert).verify(certificate(files.caCert).publicKey)).toBe(true)
})

test.each(['clientKey', 'clientCert'] as const)('dev certificates: a missing %s is made again', async (name) => {
  const files = await make()
  rmSync(files[name])
  await make()
  expect(certificate(files.clientCert).verify(certificate(files.caCert).publicKey)).toBe(true)
})

test('dev certificates: without its key the CA is replaced and all certificates are issued again', async () => {
  const files = await make()
  rmSync(files.caKey)
  await make()
  for (const path of [files.serverCert, files.clientCert]) {
    expect(certificate(path).verify(certificate(files.caCert).publicKey)).toBe(true)
  }
})

test('dev certificates: a damaged file or a new host name leads to a new certificate', async () => {
  const files = await make()
  writeFileSync(files.serverCert, 'rubbish')
  await make()
  expect(certificate(files.serverCert).checkHost('localhost')).toBe('localhost')
  await make(systemClock.now(), [...hosts, 'holdfast.internal'])
  expect(certificate(files.serverCert).checkHost('holdfast.internal')).toBe('holdfast.internal')
})
