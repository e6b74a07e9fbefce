import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { PhaseFailure, textOf } from '../job/failure.ts'
import { type Client, untilPassed } from '../protocol/client.ts'
import type { ToolChoice } from '../protocol/messages.ts'
import { programOnPath } from '../sandbox/programs.ts'
import { run } from './run.ts'

/** A tool that can be run. */
export type Tool = { readonly name: string; readonly version: string; readonly file: string; readonly sha256: string }

/** The programs of the tools, by the names that servers use. */
const programs = { opentofu: 'tofu', terraform: 'terraform' } as const

const maxCacheBytes = 5 * 1024 ** 3

/** The platform as lists of tools name it. */
export const platform = {
  os: process.platform === 'win32' ? 'windows' : process.platform,
  arch: ({ x64: 'amd64', ia32: '386' } as Record<string, string>)[process.arch] ?? process.arch,
}

/** The tools on PATH. Their versions are read once; digests are shown, and not checked. */
export async function toolsOnPath(path: string): Promise<Tool[]> {
  const found = await Promise.all(
    Object.entries(programs).map(async ([name, program]) => {
      const file = await programOnPath(program, path)
      const told = file && (await versionOf(file))
      return file && told
        ? { name, version: told.version, file: await realpath(file), sha256: await digestOf(file) }
        : undefined
    }),
  )
  return found.filter((tool) => tool !== undefined)
}

/** The tool of a job: one on PATH of exactly this version, or the one of the catalogue, from the cache or downloaded. */
export class ToolStore {
  readonly #client: Client
  readonly #folder: string
  readonly #onPath: readonly Tool[]
  readonly #downloads = new Map<string, Promise<string>>()

  constructor(client: Client, folder: string, onPath: readonly Tool[]) {
    this.#client = client
    this.#folder = folder
    this.#onPath = onPath
  }

  async find(choice: ToolChoice, token: string): Promise<Tool> {
    const onPath = this.#onPath.find(({ name, version }) => name === choice.name && version === choice.version)
    if (onPath) return onPath
    const download = choice.downloads?.find(({ os, arch }) => os === platform.os && arch === platform.arch)
    if (!download) {
      const here = this.#onPath.map(({ name, version }) => `${name} ${version}`).join(', ')
      throw new PhaseFailure(
        'tool-unavailable',
        `${choice.name} ${choice.version} is not on this runner${here && ` (it has ${here})`}, and the catalogue has none for ${platform.os}_${platform.arch}.`,
      )
    }
    if (!/^[0-9a-f]{64}$/.test(download.sha256 ?? '')) {
      throw new PhaseFailure(
        'tool-checksum',
        `The catalogue has no digest for ${choice.name} ${choice.version}; an administrator can add it.`,
      )
    }
    const sha256 = download.sha256 ?? ''
    const program = programs[choice.name as keyof typeof programs]
    if (!program) throw new PhaseFailure('tool-unavailable', `This runner does not know the tool '${choice.name}'.`)
    const addresses = [
      `/api/runner/v1/tools/${choice.name}/${choice.version}/${platform.os}/${platform.arch}`,
      download.url,
      ...(download.mirror_urls ?? []),
    ]
    const running = this.#downloads.get(sha256) ?? this.#fetch(addresses, token, sha256, program)
    this.#downloads.set(sha256, running)
    try {
      const file = await running
      const told = await versionOf(file)
      if (told?.version !== choice.version) {
        throw new PhaseFailure(
          'tool-checksum',
          `The downloaded ${choice.name} says that it is ${told?.version ?? 'nothing'}, not ${choice.version}.`,
        )
      }
      return { ...choice, file, sha256 }
    } finally {
      this.#downloads.delete(sha256)
    }
  }

  async #fetch(addresses: readonly string[], token: string, sha256: string, program: string): Promise<string> {
    const folder = join(this.#folder, sha256)
    const file = join(folder, program)
    if (await stat(file).catch(() => undefined)) {
      await utimes(folder, systemClock.now() / 1_000, systemClock.now() / 1_000)
      return file
    }
    const temporary = join(this.#folder, `new-${randomIds.hex(16)}`)
    await mkdir(temporary, { recursive: true, mode: 0o755 })
    try {
      const archive = join(temporary, 'archive.zip')
      await this.#download(addresses, token, sha256, archive)
      // Nothing but the expected program is written, whatever else the archive holds.
      await run('unzip', ['-q', '-o', '-j', archive, program, '-d', temporary])
      await rm(archive)
      await chmod(join(temporary, program), 0o755)
      await rename(temporary, folder)
    } catch (error) {
      throw error instanceof PhaseFailure
        ? error
        : new PhaseFailure('tool-unavailable', `The tool cannot be unpacked: ${textOf(error)}.`)
    } finally {
      await rm(temporary, { recursive: true, force: true })
    }
    await this.#forgetOld(sha256)
    return file
  }

  async #download(addresses: readonly string[], token: string, sha256: string, to: string): Promise<void> {
    const faults: string[] = []
    const keepTrying = untilPassed(60_000)
    for (const path of addresses) {
      if (faults.length > 0 && !keepTrying(new Error() as never)) break
      try {
        await this.#client.download({ method: 'GET', path, token }, createWriteStream(to, { mode: 0o600 }))
      } catch (error) {
        faults.push(textOf(error))
        continue
      }
      const found = await digestOf(to)
      if (found === sha256) return
      throw new PhaseFailure(
        'tool-checksum',
        `What ${new URL(path, 'https://server').host} sends has the digest ${found}, not that of the catalogue.`,
      )
    }
    throw new PhaseFailure('tool-unavailable', `The tool cannot be downloaded: ${faults.join('; ')}.`)
  }

  /** Removes what was not used for longest, beyond the size of the cache. */
  async #forgetOld(kept: string): Promise<void> {
    const entries = await Promise.all(
      (await readdir(this.#folder))
        .filter((name) => name !== kept && !name.startsWith('new-'))
        .map(async (name) => {
          const folder = join(this.#folder, name)
          const files = await readdir(folder)
          const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size))
          return { folder, usedAt: (await stat(folder)).mtimeMs, size: sizes.reduce((sum, size) => sum + size, 0) }
        }),
    )
    let total = 0
    for (const { folder, size } of entries.sort((a, b) => b.usedAt - a.usedAt)) {
      total += size
      if (total > maxCacheBytes) await rm(folder, { recursive: true, force: true })
    }
  }
}

/** The digest of a file. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer)
  return hash.digest('hex')
}

async function versionOf(file: string): Promise<{ version: string } | undefined> {
  try {
    const out = await run(file, ['version', '-json'])
    const { terraform_version: version } = JSON.parse(out.slice(out.search(/^\{/m)))
    return typeof version === 'string' ? { version } : undefined
  } catch {
    return undefined
  }
}
