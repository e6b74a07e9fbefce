import { type ChildProcess, spawn } from 'node:child_process'
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../server/kernel/clock.ts'
import { familyOf, killAll, listProcesses, signal } from './processes.ts'
import type { RunningStep, Step, StepEnd, StopReason, Usage } from './sandbox.ts'

/** How a layer starts a step. */
export type Launch = {
  readonly command: readonly [string, ...string[]]
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  /** The process that is the tool itself, once it is known; 0 if it never came so far. */
  readonly toolPid: (started: number) => Promise<number>
  /** The user whose processes all belong to this step. */
  readonly user?: number
}

const watchEveryMs = 2_000

/**
 * Runs a step in a process group of its own, watches what it uses, and ends it with all that it has started. Must be
 * called by the main thread: the signal at the death of a parent follows the thread that forked.
 */
export function supervise(step: Step, launch: Launch): RunningStep {
  const began = systemClock.monotonic()
  const [program, ...args] = launch.command
  const child = spawn(program, args, {
    cwd: launch.directory,
    env: launch.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const pid = child.pid ?? 0
  let stopped: StopReason | undefined
  let tool: Promise<number> | undefined
  const toolPid = (): Promise<number> => {
    tool ??= pid === 0 ? Promise.resolve(0) : launch.toolPid(pid)
    return tool
  }
  const kill = (reason: Exclude<StopReason, 'interrupt'>): void => {
    stopped = stopped === undefined || stopped === 'interrupt' ? reason : stopped
    if (pid !== 0) signal(-pid, 'SIGKILL')
    void toolPid().then((found) => found > 0 && signal(found, 'SIGKILL'))
  }
  const watch = watchStep(step, pid, kill)
  child.stdout?.on('data', (bytes: Buffer) => step.output(bytes, 'out'))
  child.stderr?.on('data', (bytes: Buffer) => step.output(bytes, 'err'))
  // Found at once: once the outer process is dead, nobody can tell which one was the tool.
  void toolPid()
  const end = async (): Promise<StepEnd> => {
    const exitCode = await exitOf(child)
    const found = await toolPid()
    const isEmpty = pid === 0 || (await killAll([-pid, ...(found > 0 ? [found] : [])], launch.user))
    const { cpuMs, maxRss } = watch.stop()
    await closed(child)
    if (!isEmpty) throw new Error('Some processes of the step cannot be killed.')
    return { exitCode, stopped, usage: { cpuMs, maxRss, wallMs: Math.round(systemClock.monotonic() - began) } }
  }
  return {
    pid,
    kill,
    interrupt: () => {
      if (stopped !== undefined) return
      stopped = 'interrupt'
      void toolPid().then((found) => found > 0 && signal(found, 'SIGINT'))
    },
    ended: end(),
  }
}

function exitOf(child: ChildProcess): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('exit', (code) => resolve(code))
  return promise
}

/** All output has been read. What has left the group may still hold the pipes; it is not waited for. */
async function closed(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, 2_000)
  const both = [child.stdout, child.stderr].map((stream) =>
    stream === null || stream.closed ? Promise.resolve() : new Promise((done) => stream.once('close', done)),
  )
  void Promise.all(both).then(() => resolve())
  await promise
  clearTimeout(timer)
  child.stdout?.destroy()
  child.stderr?.destroy()
}

type Watch = { stop(): Pick<Usage, 'cpuMs' | 'maxRss'> }

/** Sums what a step uses, and kills it above its limits. */
function watchStep(step: Step, pid: number, kill: (reason: Exclude<StopReason, 'interrupt'>) => void): Watch {
  const { seconds, memoryBytes, diskBytes } = step.limits
  let [cpuMs, maxRss, isLooking] = [0, 0, false]
  const look = async (): Promise<void> => {
    const family = familyOf(pid, listProcesses())
    const memory = family.reduce((sum, { rssBytes }) => sum + rssBytes, 0)
    cpuMs = Math.max(
      cpuMs,
      family.reduce((sum, each) => sum + each.cpuMs, 0),
    )
    maxRss = Math.max(maxRss, memory)
    if (memory > memoryBytes) return kill('out-of-memory')
    if ((await bytesIn(step.workFolder)) > diskBytes) kill('output-too-large')
  }
  const ticking = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }, watchEveryMs)
  const limit = setTimeout(() => kill('timed-out'), Math.min(seconds * 1_000, 2 ** 31 - 1))
  return {
    stop: () => {
      clearInterval(ticking)
      clearTimeout(limit)
      return { cpuMs, maxRss }
    },
  }
}

/** Bytes of all files of a folder. What vanishes while this is counted counts nothing. */
async function bytesIn(folder: string): Promise<number> {
  let sum = 0
  const open = [folder]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries: Dirent[] = await readdir(next, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile())
        sum += await lstat(path).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        )
    }
  }
  return sum
}
