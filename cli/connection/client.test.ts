import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { mintCa, mintServer } from '../../test/support/certificates.ts'
import { createClient } from './client.ts'
import type { Connection } from './server-connection.ts'

const ca = mintCa()
const pair = mintServer(ca, { ips: ['127.0.0.1'] })

test('client: a command does not load what it does not use', () => {
  const program = `await import('${import.meta.resolve('./client.ts')}'); console.log(process.moduleLoadList.join())`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(stdout).toContain('NativeModule _http_client')
  expect(stdout).not.toContain('undici/undici')
})

test('client: successive calls share a connection, calls with another identity do not', async () => {
  const server = createServer({ cert: pair.pem, key: pair.keyPem }, (_request, response) => response.end())
  let handshakes = 0
  server.on('secureConnection', () => handshakes++)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const trusting: Connection = {
    address,
    token: undefined,
    ca: Buffer.from(ca.pem),
    cert: undefined,
    key: undefined,
    skipVerify: false,
    timeoutMs: 10_000,
  }
  const ask = (connection: Connection) => createClient(connection).ask({ method: 'GET', path: '/v1/sys/health' })
  for (let calls = 0; calls < 5; calls++) expect((await ask(trusting)).status).toBe(200)
  expect(handshakes).toBe(1)
  await ask({ ...trusting, skipVerify: true })
  expect(handshakes).toBe(2)
  await expect(ask({ ...trusting, ca: undefined })).rejects.toThrow('is not trusted')
})
