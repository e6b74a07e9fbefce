import { mintCa, mintServer } from '../test/support/certificates.ts'
import type { Bench } from './harness/bench.ts'
import { startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'

const connections = 32
const body = JSON.stringify({ data: { keys: ['one', 'two', 'three'] } })

/** The verb LIST, which Node does not know, against GET, and both against Node without our listener. */
export const bench: Bench = {
  about: 'LIST and GET through the listener against GET on bare node:http',
  async *run(pace) {
    yield `Plain HTTP, ${connections} kept connections.\n\n${await compare(pace, false)}`
    yield `TLS 1.3, ${connections} kept connections.\n\n${await compare(pace, true)}`
  },
}

async function compare(pace: Pace, secure: boolean): Promise<string> {
  const root = mintCa()
  const { chainPem: cert, keyPem: key } = mintServer(root)
  const options = { body, tls: secure ? { cert, key } : undefined }
  const bare = await startChildServer(new URL('./servers/bare-http.ts', import.meta.url), options)
  const listener = await startChildServer(new URL('./servers/listener.ts', import.meta.url), options)
  const tls = secure ? { ca: root.pem } : undefined
  const contender = (name: string, server: typeof bare, verb: string, target?: number): Contender => {
    const requests = [requestBytes(verb, '/v1/auth/cert/certs', { 'x-request': 'bench' })]
    const client = openClient({ port: server.facts.port, requests, connections, tls })
    return { name, target, run: client.run, cpu: server.cpu }
  }
  try {
    const contenders = [
      contender('GET, bare node:http', bare, 'GET'),
      contender('GET, listener', listener, 'GET', 0.9),
      contender('LIST, listener', listener, 'LIST', 0.6),
    ]
    return renderRates(await compareRates(contenders, pace))
  } finally {
    await Promise.all([bare.stop(), listener.stop()])
  }
}
