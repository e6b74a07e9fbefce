import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Bench } from './harness/bench.ts'
import { type Contender, compareCpu, type Pace, takeSamples } from './harness/compare-rates.ts'
import { type DevServer, startDevServer } from './harness/dev-server.ts'
import { asRoot } from './harness/login-servers.ts'
import { bearerHeaders, documentOf, send } from './harness/platform-client.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderTable } from './harness/table.ts'
import { benchRootToken } from './servers/holdfast.ts'
import { readContender, workspacesPath } from './workspaces/load.ts'
import { lockContender } from './workspaces/locks.ts'

const variable = 'HOLDFAST_BENCH_AGAINST'
const writers = 16
const ownToken = 'bench-token'

/** Processor time of one request, here and in another checkout. */
export const bench: Bench = {
  about: `processor time of one request against another checkout, which ${variable} names`,
  async *run(pace) {
    const other = process.env[variable]
    if (other === undefined) yield `Left out: ${variable} does not name the folder of another checkout.`
    else yield await compareCheckouts(pace, other)
  },
}

async function compareCheckouts(pace: Pace, other: string): Promise<string> {
  if (!existsSync(join(other, 'server/main.ts')))
    throw new Error(`${variable} is '${other}', but there is no server/main.ts; name the folder of a checkout.`)
  const servers = [await startFilledServer(other), await startFilledServer(join(import.meta.dirname, '..'))]
  try {
    const rows: string[][] = []
    for (const [name, contenderOf] of Object.entries(requests)) {
      const contenders: Contender[] = []
      for (const server of servers) contenders.push(await contenderOf(server))
      const [theirs = [], ours = []] = await takeSamples(contenders, pace)
      const { times, ratio, range } = compareCpu(theirs, ours)
      const figures = [...times.map((time) => time.toFixed(1)), ratio.toFixed(2)]
      rows.push([name, ...figures, range.map((end) => end.toFixed(2)).join('–')])
    }
    return renderTable(['CPU µs each', 'other', 'this', 'ratio', 'half of the rounds'], rows)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** The requests that are measured, each by its own load. */
const requests: Record<string, (server: DevServer) => Promise<Contender>> = {
  'show a workspace': async (server) => {
    const id = await makeWorkspace(server, 'shown')
    return readContender('show', server, `/api/v2/workspaces/${id}`)
  },
  'page of 20 workspaces': async (server) => {
    for (let n = 0; n < 20; n++) await makeWorkspace(server, `listed-${n}`)
    return readContender('list', server, workspacesPath('large', '?page[size]=20'))
  },
  'lock and unlock': lockContender,
  'change a workspace': async (server) => {
    const ids: string[] = []
    for (let n = 0; n < writers; n++) ids.push(await makeWorkspace(server, `changed-${n}`))
    const headers = { ...bearerHeaders(benchRootToken), 'content-type': 'application/vnd.api+json' }
    return writeContender(server, 200, (writer, n) => {
      const document = documentOf('workspaces', { description: `change ${n}` })
      return requestBytes('PATCH', `/api/v2/workspaces/${ids[writer]}`, headers, JSON.stringify(document))
    })
  },
  'certificate login, new connection': async ({ facts, cpu }) => {
    const [cert, key] = [readFileSync(facts.client_cert), readFileSync(facts.client_key)]
    const tls = { secureContext: createSecureContext({ cert, key, minVersion: 'TLSv1.3' }), rejectUnauthorized: false }
    const login = requestBytes('POST', '/v1/auth/cert/login', {}, '{}')
    const load = { port: facts.httpsPort, requests: [login], connections: writers, fresh: true, tls }
    return { name: 'login', run: openClient(load).run, cpu }
  },
  'write a policy': async (server) => {
    const headers = { ...bearerHeaders(benchRootToken), 'content-type': 'application/json' }
    return writeContender(server, 204, (writer, n) => {
      const policy = `path "secret/team-${n}/*" { capabilities = ["read", "list"] }`
      return requestBytes('POST', `/v1/sys/policies/acl/bench-${writer}`, headers, JSON.stringify({ policy }))
    })
  },
  'look up the own token': async (server) => {
    await asRoot(server, 'auth/token/create', { id: ownToken, policies: ['default'], no_parent: true })
    return readContender('look up', server, '/v1/auth/token/lookup-self', { token: ownToken })
  },
}

async function startFilledServer(checkout: string): Promise<DevServer> {
  const server = await startDevServer({ checkout, environment: { HOLDFAST_ROOT_TOKEN: benchRootToken } })
  await send(server, '/organizations', documentOf('organizations', { name: 'large', email: 'bench@example.com' }))
  return server
}

const makeWorkspace = async (server: DevServer, name: string): Promise<string> =>
  (await send(server, '/organizations/large/workspaces', documentOf('workspaces', { name }))).id

/** Callers that change something at the same time, each a thing of its own; every request has another number. */
function writeContender(
  { facts, cpu }: DevServer,
  status: number,
  request: (writer: number, n: number) => Buffer,
): Contender {
  const clients = Array.from({ length: writers }, (_, writer) =>
    openClient({ port: facts.port, requests: (n) => request(writer, n), connections: 1, status }),
  )
  const run = async (ms: number): Promise<number> => {
    const counts = await Promise.all(clients.map((client) => client.run(ms)))
    return counts.reduce((sum, count) => sum + count, 0)
  }
  return { name: 'write', run, cpu }
}
