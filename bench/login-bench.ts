import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import type { KeyKind } from '../test/support/certificate-parts.ts'
import { mintCrl } from '../test/support/certificates.ts'
import { longCrlEntries } from '../test/support/long-crl.ts'
import type { Bench } from './harness/bench.ts'
import { type ChildServer, startChildServer } from './harness/child-server.ts'
import { type Contender, compareRates, type Pace } from './harness/compare-rates.ts'
import { startHoldfast } from './harness/holdfast-server.ts'
import { asRoot, type BenchClients, clientTls, mintClients, serverTls, writeRoles } from './harness/login-servers.ts'
import { openClient, requestBytes } from './harness/raw-load.ts'
import { renderRates } from './harness/table.ts'

const connections = 16
const loginWithRole = requestBytes('POST', '/v1/auth/cert/login', {}, JSON.stringify({ name: 'zz-bench' }))
const loginWithoutRole = requestBytes('POST', '/v1/auth/cert/login', {}, '{}')

/** Certificate login: new, kept and resumed connections, ECDSA and RSA, one role and ten thousand. */
export const bench: Bench = {
  about: 'certificate login with one intermediate and a durable service token, against Node alone',
  async *run(pace) {
    yield* againstNode(pace, 'p256')
    yield* againstNode(pace, 'rsa2048')
    yield await compareManyRoles(pace, 10_000)
    yield await compareLongCrl(pace, 1_000_000)
  },
}

type LoginTarget = { readonly server: ChildServer; readonly port: number; readonly tls: ConnectionOptions }

function contender(name: string, place: LoginTarget, fresh: boolean, more: { target?: number; request?: Buffer } = {}) {
  const { server, port, tls } = place
  const requests = [more.request ?? loginWithRole]
  const client = openClient({ port, requests, connections, fresh, tls })
  return { name, target: more.target, run: client.run, cpu: server.cpu } satisfies Contender
}

const httpsOf = (server: ChildServer): number => Number(server.facts.httpsPort)

async function* againstNode(pace: Pace, keyKind: KeyKind): AsyncIterable<string> {
  const clients = mintClients(keyKind)
  const holdfast = await startHoldfast()
  await writeRoles(holdfast, clients, 1)
  const body = await sampleAnswer(holdfast, clients)
  const rivals = { body, tls: await serverTls(holdfast) }
  const bare = await startChildServer(new URL('./servers/bare-http.ts', import.meta.url), rivals)
  const route = await startChildServer(new URL('./servers/fastify-insert.ts', import.meta.url), rivals)
  const durable = await startChildServer(new URL('./servers/durable-insert.ts', import.meta.url), rivals)
  const tls = clientTls(clients)
  const at = (server: ChildServer, port: number): LoginTarget => ({ server, port, tls })
  const own = at(holdfast, httpsOf(holdfast))
  try {
    const settings = `client ${keyKind}, TLS 1.3, ${connections} callers`
    // First, since this compiles the server's code soonest. A server closes connections that wait too long for their
    // turn.
    const kept = await renderComparison(pace, [
      contender('one durable insert, Fastify', at(route, route.facts.port), false),
      contender('login by name', own, false, { target: 0.6 }),
      contender('login without a name', own, false, { request: loginWithoutRole }),
      contender('inserts that share commits, bare node:https', at(durable, durable.facts.port), false),
    ])
    yield `Kept connections, ${settings}.\n\n${kept}`
    const news = await renderComparison(pace, [
      contender('constant answer, bare node:https', at(bare, bare.facts.port), true),
      contender('login by name', own, true, { target: 0.75 }),
      contender('login without a name', own, true, { request: loginWithoutRole }),
    ])
    yield `A new connection for every login, ${settings}.\n\n${news}`
    const resumed = await renderComparison(pace, [
      resumingContender('constant answer, bare node:https', at(bare, bare.facts.port)),
      resumingContender('login by name', own),
    ])
    yield `A resumed session for every login, ${settings}.\n\n${resumed}`
  } finally {
    await Promise.all([bare, route, durable, holdfast].map((server) => server.stop()))
  }
}

