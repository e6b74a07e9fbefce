import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '../kernel/failure.ts'
import { isProcessAlive } from '../kernel/processes.ts'
import { ifAbsent, systemCode } from '../kernel/system-errors.ts'
import { isSqliteFull, isStorageFull, sqlState } from '../storage/database-errors.ts'
import type { ArchiveDeps } from './types.ts'

type SpoolDeps = Pick<ArchiveDeps, 'ids' | 'settings'>

/** A folder for files that are needed for a while. */
export type Spool = {
  /** The path of a file in it. */
  file(name: string): string
  remove(): Promise<void>
}

const parentOf = (deps: Pick<SpoolDeps, 'settings'>): string => join(deps.settings.dataDir, 'spool')

/** Names the node too: nodes may share a directory, and a process number means nothing on another one. */
const ownPrefix = (deps: Pick<SpoolDeps, 'settings'>): string => `${encodeURIComponent(deps.settings.nodeName)}-`

/** Makes a folder that only this user can look into. */
export async function openSpool(deps: SpoolDeps): Promise<Spool> {
  const folder = join(parentOf(deps), `${ownPrefix(deps)}${process.pid}-${deps.ids.hex(12)}`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    file: (name) => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Removes what processes of this node left behind that have ended; called before this process makes anything. */
export async function sweepSpool(deps: Pick<SpoolDeps, 'settings'>): Promise<number> {
  const names = (await readdir(parentOf(deps)).catch(ifAbsent)) ?? []
  const left = names.filter((name) => isAbandoned(name, ownPrefix(deps)))
  for (const name of left) await rm(join(parentOf(deps), name), { recursive: true, force: true })
  return left.length
}

function isAbandoned(name: string, prefix: string): boolean {
  const [, pid] = name.startsWith(prefix) ? (/^(\d+)-[0-9a-f]{12}$/.exec(name.slice(prefix.length)) ?? []) : []
  if (pid === undefined) return false
  return Number(pid) === process.pid || !isProcessAlive(Number(pid))
}

/** Says in our words that the disk is full; anything else is passed on as it is. */
export function translateDiskFull(thrown: unknown): unknown {
  const code = systemCode(thrown)
  const isFull = isSqliteFull(thrown) || sqlState(thrown) === '53100' || isStorageFull(thrown)
  if (!isFull && !['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return thrown
  const text = 'insufficient space: the disk has no room for the snapshot and a copy of the data'
  return failure('no-space', 'archive.insufficient-space', text, { cause: thrown })
}
