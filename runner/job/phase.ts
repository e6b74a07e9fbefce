import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, KeepTrying } from '../protocol/client.ts'
import type { Finish, Job, PhaseSummary } from '../protocol/messages.ts'
import type { RunningStep, StepEnd } from '../sandbox/sandbox.ts'
import { redactPlan } from '../secrets/redaction.ts'
import type { SecretFilter } from '../secrets/secret-filter.ts'
import type { Tool } from '../tools/tool-store.ts'
import { PhaseFailure, textOf } from './failure.ts'
import {
  gitEnvironment,
  placeArtifact,
  placeConfiguration,
  placeKey,
  placeState,
  requireLocalBackend,
  statePath,
} from './inputs.ts'
import type { JobLog } from './job-log.ts'
import type { Lease } from './lease.ts'
import { isPlainFolder, type TakenFile, takeOut } from './plain-files.ts'
import { Renderer } from './render.ts'
import { ApplyCounter, countChanges, type PlanDocument } from './results.ts'
import { StateKeeper } from './state-keeper.ts'
import { applyCommand, type CommandFacts, initCommand, planCommand, unsupportedOption } from './tool-commands.ts'
import { makeWorkplace, type Places, type Workplace } from './workplace.ts'

const maxPlanBytes = 1024 ** 3
const maxLockBytes = 4 * 1024 ** 2
const initSeconds = 900
/** The server interrupts at the deadline; this comes later, for a server that does not. */
const afterDeadlineSeconds = 330
/** As much output of a step that succeeds as is kept in case it does not. */
const keptOutputBytes = 1024 ** 2

/** What a phase is made with. */
export type PhaseParts = {
  readonly client: Client
  readonly job: Job
  readonly places: Places
  readonly tool: Tool
  readonly log: JobLog
  readonly filter: SecretFilter
  readonly lease: Lease
}

/** What was asked of a phase while it ran. */
export type Wish = 'interrupt' | 'kill' | 'drain' | 'lost'

/** One phase of a run, from the archive to what it has made. */
export class Phase {
  readonly #parts: PhaseParts
  #running: RunningStep | undefined
  #wish: Wish | undefined
  #usage = { cpu_ms: 0, max_rss: 0, wall_ms: 0 }
  #exitCode: number | null = null
  #isPrepared = false

  constructor(parts: PhaseParts) {
    this.#parts = parts
  }

  get wish(): Wish | undefined {
    return this.#wish
  }

  /** Asks the tool to end, or ends it. */
  request(wish: Wish): void {
    if (this.#wish === 'kill' || this.#wish === 'lost') return
    this.#wish = wish
    if (wish === 'kill' || wish === 'lost') this.#running?.kill('kill')
    else this.#running?.interrupt()
  }

  /** Runs all steps, and sends everything but the end. */
  async run(): Promise<Omit<Finish, 'log_length'>> {
    const { log, places, job } = this.#parts
    let renderer: Renderer | undefined
    try {
      const work = await makeWorkplace(places, job, this.#parts.tool)
      renderer = new Renderer(places, work)
      await this.#prepare(work)
      const summary = job.kind === 'plan' ? await this.#plan(work, renderer) : await this.#apply(work, renderer)
      return this.#ended('finished', summary)
    } catch (error) {
      const fault =
        error instanceof PhaseFailure ? error : new PhaseFailure('internal', `The runner failed: ${textOf(error)}.`)
      if (!this.#isPrepared && !(error instanceof StepFailure)) log.line('Preparing failed.')
      const wasAsked = this.#wish === 'interrupt' || this.#wish === 'kill'
      if (wasAsked && (fault instanceof StepFailure || fault.code === 'canceled'))
        return this.#ended('canceled', partOf(fault))
      if (this.#wish === 'drain') {
        return this.#ended('errored', partOf(fault), {
          code: 'executor-lost',
          message: 'The runner was stopped while this ran.',
        })
      }
      // The server ends the log with the message.
      return this.#ended('errored', partOf(fault), { code: fault.code, message: fault.message })
    } finally {
      await renderer?.close()
    }
  }

  #ended(outcome: Finish['outcome'], summary: PhaseSummary, error?: Finish['error']): Omit<Finish, 'log_length'> {
    const { tool } = this.#parts
    return {
      outcome,
      exit_code: this.#exitCode,
      ...(error && { error }),
      summary: { ...summary, tool: tool.name, tool_version: tool.version },
      usage: this.#usage,
    }
  }

