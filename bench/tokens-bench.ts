import { startBareCopy } from './harness/bare-copy.ts'
import type { Bench } from './harness/bench.ts'
import type { ChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'

const connections = 32
const path = '/v1/auth/token/lookup-self'
const asRoot = { 'x-service-token': benchRootToken, 'content-type': 'application/json' }

/** How a server is filled, and how many of its tokens are in use. */
type Size = { readonly tokens: number; readonly policies: number; readonly inUse: number }

const small: Size = { tokens: 100, policies: 1, inUse: 100 }
const large: Size = { tokens: 100_000, policies: 1_000, inUse: 10_000 }

/** Reads by tokens with policies: against Node alone, and with many tokens and policies against few. */
export const bench: Bench = {
  about: 'a token that looks itself up: against bare node:http, and among 100,000 tokens and 1,000 policies',
  async *run(pace) {
    const few = await startFilledServer(small)
    const many = await startFilledServer(large)
    try {
      yield `Against Node, ${connections} kept connections.\n\n${await againstNode(pace, few)}`
      yield `${large.tokens} tokens, ${large.inUse} of them in use, ${large.policies} policies, against ${small.tokens} tokens and one policy.\n\n${await compareTokenCounts(pace, few, many)}`
    } finally {
      await Promise.all([few.stop(), many.stop()])
    }
  },
}

const textOf = (n: number): string => `bench-token-${n}`

async function startFilledServer({ tokens, policies }: Size): Promise<ChildServer> {
  const server = await startHoldfast()
  const policy = (n: number) => `path "secret/team-${n}/*" { capabilities = ["read", "list"] }`
  await send(server, policies, 204, (n) => [`/v1/sys/policies/acl/team-${n}`, { policy: policy(n) }])
  await send(server, tokens, 200, (n) => [
    '/v1/auth/token/create',
    { id: textOf(n), policies: [`team-${n % policies}`], no_parent: true },
  ])
  return server
}

/** Sends numbered writes until there are enough of them. */
async function send(
  server: ChildServer,
  count: number,
  status: number,
  write: (n: number) => readonly [string, object],
): Promise<void> {
  const requests = (n: number): Buffer => {
    const [target, body] = write(n)
    return requestBytes('POST', target, asRoot, JSON.stringify(body))
  }
  const client = openClient({ port: server.facts.port, requests, connections, status })
  for (let done = 0; done < count; ) done += await client.run(200)
  client.close()
}

async function againstNode(pace: Pace, holdfast: ChildServer): Promise<string> {
  const headers = { 'x-service-token': textOf(0) }
  const bare = await startBareCopy(holdfast, path, headers)
  try {
    const contenders = [reader('bare node:http', bare, small.inUse), reader('holdfast', holdfast, small.inUse, 0.5)]
    return renderRates(await compareRates(contenders, pace))
  } finally {
    await bare.stop()
  }
}

const compareTokenCounts = async (pace: Pace, few: ChildServer, many: ChildServer): Promise<string> =>
  renderRates(
    await compareRates([reader('few tokens', few, small.inUse), reader('many tokens', many, large.inUse, 0.9)], pace),
  )

function reader(name: string, server: ChildServer, inUse: number, target?: number): Contender {
  const requests = Array.from({ length: inUse }, (_, n) => requestBytes('GET', path, { 'x-service-token': textOf(n) }))
  const client = openClient({ port: server.facts.port, requests, connections })
  return { name, target, run: client.run, cpu: server.cpu }
}
