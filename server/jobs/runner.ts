import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, later } from '../kernel/clock.ts'
import { parseDuration } from '../kernel/duration.ts'
import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/job.ts'
import { giveUpLead, takeLead } from '../kit/jobs/leader-store.ts'
import {
  ensureRepeating,
  type HeldJob,
  loadHolders,
  releaseLeasesOf,
  repairTimes,
  takeJob,
} from '../kit/jobs/lease-store.ts'
import { inTransaction } from '../storage/transaction.ts'
import { createClockWatch } from './clock-watch.ts'
import { holderName, isHolderGone } from './holder-name.ts'
import { housekeepingJobs } from './housekeeping-jobs.ts'
import { measureJobs } from './job-metrics.ts'
import { HeldRun } from './job-run.ts'
import { SignsOfLife } from './signs-of-life.ts'

/** Background work of this process. */
export type JobRunner = {
  /** Runs everything that is due now, and waits for its end. */
  runDue(): Promise<void>
  readonly isLeader: boolean
  /** Gives the lead away and does not ask for it for a while. */
  stepDown(): Promise<void>
  /** Stops the work in progress and gives up the lead. */
  stop(): Promise<void>
}

/** How the runner behaves; all times in milliseconds. */
export type RunnerOptions = {
  /** Longest pause between two polls for due work. */
  pollEvery?: number
  /** How long a dead leader is waited for. */
  leadLease?: number
  /** Jobs that run at the same time in this process. */
  concurrency?: number
}

const defaults = { pollEvery: 1_000, leadLease: 15_000, concurrency: 4 }
const stopTimeoutMs = 5_000

/** Starts background work: one node leads, and takes what is due. */
export async function startJobs(deps: Deps, jobs: readonly Job[], options: RunnerOptions = {}): Promise<JobRunner> {
  const runner = new Runner(deps, [...housekeepingJobs, ...jobs], { ...defaults, ...options })
  await runner.start()
  return runner
}

class Runner implements JobRunner {
  readonly #deps: Deps
  readonly #jobs = new Map<string, Job>()
  readonly #options: Required<RunnerOptions>
  readonly #owner: string
  readonly #watchClock: () => void
  readonly #signs: SignsOfLife
  readonly #running = new Map<HeldRun, Promise<void>>()
  readonly #stopping = new AbortController()
  #wake = new AbortController()
  #round: Promise<void> = Promise.resolve()
  #loop: Promise<void> = Promise.resolve()
  #unsubscribe: () => void = () => undefined
  /** Monotonic times: until when this process leads, when it asks again, and until when it stands back. */
  #leadsUntil = Number.NEGATIVE_INFINITY
  #nextLeadAttemptAt = Number.NEGATIVE_INFINITY
  #standsBackUntil = Number.NEGATIVE_INFINITY
  /** What the last poll showed; only changes are told. */
  #hasLed: boolean | undefined