  async #prepare(work: Workplace): Promise<void> {
    const { job, tool, log, lease } = this.#parts
    const fault = unsupportedOption(this.#facts(work))
    if (fault) throw new PhaseFailure('unsupported', fault)
    await placeConfiguration(this.#parts, work)
    await placeState(this.#parts, work)
    const hasLock =
      job.kind === 'apply' &&
      (await placeArtifact(
        this.#parts,
        'lock-file',
        job.lock_file?.sha256,
        work,
        `${work.directory}/.terraform.lock.hcl`,
      ))
    await placeKey(this.#parts, work)
    await lease.started
    const kept: Buffer[] = []
    let keptBytes = 0
    const end = await this.#step(work, initCommand(this.#facts(work), hasLock), initSeconds, (bytes) => {
      if (keptBytes < keptOutputBytes) kept.push(bytes)
      keptBytes += bytes.length
    })
    if (end.exitCode !== 0 || job.run.debug) {
      if (end.exitCode !== 0) log.line('Preparing failed.')
      for (const bytes of kept) log.write(bytes, 'out')
    }
    if (end.exitCode !== 0)
      throw new StepFailure('init-failed', reasonOf(end, `${tool.name} cannot initialise the configuration`))
    await requireLocalBackend(work)
    await rm(join(work.root, 'home', '.ssh'), { recursive: true, force: true })
    for (const note of work.notes) log.line(note)
    log.line('Configuration and plugins are ready.')
    this.#isPrepared = true
  }

  #facts(work: Workplace): CommandFacts {
    const { job, tool } = this.#parts
    return { job, tool, root: work.seen, variableFiles: work.variableFiles, parallelism: work.parallelism }
  }

