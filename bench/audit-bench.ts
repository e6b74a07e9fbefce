import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates } from './harness/compare-rates.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const headers = { 'x-service-token': benchRootToken }

/** An authenticated read with and without an audit device. */
export const bench: Bench = {
  about: 'an authenticated read with and without an audit file device',
  run: async (pace) => {
    const servers = await Promise.all([startHoldfast(), startHoldfast()])
    const [plain, audited] = servers
    try {
      await enableFileDevice(audited)
      const contenders = [await contender('no device', plain), await contender('file device', audited, 0.8)]
      return [`Plain HTTP, ${connections} kept connections.\n\n${renderRates(await compareRates(contenders, pace))}`]
    } finally {
      for (const server of servers) {
        await server.stop()
        rmSync(String(server.facts.dataDir), { recursive: true, force: true })
      }
    }
  },
}

const startHoldfast = (): Promise<ChildServer> =>
  startChildServer(new URL('./servers/holdfast.ts', import.meta.url), {})

async function contender(name: string, server: ChildServer, target?: number): Promise<Contender> {
  const requests = [requestBytes('GET', '/v1/sys/key-status', headers)]
  const client = await openClient({ port: server.facts.port, requests, connections })
  return { name, target, run: client.run, cpu: server.cpu }
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
