import { createWriteStream } from 'node:fs'
import { readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { randomIds } from '../../server/kernel/ids.ts'
import type { Limits, Mount } from '../sandbox/sandbox.ts'
import { PhaseFailure } from './failure.ts'
import { isPlainFolder, putFile, putFolder, type TakenFile } from './plain-files.ts'
import { type PlanDocument, providersOf } from './results.ts'
import { lockedProviders, requiredProviders } from './tool-commands.ts'
import { baseEnvironment, type Places, type Workplace } from './workplace.ts'

/** The largest JSON that is kept of a plan. */
const maxJsonBytes = 512 * 1024 * 1024

const limits: Omit<Limits, 'memoryBytes' | 'diskBytes'> = { seconds: 900 }

/**
 * Shows copies of what a job has made, in a sandbox of its own: without the configuration, variables, tokens and network,
 * and with the providers of the job, which its tool checks by the lock file.
 */
export class Renderer {
  readonly #places: Places
  readonly #work: Workplace
  readonly #name = `render-${randomIds.hex(12)}`
  readonly #root: string
  readonly #seen: string

  constructor(places: Places, work: Workplace) {
    this.#places = places
    this.#work = work
    this.#root = join(places.workFolder, this.#name)
    this.#seen = places.layer.seenFolder(this.#root, this.#name)
  }

  /** `show -json` of a file, which is a plan or a state; the answer is a file of the runner. */
  async show(copy: TakenFile, lock: TakenFile | undefined, name: string): Promise<string> {
    await this.#prepare([], lock)
    await putFile(join(this.#root, 'shown'), await readFile(copy.file), this.#work.user)
    return await this.#run(['show', '-json', 'shown'], name)
  }

  /** The schemas of the providers of a plan. */
  async schemas(plan: PlanDocument, lock: TakenFile | undefined, name: string): Promise<string> {
    await this.#prepare(providersOf(plan), lock)
    return await this.#run(['providers', 'schema', '-json'], name)
  }

  async close(): Promise<void> {
    await rm(this.#root, { recursive: true, force: true })
  }

  async #prepare(providers: readonly string[], lockFile: TakenFile | undefined): Promise<void> {
    const { user, root, directory } = this.#work
    await this.close()
    await putFolder(this.#root, user)
    for (const folder of ['home', 'tmp', '.terraform']) await putFolder(join(this.#root, folder), user)
    await putFile(join(this.#root, 'tool.rc'), 'disable_checkpoint = true\n', user)
    const lock = lockFile ? await readFile(lockFile.file, 'utf8') : ''
    const locked = lockedProviders(lock)
    if (lock !== '') await putFile(join(this.#root, '.terraform.lock.hcl'), lock, user)
    await putFile(join(this.#root, 'required.tf.json'), requiredProviders(providers, locked), user)
    const installed = `${directory}/.terraform/providers`
    if (this.#places.layer.name === 'process' && (await isPlainFolder(root, installed))) {
      await symlink(join(root, installed), join(this.#root, '.terraform', 'providers'))
    }
  }

  async #run(args: readonly string[], name: string): Promise<string> {
    const { layer, settings, privateFolder } = this.#places
    const file = join(privateFolder, name)
    const out = createWriteStream(file, { mode: 0o600 })
    let [faults, size, began] = ['', 0, false]
    const running = await layer.start({
      command: [this.#work.toolProgram, ...args],
      directory: this.#seen,
      environment: baseEnvironment(settings, this.#seen),
      mounts: await this.#mounts(),
      workFolder: this.#root,
      hasNetwork: false,
      limits: { ...limits, memoryBytes: settings.memoryBytes, diskBytes: settings.diskBytes },
      output: (bytes, stream) => {
        if (stream === 'err') faults = (faults + bytes).slice(-4_096)
        // Warnings may stand in front of the document.
        const start = began || stream === 'err' ? 0 : documentStart(bytes)
        if (stream === 'err' || start < 0) return
        began = true
        size += bytes.length - start
        if (size > maxJsonBytes) running.kill('output-too-large')
        else out.write(bytes.subarray(start))
      },
    })
    const { exitCode, stopped } = await running.ended
    await new Promise<void>((resolve, reject) => out.on('error', reject).end(() => resolve()))
    if (stopped === 'output-too-large')
      throw new PhaseFailure('output-too-large', `The plan as JSON has more than ${maxJsonBytes} bytes.`)
    if (exitCode !== 0)
      throw new PhaseFailure('tool-failed', `The tool cannot show what it has made: ${faults.trim().slice(0, 1_000)}`)
    return file
  }

  async #mounts(): Promise<Mount[]> {
    if (this.#places.layer.name === 'process') return []
    const { root, seen, directory, mounts } = this.#work
    const installed = `${directory}/.terraform/providers`
    return [
      { from: this.#root, to: this.#seen, isWritable: true },
      ...mounts.filter(({ to }) => to !== seen),
      ...((await isPlainFolder(root, installed))
        ? [{ from: join(root, installed), to: `${this.#seen}/.terraform/providers` }]
        : []),
    ]
  }
}

function documentStart(bytes: Buffer): number {
  if (bytes[0] === 0x7b) return 0
  const found = bytes.indexOf('\n{')
  return found < 0 ? -1 : found + 1
}
