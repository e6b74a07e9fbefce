import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, Refused, untilPassed } from '../protocol/client.ts'
import type { Job } from '../protocol/messages.ts'
import { PhaseFailure, textOf } from './failure.ts'
import { type TakenFile, takeOut } from './plain-files.ts'

const maxStateBytes = 512 * 1024 * 1024

/** How long the last state is tried to be uploaded before it is put aside. */
const lastTriesMs = 300_000

type Options = {
  readonly client: Client
  readonly job: Job
  /** The folder that the job writes, and the state file below it. */
  readonly root: string
  readonly path: string
  readonly privateFolder: string
  readonly intervalMs: number
  readonly line: (text: string) => void
}

type Whole = TakenFile & { readonly serial: number; readonly lineage: string }

/** Brings the state file of an apply to the server: whole copies only, while the tool runs and at the end. */
export class StateKeeper {
  readonly #options: Options
  readonly #stop = new AbortController()
  #lastMd5: string
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#lastMd5 = options.job.state?.md5 ?? ''
  }

  /** Uploads what has changed, from time to time. */
  begin(): void {
    this.#running = this.#watch()
  }

  /**
   * Uploads the last state, whatever became of the apply, and returns the copy with the address for its JSON; undefined
   * if nothing has changed. A state that the server does not take as a version is put aside there, else here.
   */
  async finish(isLost: boolean): Promise<{ copy: TakenFile; jsonUrl: string | undefined } | undefined> {
    this.#stop.abort()
    await this.#running
    const copy = await this.#take()
    if (!copy || copy.md5 === this.#lastMd5) return undefined
    const whole = await wholeState(copy)
    if (!whole || isLost) {
      await this.#putAside(copy)
      if (!whole) this.#options.line('The state file is not whole; the version before it stands.')
      return undefined
    }
    try {
      const jsonUrl = await this.#upload(whole, lastTriesMs)
      return { copy, jsonUrl }
    } catch (error) {
      await this.#putAside(copy)
      const isConflict = error instanceof Refused && (error.status === 409 || error.status === 412)
      throw new PhaseFailure(
        isConflict ? 'state-conflict' : 'state-upload-failed',
        `The last state was not taken: ${textOf(error)}.`,
      )
    }
  }

  async #watch(): Promise<void> {
    const { intervalMs, line } = this.#options
    while (!this.#stop.signal.aborted) {
      await delay(intervalMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
      if (this.#stop.signal.aborted) return
      try {
        const copy = await this.#take()
        const whole = copy && copy.md5 !== this.#lastMd5 ? await wholeState(copy) : undefined
        // The tool writes in place: a second look shows whether it was doing so.
        if (whole && (await this.#take('again'))?.md5 === whole.md5) await this.#upload(whole, 0)
      } catch (error) {
        if (error instanceof Refused) line(`An intermediate state was not taken: ${error.message}.`)
      }
    }
  }

  async #take(name = 'state'): Promise<TakenFile | undefined> {
    const { root, path, privateFolder } = this.#options
    return await takeOut(root, path, join(privateFolder, name), maxStateBytes)
  }

  async #upload({ file, md5, serial, lineage }: Whole, forMs: number): Promise<string | undefined> {
    const { client, job } = this.#options
    const keepTrying = untilPassed(forMs)
    const { body } = await client.persist(
      {
        method: 'POST',
        path: `/api/v2/workspaces/${job.run.workspace.id}/state-versions`,
        token: job.token,
        fence: job.fence,
        headers: { 'Content-Type': 'application/vnd.api+json' },
        body: {
          data: {
            type: 'state-versions',
            attributes: { serial, md5, ...(lineage !== '' && { lineage }) },
            relationships: { run: { data: { type: 'runs', id: job.run.id } } },
          },
        },
      },
      keepTrying,
    )
    const { attributes } = (body as { data: { attributes: Record<string, unknown> } }).data
    const url = attributes['hosted-state-upload-url']
    if (typeof url === 'string') await client.persist({ method: 'PUT', path: url, body: { file } }, keepTrying)
    this.#lastMd5 = md5
    const jsonUrl = attributes['hosted-json-state-upload-url']
    return typeof jsonUrl === 'string' ? jsonUrl : undefined
  }

  async #putAside({ file, sha256 }: TakenFile): Promise<void> {
    const { client, job, privateFolder, line } = this.#options
    try {
      const call = {
        method: 'PUT',
        path: `/api/runner/v1/jobs/${job.job_id}/artifacts/errored-state`,
        token: job.token,
        fence: job.fence,
        headers: { 'X-Content-SHA256': sha256 },
        body: { file },
      } as const
      await client.persist(call, untilPassed(60_000))
      line('The state that the tool left is kept as errored state of this apply.')
    } catch {
      const kept = join(privateFolder, 'errored.tfstate')
      await rename(file, kept)
      line(`The state that the tool left is on the machine of the runner for 7 days: ${kept}`)
    }
  }
}

/** A copy that is JSON to its end; a killed tool may have left half of it. */
async function wholeState(copy: TakenFile): Promise<Whole | undefined> {
  try {
    const { serial, lineage } = JSON.parse(await readFile(copy.file, 'utf8'))
    return {
      ...copy,
      serial: Number.isInteger(serial) ? serial : 0,
      lineage: typeof lineage === 'string' ? lineage : '',
    }
  } catch {
    return undefined
  }
}
