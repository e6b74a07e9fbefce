import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FetchTask } from './fetch-snapshot.ts'

/** How long something took, in milliseconds. */
export async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Runs a program to its end; its output goes to a file that is removed. */
export async function runProgram(program: string, parameters: string[], output: string): Promise<void> {
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  await pipeline(child.stdout, createWriteStream(output))
  const [code] = await ended
  rmSync(output, { force: true })
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}.`)
}

/**
 * A process that fetches snapshots into a file, so that other requests do not wait for the work of this process. It is
 * started beforehand, since a real client usually runs elsewhere and its start takes no processor time from the server.
 */
export function startFetcher(port: number, token: string, file: string) {
  const child = fork(new URL('./fetch-snapshot.ts', import.meta.url))
  const url = `http://127.0.0.1:${port}/v1/sys/storage/raft/snapshot`
  return {
    save: async () => {
      const fetched = Promise.race([once(child, 'message'), once(child, 'exit')])
      child.send({ url, token, file } satisfies FetchTask)
      await fetched
      if (child.exitCode !== null) throw new Error(`The snapshot was not fetched: ${child.exitCode}.`)
    },
    stop: () => child.disconnect(),
  }
}

/** Sends a snapshot back. Node's own client waits for an answer no longer than five minutes, so another one is used. */
export async function restore(port: number, token: string, bytes: Readable): Promise<void> {
  const path = '/v1/sys/storage/raft/snapshot'
  const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers: { 'X-Service-Token': token } })
  const answered = once(outgoing, 'response')
  await pipeline(bytes, outgoing)
  const [answer] = await answered
  answer.resume()
  if (answer.statusCode !== 200) throw new Error(`The restore was answered with ${answer.statusCode}.`)
}

/** Sends a few requests per second, as clients do, and records the time of each answer. */
export function startProbing(port: number, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const times: number[] = []
  let isOver = false
  const ask = async (): Promise<void> => {
    while (!isOver) {
      const startedAt = performance.now()
      await probeOnce(agent, port, token)
      times.push(performance.now() - startedAt)
      await sleep(5)
    }
  }
  const askers = [ask(), ask(), ask(), ask()]
  return {
    /** The times since the last call, sorted. */
    take: (): number[] => times.splice(0).sort((a, b) => a - b),
    stop: async () => {
      isOver = true
      await Promise.all(askers)
      agent.destroy()
    },
  }
}

async function probeOnce(agent: Agent, port: number, token: string): Promise<void> {
  const path = '/v1/sys/policies/acl/default'
  const outgoing = request({ agent, host: '127.0.0.1', port, path, headers: { 'X-Service-Token': token } })
  outgoing.end()
  const [answer] = await once(outgoing, 'response')
  answer.resume()
  await once(answer, 'end')
}

/** A quantile of sorted times. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