const renderComparison = async (pace: Pace, contenders: readonly Contender[]): Promise<string> =>
  renderRates(await compareRates(contenders, pace))

/** The answer to a login, for baselines that only send it. */
async function sampleAnswer(server: ChildServer, clients: BenchClients): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: httpsOf(server), servername: 'localhost', ...clientTls(clients) })
  socket.write(loginWithRole)
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  const text = chunk.toString('utf8')
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`The first login failed: ${text}`)
  return text.slice(text.indexOf('\r\n\r\n') + 4)
}

/** Callers who open a connection for every login and resume the TLS session of the one before. */
function resumingContender(name: string, { server, port, tls }: LoginTarget): Contender {
  return {
    name,
    cpu: server.cpu,
    run: async (ms) => {
      const until = performance.now() + ms
      const callers = Array.from({ length: connections }, () => resumeUntil({ port, tls, until }))
      return (await Promise.all(callers)).reduce((sum, count) => sum + count, 0)
    },
  }
}

async function resumeUntil({ port, tls, until }: { port: number; tls: ConnectionOptions; until: number }) {
  let session: Buffer | undefined
  let done = 0
  while (performance.now() < until) {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      ...tls,
      ...(session ? { session } : {}),
    })
    const ticket = session ? undefined : once(socket, 'session')
    socket.write(loginWithRole)
    await once(socket, 'data')
    if (ticket) [session] = (await ticket) as [Buffer]
    else if (socket.isSessionReused()) done++
    else throw new Error('A session was not resumed.')
    socket.destroy()
  }
  return done
}

async function compareManyRoles(pace: Pace, count: number): Promise<string> {
  const clients = mintClients('p256')
  const [one, many] = [await startHoldfast(), await startHoldfast()]
  await writeRoles(one, clients, 1)
  await writeRoles(many, clients, count)
  const tls = clientTls(clients)
  const at = (server: ChildServer): LoginTarget => ({ server, port: httpsOf(server), tls })
  try {
    const contenders = [
      contender('one role', at(one), false, { request: loginWithoutRole }),
      contender(`${count} roles`, at(many), false, { request: loginWithoutRole, target: 0.5 }),
    ]
    const table = renderRates(await compareRates(contenders, pace))
    return `Login without a name, kept connections, ${count} roles on one CA of which the last one matches.\n\n${table}`
  } finally {
    await Promise.all([one.stop(), many.stop()])
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

/** Memory is compared between servers that have just started, both after the same logins. */
async function compareLongCrl(pace: Pace, entries: number): Promise<string> {
  const clients = mintClients('p256')
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  await storeLongCrl(dataDir, clients, entries)
  const [none, long] = [await startHoldfast(), await startHoldfast({ HOLDFAST_DATA_DIR: dataDir })]
  await writeRoles(none, clients, 1)
  const began = performance.now()
  const tls = clientTls(clients)
  await sampleAnswer(long, clients)
  const waited = performance.now() - began
  const at = (server: ChildServer): LoginTarget => ({ server, port: httpsOf(server), tls })
  try {
    const contenders = [
      contender('no list', at(none), false),
      contender(`a list of ${entries}`, at(long), false, { target: 0.9 }),
    ]
    const table = renderRates(await compareRates(contenders, pace))
    const more = (await long.memory()) - (await none.memory())
    const facts = `${megabytes(more)} more memory; the first login after the start waited ${waited.toFixed(0)} ms for the list`
    return `Login by name, kept connections, with a revocation list of ${entries} entries: ${facts}.\n\n${table}`
  } finally {
    await Promise.all([none.stop(), long.stop()])
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Leaves a store with one role and the list in a directory. */
async function storeLongCrl(dataDir: string, clients: BenchClients, entries: number): Promise<void> {
  const server = await startHoldfast({ HOLDFAST_DATA_DIR: dataDir })
  try {
    await writeRoles(server, clients, 1)
    const crl = mintCrl(clients.root, { revokedDer: longCrlEntries(entries), nextUpdate: null }).der.toString('base64')
    await asRoot(server, 'auth/cert/crls/long', { crl })
  } finally {
    await server.stop()
  }
}
