// npm run trace -- lock|login|show|list|snapshot [--all] [--json]
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as requestTls } from 'node:https'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DevServer, startDevServer } from '../bench/harness/dev-server.ts'
import { COMPILE_CACHE } from './setup/root.mjs'
import type { Recording } from './trace-hook.ts'

/** A call of a function; `depth` is how many functions of the server were on the stack. */
type Step = { readonly file: string; readonly name: string; readonly function: number; readonly depth: number }

/** A request, what has to be done before it can be sent again, and how often it is sent if not as often as others. */
type Traced = { send(): Promise<unknown>; undo?(): Promise<unknown>; repeats?: number }

/**
 * How much runs. A hop is a change from one file to another from one call to the next, the first call included; a hop
 * to a file that ran before is a return.
 */
type Figures = { files: number; functions: number; calls: number; hops: number; returns: number }

const columns = ['files', 'functions', 'calls', 'hops', 'returns'] as const
/** How often a request is sent. The first half warms the server up; of the others, the shortest trace is shown. */
const repeats = 80
/** The end of a request follows its answer. Background work may fall into it, but not into every trace. */
const settleMs = 10

/** What can be traced. */
const kinds: Record<string, (server: DevServer) => Promise<Traced>> = {
  show: async (server) => {
    const [id] = await makeWorkspaces(server)
    return { send: () => call(server, 'GET', `/api/v2/workspaces/${id}`) }
  },
  list: async (server) => {
    await makeWorkspaces(server)
    return { send: () => call(server, 'GET', workspaces) }
  },
  lock: async (server) => {
    const [id] = await makeWorkspaces(server)
    const action = (name: string) => () => call(server, 'POST', `/api/v2/workspaces/${id}/actions/${name}`)
    return { send: action('lock'), undo: action('unlock') }
  },
  login: async (server) => ({ send: () => login(server) }),
  snapshot: async (server) => {
    const path = '/v1/sys/storage/raft/snapshot-auto'
    const local = { interval: '1h', path_prefix: server.facts.dataDir, storage_type: 'local', local_max_space: 2 ** 30 }
    await call(server, 'POST', `${path}/config/traced`, local)
    return { send: () => call(server, 'POST', `${path}/run/traced`, { wait: 60 }), repeats: 5 }
  },
}

const workspaces = '/api/v2/organizations/traced/workspaces'

/** Makes an organization with seven workspaces. */
async function makeWorkspaces(server: DevServer): Promise<string[]> {
  const ids: string[] = []
  const data = { type: 'organizations', attributes: { name: 'traced', email: 'trace@example.com' } }
  await call(server, 'POST', '/api/v2/organizations', { data })
  for (let n = 1; n <= 7; n++) {
    const data = { type: 'workspaces', attributes: { name: `traced-${n}` } }
    const answer = (await call(server, 'POST', workspaces, { data })) as { data: { id: string } }
    ids.push(answer.data.id)
  }
  return ids
}

