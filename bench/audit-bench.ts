import { request } from 'node:http'
import { join } from 'node:path'
import type { Bench } from './harness/bench.ts'
import type { ChildServer } from './harness/child-server.ts'
import { type Contender, compareRates } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const headers = { 'x-service-token': benchRootToken }

/** Callers use TLS; without it the share of the device is clearer. */
const listeners = ['TLS', 'Plain HTTP'] as const

type Listener = (typeof listeners)[number]

/** An authenticated read with and without an audit device. */
export const bench: Bench = {
  about: 'an authenticated read with and without an audit file device',
  async *run(pace) {
    const servers = await Promise.all([startHoldfast(), startHoldfast()])
    const [plain, audited] = servers
    try {
      await enableFileDevice(audited)
      for (const listener of listeners) {
        const contenders = [contender('no device', plain, listener), contender('file device', audited, listener, 0.8)]
        yield `${listener}, ${connections} kept connections.\n\n${renderRates(await compareRates(contenders, pace))}`
      }
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
  },
}

function contender(name: string, { facts, cpu }: ChildServer, listener: Listener, target?: number): Contender {
  const requests = [requestBytes('GET', '/v1/sys/key-status', headers)]
  const place =
    listener === 'TLS' ? { port: Number(facts.httpsPort), tls: { rejectUnauthorized: false } } : { port: facts.port }
  const client = openClient({ ...place, requests, connections })
  return { name, target, run: client.run, cpu }
}

async function enableFileDevice({ facts }: ChildServer): Promise<void> {
  const body = JSON.stringify({ type: 'file', options: { file_path: join(String(facts.dataDir), 'audit.log') } })
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const options = { host: '127.0.0.1', port: facts.port, method: 'PUT', path: '/v1/sys/audit/file', headers }
  request(options, (answer) => resolve(answer.resume().statusCode))
    .on('error', reject)
    .end(body)
  const status = await promise
  if (status !== 204) throw new Error(`The audit device was not enabled: ${status}`)
}
