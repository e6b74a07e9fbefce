import { createHash } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { textOf } from './job/failure.ts'
import { type JobSite, type RunningJob, rescueJob, startJob } from './job/run-job.ts'
import type { Places } from './job/workplace.ts'
import { Journal, type JournalEntry } from './journal.ts'
import { Client, pauseMs, Refused, Unreachable } from './protocol/client.ts'
import type { Job, Registered, Registration } from './protocol/messages.ts'
import { LayerFailure, namespaceLayer } from './sandbox/namespace-layer.ts'
import { processLayer } from './sandbox/process-layer.ts'
import { listProcesses, signal } from './sandbox/processes.ts'
import { type Isolation, type Layer, notInForce } from './sandbox/sandbox.ts'
import { slotUser } from './sandbox/slot-users.ts'
import type { RunnerSettings } from './settings.ts'
import { platform, type Tool, ToolStore, toolsOnPath } from './tools/tool-store.ts'

/** Why a runner does not start or go on, for people. */
export class RunnerFailure extends Error {}

/** Whom a runner tells what it does. */
export type RunnerVoice = { readonly ready: (facts: RunnerFacts) => void; readonly note: (text: string) => void }

/** What a runner is, once it is registered. */
export type RunnerFacts = {
  readonly id: string
  readonly layer: Layer['name']
  readonly isolation: Isolation
  readonly missing: readonly string[]
  readonly tools: readonly Pick<Tool, 'name' | 'version'>[]
  readonly maxJobs: number
}

type Slot = { readonly number: number; readonly job: Job; readonly running: RunningJob }

/** Claims jobs of a server and runs them, until it is told to stop. */
export class Runner {
  readonly #settings: RunnerSettings
  readonly #version: string
  readonly #token: () => Promise<string>
  readonly #voice: RunnerVoice
  readonly #client: Client
  readonly #journal: Journal
  readonly #slots = new Map<number, Slot>()
  readonly #stop = new AbortController()
  #layers: Layer[] = []
  #tools: readonly Tool[] = []
  #workFolder = ''
  #registered: Registered | undefined

  constructor(settings: RunnerSettings, version: string, token: () => Promise<string>, voice: RunnerVoice) {
    this.#settings = settings
    this.#version = version
    this.#token = token
    this.#voice = voice
    this.#client = new Client(settings.address, settings.ca)
    this.#journal = new Journal(settings.dataFolder)
  }

  /** Runs until it was stopped and its jobs have ended. */
  async run(): Promise<void> {
    await this.#prepare()
    const left = await this.#journal.left()
    for (const entry of left) killLeftOf(entry)
    try {
      await this.#register(left)
      await this.#serve()
      await this.#call('deregister', {}).catch(() => undefined)
    } finally {
      this.#client.close()
    }
  }