async function call({ facts }: DevServer, verb: string, path: string, body?: object): Promise<unknown> {
  const type = path.startsWith('/v1') ? 'application/json' : 'application/vnd.api+json'
  const headers = { authorization: `Bearer ${facts.root_token}`, 'content-type': type }
  const text = body && JSON.stringify(body)
  const answer = await fetch(`http://127.0.0.1:${facts.port}${path}`, { method: verb, headers, body: text })
  const answered = await answer.text()
  if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${answered}`)
  return answered === '' ? undefined : JSON.parse(answered)
}

async function login({ facts }: DevServer): Promise<void> {
  const [cert, key] = [readFileSync(facts.client_cert), readFileSync(facts.client_key)]
  const place = { host: '127.0.0.1', port: facts.httpsPort, path: '/v1/auth/cert/login', method: 'POST' }
  const sent = requestTls({ ...place, cert, key, rejectUnauthorized: false, agent: false }).end('{}')
  const [answer] = await once(sent, 'response')
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200) throw new Error(`The login was answered with ${answer.statusCode}.`)
}

/** Starts a server and records what one request of a kind runs when the server is warm. */
export async function trace(kind: string): Promise<Step[]> {
  const server = await startDevServer({
    checkout: join(import.meta.dirname, '..'),
    preload: new URL('./trace-hook.ts', import.meta.url),
    // Changed modules must not replace the usual ones in their cache.
    environment: { NODE_COMPILE_CACHE: `${COMPILE_CACHE}-trace` },
  })
  try {
    const traced = await kinds[kind]?.(server)
    if (!traced) throw new Error(`There is no trace of '${kind}'.`)
    const found: Step[][] = []
    for (let n = 0; n < (traced.repeats ?? repeats); n++) found.push(await record(server, traced))
    const warm = found.slice(found.length / 2)
    return warm.reduce((shortest, other) => (other.length < shortest.length ? other : shortest))
  } finally {
    await server.stop()
  }
}

async function record(server: DevServer, { send, undo }: Traced): Promise<Step[]> {
  await ask(server, 'record')
  await send()
  await wait(settleMs)
  const { functions, calls } = await ask(server, 'stop')
  await undo?.()
  return calls.map(([called, depth]) => ({ file: '', name: '', ...functions[called], function: called, depth }))
}

async function ask({ process: child }: DevServer, message: 'record' | 'stop'): Promise<Recording> {
  const answer = once(child, 'message')
  child.send(message)
  const [told] = await answer
  if (told !== 'ready') return told
  // The server has said first that it is there.
  const [recording] = await once(child, 'message')
  return recording
}

/** Counts what runs, by folder; a hop counts for the folder that it leads to. */
export function figuresBy(folderOf: (file: string) => string, steps: readonly Step[]): Record<string, Figures> {
  const figures: Record<string, Figures> = {}
  const seen = new Set<string | number>()
  const isNew = (key: string | number): boolean => seen.size < seen.add(key).size
  for (const [index, step] of steps.entries()) {
    const folder = folderOf(step.file)
    figures[folder] ??= { files: 0, functions: 0, calls: 0, hops: 0, returns: 0 }
    const sums = figures[folder]
    const isHop = steps[index - 1]?.file !== step.file
    sums.calls++
    if (isNew(step.function)) sums.functions++
    if (isHop) sums.hops++
    if (isNew(step.file)) sums.files++
    else if (isHop) sums.returns++
  }
  return figures
}

/** Two levels below `server`. */
const folderOf = (file: string): string => dirname(file).split('/').slice(0, 3).join('/')

function render(steps: readonly Step[], withAll: boolean): string {
  const folders = Object.entries(figuresBy(folderOf, steps)).sort(([, a], [, b]) => b.calls - a.calls)
  const rows = [...Object.entries(figuresBy(() => 'in all', steps)), ...folders]
  const width = Math.max(...rows.map(([name]) => name.length))
  const head = `${' '.repeat(width)}  ${columns.join('  ')}`
  const lines = rows.map(([name, figures]) =>
    [name.padEnd(width), ...columns.map((column) => String(figures[column]).padStart(column.length))].join('  '),
  )
  const all = steps.map(({ file, name, depth }) => `${'  '.repeat(depth - 1)}${file}:${name}`)
  const legend = 'A hop is a change of file between two calls; a return is a hop to a file that ran before.'
  return [head, ...lines, '', legend, ...(withAll ? ['', ...all] : [])].join('\n')
}

async function main(args: string[]): Promise<number> {
  const options = { all: { type: 'boolean' }, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [kind = ''] = positionals
  if (!Object.hasOwn(kinds, kind) || positionals.length > 1) {
    const wrong = positionals.length > 0 ? `'${positionals.join(' ')}' is no request that can be traced.\n` : ''
    console.error(`${wrong}Usage: npm run trace -- ${Object.keys(kinds).join('|')} [--all] [--json]`)
    return 2
  }
  const steps = await trace(kind)
  const figures = {
    ...figuresBy(() => 'total', steps),
    folders: figuresBy(folderOf, steps),
    ...(values.all && { steps }),
  }
  console.log(values.json ? JSON.stringify(figures) : render(steps, values.all ?? false))
  return 0
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2))
