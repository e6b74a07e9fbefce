import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent, type RequestOptions as TlsOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { type GuardedResolver, pinnedLookup, resolveChecked } from './resolve.ts'

/** Connections for libraries that make requests themselves; whoever takes them destroys them. */
export type GuardedAgents = {
  readonly http: HttpAgent
  readonly https: HttpsAgent
  /** The one for the scheme of a URL. */
  of(url: URL): HttpAgent
  destroy(): void
}

type Done = (error: Error | null, stream: Duplex) => void

/** Agents that connect only to addresses that passed the guard. */
export function guardedAgents(names: GuardedResolver): GuardedAgents {
  const http = new GuardedHttpAgent(names)
  const https = new GuardedHttpsAgent(names)
  return {
    http,
    https,
    of: ({ protocol }) => (protocol === 'https:' ? https : http),
    destroy: () => {
      http.destroy()
      https.destroy()
    },
  }
}

const usual: AgentOptions = { keepAlive: true, maxSockets: 50 }

class GuardedHttpAgent extends HttpAgent {
  readonly #names: GuardedResolver

  constructor(names: GuardedResolver) {
    super(usual)
    this.#names = names
  }

  override createConnection(options: ClientRequestArgs, done?: Done): undefined {
    connectChecked(this.#names, options, (checked) => super.createConnection(checked), done)
  }
}

class GuardedHttpsAgent extends HttpsAgent {
  readonly #names: GuardedResolver

  constructor(names: GuardedResolver) {
    super(usual)
    this.#names = names
  }

  override createConnection(options: TlsOptions, done?: Done): undefined {
    connectChecked(this.#names, options, (checked) => super.createConnection(checked), done)
  }
}

/** Checks here and not in a `lookup`, which is not asked for a host that is given by its address. */
function connectChecked<T extends ClientRequestArgs>(
  names: GuardedResolver,
  options: T,
  connect: (options: T) => Duplex | null | undefined,
  done: Done | undefined,
): void {
  const connected = resolveChecked(names, options.host ?? 'localhost').then((addresses) => {
    const stream = connect({ ...options, lookup: pinnedLookup(addresses) })
    if (!stream) throw new Error('There is no connection.')
    return stream
  })
  connected.then(
    (stream) => done?.(null, stream),
    // The types want a connection even where there is none.
    (thrown) => done?.(thrown, undefined as unknown as Duplex),
  )
}
