import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job } from './protocol/messages.ts'

/** What a runner that was killed needs to know about a job: no token, and no variable. */
export type JournalEntry = {
  readonly job_id: string
  readonly fence: number
  readonly kind: string
  readonly run_id: string
}

/** Notes of a runner in its own folder, for the runner that is started there after it. */
export class Journal {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The folder of a job, which nobody but the runner reads. */
  async open(job: Job): Promise<string> {
    const folder = join(this.#folder, 'jobs', job.job_id)
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const entry: JournalEntry = { job_id: job.job_id, fence: job.fence, kind: job.kind, run_id: job.run.id }
    await this.#write(join(folder, 'job.json'), entry)
    return folder
  }

  /** Forgets a job; a state that could not be handed in stays for people. */
  async close(jobId: string): Promise<void> {
    const folder = join(this.#folder, 'jobs', jobId)
    const names: string[] = await readdir(folder).catch(() => [])
    const kept = names.includes('errored.tfstate')
    for (const name of names)
      if (name !== 'errored.tfstate') await rm(join(folder, name), { recursive: true, force: true })
    if (!kept) await rm(folder, { recursive: true, force: true })
  }

  /** Jobs that had not ended. */
  async left(): Promise<JournalEntry[]> {
    const names = await readdir(join(this.#folder, 'jobs')).catch(() => [])
    const entries = await Promise.all(names.map((name) => this.#read(join(this.#folder, 'jobs', name, 'job.json'))))
    return entries.filter((entry) => entry !== undefined) as JournalEntry[]
  }

  /** The session with which this runner was registered last. */
  async session(): Promise<string | undefined> {
    const noted = (await this.#read(join(this.#folder, 'session.json'))) as { session?: string } | undefined
    return noted?.session
  }

  async noteSession(session: string): Promise<void> {
    await this.#write(join(this.#folder, 'session.json'), { session })
  }

  async #write(file: string, content: object): Promise<void> {
    await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
    await rename(`${file}.new`, file)
  }

  async #read(file: string): Promise<unknown> {
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch {
      return undefined
    }
  }
}