  /** Takes no more jobs, and waits for those that run; `at once` interrupts them. */
  stop(atOnce = false): void {
    this.#stop.abort()
    if (atOnce) for (const { running } of this.#slots.values()) running.request('drain')
  }

  /** Interrupts all tools and waits for them, for a runner whose server is gone. */
  async abandon(forMs: number): Promise<void> {
    this.stop(true)
    const all = Promise.all([...this.#slots.values()].map(({ running }) => running.ended))
    await Promise.race([all, delay(forMs)])
  }

  async #prepare(): Promise<void> {
    const { dataFolder, require, path, tools } = this.#settings
    await mkdir(dataFolder, { recursive: true, mode: 0o700 })
    this.#workFolder = await workFolderFor(dataFolder)
    const [layers, found] = await Promise.all([this.#makeLayers(), toolsOnPath(path)])
    this.#layers = layers
    this.#tools = tools === 'path' ? found : []
    const [first] = layers
    const missing = first ? notInForce(first.isolation).filter((property) => require.includes(property)) : []
    if (missing.length > 0) {
      throw new RunnerFailure(`The layer '${first?.name}' does not give here what is required: ${missing.join(', ')}.`)
    }
  }

  /** One layer for each slot, since each has a user of its own where the runner may give it one. */
  async #makeLayers(): Promise<Layer[]> {
    const { layer, maxJobs } = this.#settings
    const hash = createHash('sha256').update(this.#settings.dataFolder).digest().readUInt32BE()
    const first = await this.#makeLayer(layer, hash, 0)
    const count = maxJobs ?? (first.name === 'process' ? 1 : Math.max(1, Math.min(4, availableParallelism())))
    const others = Array.from({ length: count - 1 }, (_each, index) => this.#makeLayer(first.name, hash, index + 1))
    return [first, ...(await Promise.all(others))]
  }

  async #makeLayer(wanted: RunnerSettings['layer'], hash: number, slot: number): Promise<Layer> {
    const { address, dataFolder, allowsMetadata } = this.#settings
    const user = slotUser(hash, slot)
    if (wanted === 'process') return await processLayer(user)
    const isLoopback = /^(?:localhost|127\.|\[::1\])/.test(address.hostname)
    const loopbackPorts = isLoopback ? [Number(address.port || (address.protocol === 'https:' ? 443 : 80))] : []
    try {
      return await namespaceLayer({ user, privateFolder: dataFolder, loopbackPorts, allowsMetadata })
    } catch (error) {
      if (!(error instanceof LayerFailure)) throw error
      if (wanted === 'namespace') throw new RunnerFailure(`The layer 'namespace' does not work here. ${error.message}`)
      return await processLayer(user)
    }
  }

  async #register(left: readonly JournalEntry[]): Promise<void> {
    const [layer] = this.#layers
    if (!layer) throw new RunnerFailure('There is no layer.')
    const running = [...this.#slots.values()].map(({ job }) => ({
      job_id: job.job_id,
      fence: job.fence,
      process: 'alive' as const,
    }))
    const gone = left.map(({ job_id, fence }) => ({ job_id, fence, process: 'gone' as const }))
    const previous = await this.#journal.session()
    const missing = notInForce(layer.isolation)
    const body: Registration = {
      name: this.#settings.name,
      version: this.#version,
      ...platform,
      max_jobs: this.#layers.length,
      executor: layer.name,
      isolation: { ...layer.isolation, not_in_force: missing },
      tools: this.#tools.map(({ name, version, sha256 }) => ({ name, version, sha256 })),
      capabilities: this.#settings.tools === 'catalogue' ? ['catalogue'] : [],
      labels: this.#settings.labels,
      work_root: layer.seenFolder(join(this.#workFolder, 'work', 'run'), 'run').replace(/\/run$/, ''),
      ...(previous !== undefined && { previous_session: previous }),
      resume_jobs: [...running, ...gone],
    }
    const registered = await this.#askToRegister(body)
    this.#registered = registered
    await this.#journal.noteSession(registered.session)
    const site = this.#site()
    for (const { job_id, verdict, job } of registered.jobs ?? []) {
      if (left.some((entry) => entry.job_id === job_id))
        await this.#settle(site, job_id, verdict === 'continue' ? job : undefined)
    }
    for (const { job_id } of left) await this.#journal.close(job_id)
    this.#voice.ready({
      id: registered.runner_id,
      layer: layer.name,
      isolation: layer.isolation,
      missing,
      tools: this.#tools,
      maxJobs: this.#layers.length,
    })
  }

  /** A job of before, whose tool is gone. */
  async #settle(site: JobSite, jobId: string, job: Job | undefined): Promise<void> {
    if (job?.kind === 'apply') {
      await rescueJob(site, this.#placesOf(0), job).catch((error) => this.#voice.note(`job ${jobId}: ${textOf(error)}`))
    }
  }

  async #askToRegister(body: Registration): Promise<Registered> {
    for (let attempt = 0; ; attempt++) {
      try {
        const call = { method: 'POST', path: '/api/runner/v1/register', token: await this.#token(), body } as const
        return (await this.#client.call(call)).body as Registered
      } catch (error) {
        if (error instanceof Refused) throw new RunnerFailure(`The server does not take this runner: ${error.message}`)
        if (!(error instanceof Unreachable) || this.#stop.signal.aborted) throw error
        if (attempt === 0) this.#voice.note(`The server cannot be reached, and is asked again: ${error.message}`)
        await delay(pauseMs(attempt))
      }
    }
  }

  async #serve(): Promise<void> {
    for (let attempt = 0; !this.#stop.signal.aborted; ) {
      try {
        const free = this.#layers.length - this.#slots.size
        const jobs = free > 0 ? await this.#claim(free) : await this.#beat()
        for (const job of jobs) this.#begin(job)
        attempt = 0
      } catch (error) {
        if (this.#stop.signal.aborted) break
        if (error instanceof Refused && error.status === 401) await this.#register([])
        else if (error instanceof Unreachable || error instanceof Refused) {
          if (attempt === 0) this.#voice.note(`The server gives no jobs: ${error.message}`)
          await delay(pauseMs(attempt++), undefined, { signal: this.#stop.signal }).catch(() => undefined)
        } else throw error
      }
    }
    await this.#drain()
  }

  async #claim(free: number): Promise<readonly Job[]> {
    const wait = this.#registered?.claim_wait_ms ?? 25_000
    const body = { free, wait_ms: wait, running: this.#runningIds() }
    const answer = await this.#call('claim', body, wait + 10_000)
    return (answer as { jobs?: readonly Job[] } | undefined)?.jobs ?? []
  }

  /** While no job can be taken: until one has ended, or it is time for a sign of life. */
  async #beat(): Promise<readonly Job[]> {
    const wait = delay(this.#registered?.heartbeat_ms ?? 20_000, 'time', { signal: this.#stop.signal })
    wait.catch(() => undefined)
    const first = await Promise.race([wait, ...[...this.#slots.values()].map(({ running }) => running.ended)])
    if (first === 'time') await this.#call('heartbeat', { running: this.#runningIds() })
    return []
  }

  #runningIds(): string[] {
    return [...this.#slots.values()].map(({ job }) => job.job_id)
  }

  async #call(path: string, body: object, timeoutMs = 30_000): Promise<unknown> {
    const signal = path === 'deregister' ? undefined : this.#stop.signal
    const call = {
      method: 'POST',
      path: `/api/runner/v1/${path}`,
      token: this.#registered?.session,
      body,
      timeoutMs,
      signal,
    } as const
    return (await this.#client.call(call)).body
  }

  #begin(job: Job): void {
    if (this.#runningIds().includes(job.job_id)) return
    const number = this.#layers.findIndex((_layer, index) => !this.#slots.has(index))
    if (number < 0) return
    const running = startJob(this.#site(), this.#placesOf(number), job)
    const ended = running.ended.finally(() => this.#slots.delete(number))
    this.#slots.set(number, { number, job, running: { ...running, ended } })
  }

  #site(): JobSite {
    return {
      client: this.#client,
      journal: this.#journal,
      tools: new ToolStore(this.#client, join(this.#workFolder, 'tools'), this.#tools),
      chunkBytes: this.#registered?.log_chunk_bytes ?? 256 * 1024,
      note: this.#voice.note,
    }
  }

  #placesOf(slot: number): Omit<Places, 'privateFolder'> {
    const layer = this.#layers[slot] ?? this.#layers[0]
    if (!layer) throw new RunnerFailure('There is no layer.')
    const hash = createHash('sha256').update(this.#settings.dataFolder).digest().readUInt32BE()
    return { settings: this.#settings, layer, user: slotUser(hash, slot), workFolder: join(this.#workFolder, 'work') }
  }

  async #drain(): Promise<void> {
    const all = Promise.all([...this.#slots.values()].map(({ running }) => running.ended))
    const late = new AbortController()
    const timer = delay(this.#settings.drainMs, undefined, { signal: late.signal }).then(
      () => this.stop(true),
      () => undefined,
    )
    await all
    late.abort()
    await timer
  }
}

/**
 * Where the folders of runs and tools are. Users of job slots must be able to reach them; if the data folder does not let
 * them through, a folder of their own is taken.
 */
async function workFolderFor(dataFolder: string): Promise<string> {
  const isShared = slotUser(0, 0) !== undefined
  const needsOwn = isShared && !(await isOpenToAll(dataFolder))
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)
  const folder = needsOwn ? join('/var/tmp', `holdfast-runner-${hash}`) : dataFolder
  const mode = isShared ? 0o711 : 0o700
  await mkdir(folder, { recursive: true, mode })
  const { uid } = await stat(folder)
  if (needsOwn && uid !== process.getuid?.()) throw new RunnerFailure(`${folder} belongs to somebody else.`)
  for (const name of ['work', 'tools']) await mkdir(join(folder, name), { recursive: true, mode })
  return folder
}

/** True if each folder on the way may be passed by everybody. */
async function isOpenToAll(folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    const info = await stat(at)
    if ((info.mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

/** Kills what a killed runner has left of a run, which is known by the variable that every tool gets. */
function killLeftOf({ run_id }: JournalEntry): void {
  for (const { pid } of listProcesses()) void killIfOf(pid, run_id)
}

async function killIfOf(pid: number, runId: string): Promise<void> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  if (pid !== process.pid && environment.split('\0').includes(`TFE_RUN_ID=${runId}`)) signal(pid, 'SIGKILL')
}
