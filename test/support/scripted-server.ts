import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { connectionOf, defaultListenerLimits, type Listener, openListener } from '../../server/http/listener/index.ts'
import { mintCa, mintLeaf, mintServer } from './certificates.ts'
import { type CommandResult, runCommand } from './command-line.ts'

type SeenRequest = {
  method: string
  url: string
  token: unknown
  wrapTtl: unknown
  authorization: unknown
  certificate: boolean
  body: unknown
}
type Reply = { status: number; body?: unknown; text?: string; isCutOff?: boolean }

/** A server for commands: it records requests, and gives the answers that a test has prepared. */
type ScriptedServer = {
  /** The requests of this test so far. */
  seen: SeenRequest[]
  /** How the next requests are answered; by default with 204. */
  reply: Reply
  /** A folder of the test's own, with `ca.pem`, `client.pem` and `client-key.pem`; also the home of commands. */
  directory: string
  readonly caPem: string
  readonly address: () => string
  /** The environment of commands that find the server and trust it. */
  readonly trustingEnvironment: () => Record<string, string>
  readonly run: (
    args: readonly string[],
    environment?: Record<string, string>,
    input?: string,
  ) => Promise<CommandResult>
}

/** Sets one up for the tests of a file. */
export function scriptedServer(): ScriptedServer {
  const ca = mintCa()
  const serverPair = mintServer(ca, { ips: ['127.0.0.1'] })
  const clientPair = mintLeaf(ca, { commonName: 'web' })
  let listener: Listener
  const address = (): string => `https://127.0.0.1:${listener.address.port}`
  const trustingEnvironment = () => ({ HOLDFAST_ADDR: address(), HOLDFAST_CACERT: join(server.directory, 'ca.pem') })
  const server: ScriptedServer = {
    seen: [],
    reply: { status: 204 },
    directory: '',
    caPem: ca.pem,
    address,
    trustingEnvironment,
    run: (args, environment = trustingEnvironment(), input = '') => {
      const { directory } = server
      return runCommand(args, { environment, directory, home: directory, readInput: async () => input })
    },
  }

  beforeAll(async () => {
    const tls = { cert: serverPair.pem, key: serverPair.keyPem, clientCertificate: 'request' } as const
    const options = { name: 'test', host: '127.0.0.1', port: 0, tls, limits: defaultListenerLimits }
    listener = await openListener(options, (request, response) => void answer(server, request, response))
  })
  afterAll(() => listener.close(0))

  beforeEach(() => {
    server.directory = mkdtempSync(join(tmpdir(), 'holdfast-cli-'))
    writeFileSync(join(server.directory, 'ca.pem'), ca.pem)
    writeFileSync(join(server.directory, 'client.pem'), clientPair.pem)
    writeFileSync(join(server.directory, 'client-key.pem'), clientPair.keyPem)
    server.seen = []
    server.reply = { status: 204 }
  })
  afterEach(() => rmSync(server.directory, { recursive: true }))
  return server
}

async function answer(server: ScriptedServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const { reply } = server
  server.seen.push({
    method: request.method ?? '',
    url: request.url ?? '',
    token: request.headers['x-service-token'],
    wrapTtl: request.headers['x-service-wrap-ttl'],
    authorization: request.headers.authorization,
    certificate: connectionOf(request).certificate !== undefined,
    body: body === '' ? undefined : JSON.parse(body),
  })
  response.writeHead(reply.status, { 'content-type': 'application/json' })
  if (reply.isCutOff) return void response.write('{"data":', () => response.destroy())
  response.end(reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body)))
}
