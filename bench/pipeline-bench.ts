import { startBareCopy } from './harness/bare-copy.ts'
import type { Bench } from './harness/bench.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const token = { 'x-service-token': benchRootToken }

/** Routes from the cheapest to one with token, policy and store. */
const routes: readonly (readonly [string, string, Record<string, string>, number | undefined])[] = [
  ['seal status, no token', '/v1/sys/seal-status', {}, 0.6],
  ['key status, root token', '/v1/sys/key-status', token, 0.5],
  ['read of a policy, root token', '/v1/sys/policies/acl/default', token, 0.5],
]

/** The whole request pipeline against Node alone sending the same bytes. */
export const bench: Bench = {
  about: 'requests through the whole pipeline against bare node:http with the same answers',
  async *run(pace) {
    for (const [name, path, headers, target] of routes) {
      yield `${name}, ${connections} kept connections.\n\n${await compare(pace, path, headers, target)}`
    }
  },
}

async function compare(
  pace: Pace,
  path: string,
  headers: Record<string, string>,
  target: number | undefined,
): Promise<string> {
  const holdfast = await startHoldfast()
  const bare = await startBareCopy(holdfast, path, headers)
  const contender = (name: string, server: typeof bare, wanted?: number): Contender => {
    const requests = [requestBytes('GET', path, headers)]
    const client = openClient({ port: server.facts.port, requests, connections })
    return { name, target: wanted, run: client.run, cpu: server.cpu }
  }
  try {
    const contenders = [contender('bare node:http', bare), contender('holdfast', holdfast, target)]
    return renderRates(await compareRates(contenders, pace))
  } finally {
    await Promise.all([bare.stop(), holdfast.stop()])
  }
}