  async #plan(work: Workplace, renderer: Renderer): Promise<PhaseSummary> {
    const { job, log, tool, places } = this.#parts
    const end = await this.#step(work, planCommand(this.#facts(work)), this.#limitSeconds(), (bytes, stream) =>
      log.write(bytes, stream),
    )
    const succeeded = end.exitCode === 0 || end.exitCode === 2
    const plan = await takeOut(work.root, 'plan.bin', join(places.privateFolder, 'plan.bin'), maxPlanBytes)
    const lock = await this.#takeLock(work)
    if (!plan && succeeded)
      throw new PhaseFailure('tool-failed', `${tool.name} says that it has made a plan, and has left none.`)
    if (!plan || (!succeeded && this.#wish !== undefined))
      throw new StepFailure('tool-failed', reasonOf(end, `${tool.name} plan failed`))
    const summary = await this.#renderPlan(plan, lock, renderer).catch((error: unknown) => {
      if (succeeded) throw error
      return {}
    })
    if (!succeeded) throw new StepFailure('tool-failed', reasonOf(end, `${tool.name} plan failed`), summary)
    if (!job.run.plan_only) {
      await this.#store('plan', plan.file, plan.sha256)
      const lockFile = lock?.file ?? join(places.privateFolder, 'lock.hcl')
      if (!lock) await writeFile(lockFile, '')
      await this.#store('lock-file', lockFile)
    }
    for (const name of ['plan-json', 'plan-redacted', 'provider-schemas'])
      await this.#store(name, join(places.privateFolder, name))
    return { ...summary, has_changes: end.exitCode === 2 }
  }

  async #takeLock(work: Workplace): Promise<TakenFile | undefined> {
    const to = join(work.privateFolder, 'lock.hcl')
    return await takeOut(work.root, `${work.directory}/.terraform.lock.hcl`, to, maxLockBytes)
  }

  /** Shows the copy of a plan, and writes what may be seen of it. */
  async #renderPlan(plan: TakenFile, lock: TakenFile | undefined, renderer: Renderer): Promise<PhaseSummary> {
    const { places, filter } = this.#parts
    const shown = JSON.parse(await readFile(await renderer.show(plan, lock, 'plan-json'), 'utf8'))
    const schemas = JSON.parse(
      await readFile(await renderer.schemas(shown as PlanDocument, lock, 'provider-schemas'), 'utf8'),
    )
    const redacted = redactPlan(shown, schemas, (text) => filter.text(text))
    await writeFile(join(places.privateFolder, 'plan-redacted'), JSON.stringify(redacted), { mode: 0o600 })
    return countChanges(shown as PlanDocument)
  }

  async #apply(work: Workplace, renderer: Renderer): Promise<PhaseSummary> {
    const { job, log, tool, client, places, lease } = this.#parts
    await placeArtifact(this.#parts, 'plan', job.plan?.sha256, work, 'plan.bin')
    const keeper = new StateKeeper({
      client,
      job,
      root: work.root,
      path: statePath(job, work),
      privateFolder: places.privateFolder,
      intervalMs: places.settings.stateIntervalMs,
      line: (text) => log.line(text),
    })
    const counter = new ApplyCounter()
    let isStale = false
    keeper.begin()
    const end = await this.#step(work, applyCommand(this.#facts(work)), this.#limitSeconds(), (bytes, stream) => {
      if (stream === 'out') counter.push(bytes)
      isStale ||= bytes.includes('Saved plan is stale')
      log.write(bytes, stream)
    })
    const kept = await keeper.finish(lease.isLost)
    if (kept?.jsonUrl) await this.#renderState(work, kept.copy, kept.jsonUrl, renderer)
    if (end.exitCode === 0) return counter.summary
    if (isStale) throw new PhaseFailure('plan-stale', 'The state has changed since the plan was made; plan again.')
    throw new StepFailure('tool-failed', reasonOf(end, `${tool.name} apply failed`), counter.summary)
  }

  /** The state as JSON is for people to read; without it the run is as good. */
  async #renderState(work: Workplace, copy: TakenFile, url: string, renderer: Renderer): Promise<void> {
    try {
      const lock = await this.#takeLock(work)
      const file = await renderer.show(copy, lock, 'state-json')
      await this.#parts.client.call({ method: 'PUT', path: url, body: { file } })
    } catch {
      // Nothing depends on it.
    }
  }

  async #store(name: string, file: string, known?: string): Promise<void> {
    const { client, job } = this.#parts
    const sha256 =
      known ??
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
    const call = {
      method: 'PUT',
      path: `/api/runner/v1/jobs/${job.job_id}/artifacts/${name}`,
      token: job.token,
      fence: job.fence,
      headers: { 'X-Content-SHA256': sha256 },
      body: { file },
    } as const
    await client.persist(call, this.keepTrying)
  }

  /** Goes on as long as the job may still be ours. */
  readonly keepTrying: KeepTrying = () => !this.#parts.lease.isLost

  #limitSeconds(): number {
    return this.#parts.job.deadline_ms / 1_000 + afterDeadlineSeconds
  }

  async #step(
    work: Workplace,
    args: readonly string[],
    seconds: number,
    output: (bytes: Buffer, stream: 'out' | 'err') => void,
  ): Promise<StepEnd> {
    const { places, job } = this.#parts
    if (this.#wish !== undefined) throw new PhaseFailure('canceled', 'The run was canceled before the tool began.')
    const { memoryBytes, diskBytes } = places.settings
    const isInit = args[0] === 'init'
    const running = await places.layer.start({
      command: [work.toolProgram, ...args],
      directory: `${work.seen}/${work.directory}`,
      environment: { ...work.environment, ...(isInit && job.ssh_key && gitEnvironment(work)) },
      mounts: [...work.mounts, ...(isInit ? [] : await installedProviders(places, work))],
      workFolder: work.root,
      hasNetwork: true,
      limits: { seconds, memoryBytes, diskBytes },
      output,
    })
    this.#running = running
    // It may have been asked for while the step was started.
    if (this.#wish !== undefined) this.request(this.#wish)
    const end = await running.ended
    this.#running = undefined
    this.#exitCode = end.exitCode
    this.#usage = {
      cpu_ms: this.#usage.cpu_ms + end.usage.cpuMs,
      max_rss: Math.max(this.#usage.max_rss, end.usage.maxRss),
      wall_ms: this.#usage.wall_ms + end.usage.wallMs,
    }
    if (end.stopped === 'out-of-memory')
      throw new PhaseFailure(
        'out-of-memory',
        `The tool and what it started used more than ${memoryBytes} bytes of memory.`,
      )
    if (end.stopped === 'output-too-large')
      throw new PhaseFailure('output-too-large', `The folder of the run has grown beyond ${diskBytes} bytes.`)
    if (end.stopped === 'timed-out') throw new PhaseFailure('timed-out', 'The time limit of the phase has passed.')
    return end
  }
}

/** The tool ended by itself, and not well; `summary` is what it had done by then. */
class StepFailure extends PhaseFailure {
  readonly summary: PhaseSummary

  constructor(code: string, message: string, summary: PhaseSummary = {}) {
    super(code, message)
    this.summary = summary
  }
}

const partOf = (fault: PhaseFailure): PhaseSummary => (fault instanceof StepFailure ? fault.summary : {})

const reasonOf = ({ exitCode, stopped }: StepEnd, what: string): string => {
  if (stopped === 'interrupt') return `${what}: it was interrupted.`
  if (stopped === 'kill') return `${what}: it was killed.`
  return exitCode === null
    ? `${what}: it was killed from outside.`
    : `${what} with exit code ${exitCode}; the log above says why.`
}

/** After init, providers cannot be changed any more where there are mounts. */
async function installedProviders(places: Places, { root, seen, directory }: Workplace) {
  const path = `${directory}/.terraform/providers`
  const isMounted = places.layer.name === 'namespace' && (await isPlainFolder(root, path))
  return isMounted ? [{ from: join(root, path), to: `${seen}/${path}` }] : []
}
