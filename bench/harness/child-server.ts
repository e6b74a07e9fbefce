import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A server in a separate process, so that its work and the client's do not share a thread. */
export type ChildServer = {
  /** What the server reported about itself when it was ready, above all its port. */
  facts: ServerFacts
  /** Microseconds of processor time it has used so far. */
  cpu(): Promise<number>
  /** Bytes of memory it occupies. */
  memory(): Promise<number>
  stop(): Promise<void>
}

/** What a bench server reports when it is ready. */
export type ServerFacts = { port: number } & Record<string, unknown>

/** What `serve` of a bench server module has to be. */
export type Serve<Options> = (options: Options) => Promise<ServerFacts>

/**
 * Starts a module that exports `serve(options)` in a separate process. Options must be plain data. What the server
 * stores in the temporary folder is removed with it.
 */
export async function startChildServer<Options>(
  module: URL,
  options: Options,
  nodeOptions: string[] = [],
): Promise<ChildServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const child = fork(new URL('./child-main.ts', import.meta.url), [module.href], {
    execArgv: nodeOptions,
    serialization: 'advanced',
    env: { ...process.env, TMPDIR: folder },
  })
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const dead = once(child, 'exit').then(([code]) => {
    throw new Error(`The server of ${module.pathname} ended with ${code} before it was ready.`)
  })
  const ready = once(child, 'message')
  child.send({ options })
  const [facts] = (await Promise.race([ready, dead])) as [ServerFacts]
  dead.catch(() => undefined)
  return childServer(child, facts)
}

/** The server that a child process runs, which answers what `child-main.ts` answers. */
export function childServer(child: ChildProcess, facts: ServerFacts): ChildServer {
  return {
    facts,
    cpu: async () => (await usage(child)).cpu,
    memory: async () => (await usage(child)).memory,
    stop: async () => {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function usage(child: ChildProcess): Promise<{ cpu: number; memory: number }> {
  const answer = once(child, 'message')
  child.send('usage')
  const [message] = await answer
  return message
}
