import type { ChildServer } from '../harness/child-server.ts'
import type { Contender } from '../harness/compare-rates.ts'
import { benchRootToken } from '../servers/holdfast.ts'
import { Connection } from './connection.ts'
import type { GeneratedState } from './generated-state.ts'
import { repeat } from './repeat.ts'

type Document = { data: { id: string; attributes: Record<string, string> } }

const bareName = (done: string, count: number): string => `the same behind bare node:http, ${done}, ${count} at once`

/** A client that does little besides sending and counting, so that the server is what is measured. */
export class StateClient {
  readonly #server: ChildServer
  readonly #idle: Connection[] = []
  #token = benchRootToken

  private constructor(server: ChildServer) {
    this.#server = server
  }

  /** The same client for a bare server that stores what it is sent: this many callers who send, and who load. */
  static async bareContenders(
    server: ChildServer,
    state: GeneratedState,
    callers: readonly number[],
  ): Promise<{ writes: Contender[]; reads: Contender[] }> {
    const client = new StateClient(server)
    const send = (method: string, body?: Buffer) => client.#send(method, '/', { body }, () => undefined)
    const bring = async (): Promise<void> => {
      await send('POST', Buffer.from(JSON.stringify(state.next())))
      await send('PUT', state.bytes)
    }
    const of = (done: string, work: () => Promise<void>) => (count: number) => ({
      ...client.#contender(bareName(done, count), new Array(count).fill(0), (ms) => repeat(ms, work)),
      target: undefined,
    })
    await send('PUT', state.bytes)
    return {
      writes: [of('uploaded', () => send('PUT', state.bytes))(1), ...callers.map(of('announced and uploaded', bring))],
      reads: callers.map(of('downloaded', () => send('GET'))),
    }
  }

  /** Signs in as the owner of a fresh organization. */
  static async open(server: ChildServer): Promise<StateClient> {
    const client = new StateClient(server)
    const user = await client.call('POST', '/admin/users', 'users', { username: 'owner', email: 'owner@example.com' })
    const issued = await client.call('POST', `/users/${user.data.id}/authentication-tokens`, 'authentication-tokens')
    client.#token = issued.data.attributes.token ?? ''
    await client.call('POST', '/organizations', 'organizations', { name: 'bench', email: 'a@example.com' })
    return client
  }

  /** The headers of the owner. */
  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}`, 'content-type': 'application/vnd.api+json' }
  }

  /** A new workspace, locked by the owner. */
  async lockedWorkspace(name: string): Promise<string> {
    const { data } = await this.call('POST', '/organizations/bench/workspaces', 'workspaces', { name })
    await this.call('POST', `/workspaces/${data.id}/actions/lock`)
    return data.id
  }

  /** Calls the API and expects success. */
  async call(method: string, path: string, type?: string, attributes: object = {}): Promise<Document> {
    const body = type && Buffer.from(JSON.stringify({ data: { type, attributes } }))
    const parts: Buffer[] = []
    await this.#send(
      method,
      `/api/v2${path}`,
      { headers: this.headers, body },
      (piece) => void parts.push(Buffer.from(piece)),
    )
    return JSON.parse(Buffer.concat(parts).toString() || '{}') as Document
  }

  /** Announces and uploads a state. */
  async upload(workspaceId: string, state: GeneratedState): Promise<string> {
    const path = `/workspaces/${workspaceId}/state-versions`
    const made = await this.call('POST', path, 'state-versions', state.next())
    const url = new URL(made.data.attributes['hosted-state-upload-url'] ?? '')
    await this.#send('PUT', url.pathname, { body: state.bytes }, () => undefined)
    return made.data.id
  }

  /** This many callers who announce and upload, each in a workspace of its own. */
  async uploads(states: readonly GeneratedState[], name: string): Promise<Contender> {
    const lanes: [string, GeneratedState][] = []
    for (const [lane, state] of states.entries()) lanes.push([await this.lockedWorkspace(`${name}-${lane}`), state])
    const lane = (ms: number, [id, state]: [string, GeneratedState]) =>
      repeat(ms, async () => void (await this.upload(id, state)))
    return this.#contender(`announced and uploaded, ${lanes.length} at once`, lanes, lane)
  }

  /** One caller who sends the state within its announcement. */
  async inlineUploads(state: GeneratedState, name: string): Promise<Contender> {
    const id = await this.lockedWorkspace(name)
    const bring = async (): Promise<void> => {
      const announced = { ...state.next(), state: state.bytes.toString('base64') }
      await this.call('POST', `/workspaces/${id}/state-versions`, 'state-versions', announced)
    }
    return this.#contender('within its announcement, 1 at once', [0], (ms) => repeat(ms, bring))
  }

  /** This many callers who load the same state. */
  async downloads(workspaceId: string, state: GeneratedState, callers: number): Promise<Contender> {
    const shown = await this.call('GET', `/state-versions/${await this.upload(workspaceId, state)}`)
    const { pathname } = new URL(shown.data.attributes['hosted-state-download-url'] ?? '')
    const load = async () => {
      let size = 0
      await this.#send('GET', pathname, {}, (piece) => {
        size += piece.length
      })
      if (size !== state.bytes.length) throw new Error(`${size} bytes came of ${state.bytes.length}`)
    }
    return this.#contender(`downloaded, ${callers} at once`, new Array(callers).fill(0), (ms) => repeat(ms, load))
  }

  #contender<Lane>(name: string, lanes: readonly Lane[], work: (ms: number, lane: Lane) => Promise<number>): Contender {
    const run = async (ms: number) => {
      const counts = await Promise.all(lanes.map((lane) => work(ms, lane)))
      return counts.reduce((sum, count) => sum + count, 0)
    }
    return { name, run, target: 0.5, cpu: this.#server.cpu }
  }

  async #send(
    method: string,
    path: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer | undefined | '' },
    take: (piece: Buffer) => void,
  ): Promise<void> {
    const idle = this.#idle.pop()
    const connection = idle && !idle.isClosed ? idle : await Connection.open(this.#server.facts.port)
    const beginning: Buffer[] = []
    const status = await connection.send({
      method,
      path,
      headers,
      body: body || undefined,
      onPiece: (piece) => {
        if (beginning.length === 0) beginning.push(Buffer.from(piece.subarray(0, 1_000)))
        take(piece)
      },
    })
    this.#idle.push(connection)
    if (status >= 400) throw new Error(`${method} ${path}: ${status} ${Buffer.concat(beginning)}`)
  }
}
