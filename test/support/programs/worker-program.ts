import type { IncomingMessage, ServerResponse } from 'node:http'
import { connectionOf, defaultListenerLimits, openListener } from '../../../server/http/listener/index.ts'
import { textOf } from '../../../server/kernel/failure.ts'
import type { Log } from '../../../server/kernel/log.ts'
import { runWorkers, type Worker } from '../../../server/workers.ts'

/** A small server in several processes, whose argument says how to behave; it prints what happens. */

type Settings = {
  count: number
  port?: number
  graceMs?: number
  beatMs?: number
  hangup?: 'reload' | 'stop'
  hangs?: boolean
  /** It receives no messages for a while after it was told to stop. */
  isBusyWhenStopping?: boolean
  failsToStart?: boolean
  /** The worker with this number answers no messages. */
  silent?: number
  /** The worker with this number crashes at once. */
  crashes?: number
  tls?: { cert: string; key: string }
}

const own = () => ({ pid: process.pid, bytes: Buffer.from('é') })

const settings = JSON.parse(process.argv[2] ?? '') as Settings
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const me = `pid=${process.pid}`

const line = (fields: object, message: string): void =>
  say(
    `${message} ${Object.entries(fields)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')}`,
  )
const log: Log = { debug: line, info: line, warn: line, error: line, child: () => log }

async function body(worker: Worker): Promise<number> {
  if (settings.failsToStart === true) return fail('on purpose')
  if (settings.crashes === worker.number) process.kill(process.pid, 'SIGKILL')
  const tls = settings.tls && { ...settings.tls, clientCertificate: 'request' as const }
  const place = { name: 'api', host: '127.0.0.1', port: settings.port ?? 0, tls, limits: defaultListenerLimits }
  worker.answer('who', async () => {
    if (settings.silent === worker.number) await new Promise(() => undefined)
    return own()
  })
  worker.on('word', (payload) => {
    const { text, bytes } = payload as { text: string; bytes: Buffer }
    say(`heard ${text} ${me} bytes=${Buffer.from('é').equals(bytes)}`)
  })
  try {
    const listener = await openListener(place, (request, response) => answer(worker, request, response))
    say(`port ${listener.address.port}`)
    say(`ready number=${worker.number} ${me} ${worker.isFirst ? 'first' : ''}`)
    const ended = untilStopped(listener)
    worker.ready()
    return await ended
  } catch (error) {
    return fail(textOf(error))
  }
}

function fail(why: string): number {
  say(`cannot start: ${why}`)
  return 3
}

function untilStopped(listener: { close(graceMs: number): Promise<void> }): Promise<number> {
  return new Promise((resolve) => {
    let isStopping = false
    const stop = (): void => {
      say(`stopping ${me}`)
      if (isStopping) resolve(9)
      isStopping = true
      if (settings.isBusyWhenStopping === true) setTimeout(() => block(1_300), 20)
      if (settings.hangs !== true) void listener.close(5_000).then(() => resolve(0))
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
    process.on('SIGHUP', settings.hangup === 'stop' ? stop : () => say(`reloaded ${me}`))
  })
}

const block = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

function answer(worker: Worker, request: IncomingMessage, response: ServerResponse): void {
  const [, what, text = ''] = request.url?.split('/') ?? []
  if (what === 'slow') {
    say('slow begins')
    setTimeout(() => response.end('slow'), Number(text || '400'))
  } else if (what === 'busy') {
    say('busy begins')
    setTimeout(() => response.end('busy'), 2_000)
    setTimeout(() => block(1_000))
  } else if (what === 'say') {
    say(`said ${text} ${me}`)
    worker.broadcast('word', { text, bytes: Buffer.from('é') })
    response.end()
  } else if (what === 'ask') {
    void worker.ask(text, { own: own(), withinMs: 1_500 }).then((answers) => response.end(describe(answers)))
  } else if (what === 'chain') {
    const { certificate } = connectionOf(request)
    response.end(`${process.pid} ${certificate?.resumed} ${certificate?.intermediates.length}`)
  } else response.end(String(process.pid))
}

const describe = (answers: ReadonlyMap<number, unknown>): string =>
  [...answers]
    .map(([number, given]) => {
      const { pid, bytes } = (given ?? {}) as { pid?: number; bytes?: Buffer }
      return `${number} pid=${pid} bytes=${bytes && Buffer.from('é').equals(bytes)}`
    })
    .sort()
    .join(', ')

process.exit(
  await runWorkers({ ...settings, log, hangup: settings.hangup ?? 'reload', graceMs: settings.graceMs ?? 8_000 }, body),
)