  constructor(deps: Deps, jobs: readonly Job[], options: Required<RunnerOptions>) {
    this.#deps = deps
    this.#options = options
    this.#owner = holderName(deps.settings.nodeName, deps.ids.text(12))
    this.#watchClock = createClockWatch(deps)
    this.#signs = new SignsOfLife(deps, this.#owner)
    for (const job of jobs) {
      if (this.#jobs.has(job.name)) throw new Error(`Two jobs are named ${job.name}`)
      this.#jobs.set(job.name, job)
    }
  }

  async start(): Promise<void> {
    measureJobs(this.#deps, [...this.#jobs.keys()], () => [...this.#running.keys()].map(({ job }) => job.name))
    const now = await this.#deps.store.databaseNow()
    await inTransaction(this.#deps.db, async (tx) => {
      for (const job of this.#jobs.values()) {
        const every = milliseconds(job.every)
        if (every > 0) await ensureRepeating(tx, job.name, every, later(now, this.#jitterOf(job)))
      }
    })
    await this.#releaseDeadHolders(now)
    await this.#signs.giveIfDue(now)
    this.#unsubscribe = this.#deps.store.versions.onChange('jobs', () => this.#wake.abort())
    this.#loop = this.#poll()
  }

  /**
   * After a crash the work of this node goes on at once, not when the leases end. Process numbers say who is alive here;
   * what other nodes hold stays theirs until its lease ends.
   */
  async #releaseDeadHolders(now: Instant): Promise<void> {
    const { db, settings, log } = this.#deps
    for (const owner of await loadHolders(db, now)) {
      if (!isHolderGone(owner, settings.nodeName)) continue
      await releaseLeasesOf(db, owner)
      log.info({ holder: owner }, 'took over jobs of a process that has ended')
    }
  }

  get isLeader(): boolean {
    return this.#deps.clock.monotonic() < this.#leadsUntil
  }

  async runDue(): Promise<void> {
    do {
      await this.#startDueInTurn()
      await Promise.all(this.#running.values())
    } while (this.#running.size > 0)
  }

  async stepDown(): Promise<void> {
    this.#standsBackUntil = this.#deps.clock.monotonic() + this.#options.leadLease
    // A poll that has begun may take the lead yet.
    await this.#round
    await this.#giveUpLead()
  }

  async #giveUpLead(): Promise<void> {
    this.#noteLead(false)
    this.#leadsUntil = Number.NEGATIVE_INFINITY
    this.#nextLeadAttemptAt = Number.NEGATIVE_INFINITY
    await giveUpLead(this.#deps.db, this.#owner)
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#stopping.abort()
    this.#wake.abort()
    await this.#loop
    await this.#round
    for (const run of this.#running.keys()) run.abort()
    await Promise.race([Promise.all(this.#running.values()), sleep(stopTimeoutMs, undefined, { ref: false })])
    await giveUpLead(this.#deps.db, this.#owner).catch((error) =>
      this.#deps.log.warn({ error }, 'could not release leadership'),
    )
    await this.#signs.stop().catch((error) => this.#deps.log.warn({ error }, 'end of this node not written'))
  }

  async #poll(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController()
      await this.#startDueInTurn().catch((error) => this.#deps.log.warn({ error }, 'looking for due jobs failed'))
      const { signal } = this.#wake
      if (this.#stopping.signal.aborted) return
      await sleep(this.#options.pollEvery, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** One poll at a time, whoever asks for it. */
  #startDueInTurn(): Promise<void> {
    const polled = this.#round.then(() => this.#startDue())
    this.#round = polled.catch(() => undefined)
    return polled
  }

  async #startDue(): Promise<void> {
    const { db, store } = this.#deps
    await store.versions.refresh()
    const now = await store.databaseNow()
    this.#watchClock()
    await this.#signs.giveIfDue(now)
    if (this.#stopping.signal.aborted || !(await this.#lead(now))) return
    const jitters = [...this.#jobs.values()].map((job) => milliseconds(job.jitter))
    if (await repairTimes(db, now, Math.max(0, ...jitters)))
      this.#deps.log.warn({}, 'job schedules corrected: they were too far in the future')
    while (!this.#stopping.signal.aborted && this.#running.size < this.#options.concurrency) {
      const held = await this.#take()
      if (!held) return
      this.#begin(held)
    }
  }

  async #lead(now: Instant): Promise<boolean> {
    const { clock, db, keyring, settings } = this.#deps
    const at = clock.monotonic()
    // Much of the work needs the keys; a node that lacks them must not keep it from one that has them.
    if (keyring.state !== 'unsealed') {
      if (this.isLeader) await this.#giveUpLead()
      return false
    }
    if (at < this.#standsBackUntil) return false
    if (at < this.#nextLeadAttemptAt) return this.isLeader
    const lease = this.#options.leadLease
    const candidate = { owner: this.#owner, node: settings.nodeName, address: settings.baseUrl, now, lease }
    const leads = await takeLead(db, candidate)
    this.#noteLead(leads)
    this.#leadsUntil = leads ? at + lease * 0.9 : Number.NEGATIVE_INFINITY
    this.#nextLeadAttemptAt = leads ? at + lease / 3 : at
    return leads
  }

  #noteLead(leads: boolean): void {
    const isChange = this.#hasLed !== undefined && this.#hasLed !== leads
    this.#hasLed = leads
    if (!isChange) return
    this.#deps.log.info({}, leads ? 'this node now leads background work' : 'this node no longer leads background work')
  }

  async #take(): Promise<HeldJob | undefined> {
    const now = await this.#deps.store.databaseNow()
    const kinds = [...this.#jobs.values()].filter((job) => this.#hasPlace(job)).map(({ name }) => name)
    const leaseOf = (kind: string) => leaseMs(this.#jobOf(kind))
    return await takeJob(this.#deps.db, { kinds, owner: this.#owner, now, leaseOf })
  }

  /** Only jobs that are known here are taken. */
  #jobOf(kind: string): Job {
    return this.#jobs.get(kind) as Job
  }

  #hasPlace({ group }: Job): boolean {
    if (!group) return true
    const taken = [...this.#running.keys()].filter((run) => run.job.group?.name === group.name)
    return taken.length < group.limit(this.#deps)
  }

  #begin(held: HeldJob): void {
    const job = this.#jobOf(held.kind)
    const run = new HeldRun(this.#deps, job, held, { lease: leaseMs(job), jitter: this.#jitterOf(job) })
    const done = run.finish().finally(() => {
      this.#running.delete(run)
      this.#wake.abort()
    })
    this.#running.set(run, done)
  }

  #jitterOf(job: Job): number {
    const most = milliseconds(job.jitter)
    return Math.floor((this.#deps.ids.bytes(4).readUInt32BE() / 2 ** 32) * most)
  }
}

const leaseMs = ({ lease = '1m' }: Job): number => milliseconds(lease)

function milliseconds(duration: string | undefined): number {
  const value = duration === undefined ? 0 : parseDuration(duration)
  if (value === undefined) throw new Error(`'${duration}' is not a duration; for example 30s or 1h`)
  return value
}
