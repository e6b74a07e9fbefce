import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** A process as `/proc` describes it. */
export type ProcessInfo = {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly isZombie: boolean
  readonly rssBytes: number
  readonly cpuMs: number
}

const pageBytes = 4_096
/** Of the clock that `/proc` counts in, a second has a hundred ticks on Linux. */
const tickMs = 10

/** All processes of the machine; none where there is no `/proc`. */
export function listProcesses(): ProcessInfo[] {
  return entriesOf('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? textOf(`/proc/${name}/stat`) : undefined
    if (stat === undefined) return []
    // The name stands in parentheses and may hold anything.
    const [state = '', parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const at = (index: number): number => Number(rest[index - 6] ?? 0)
    return [
      {
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        isZombie: state === 'Z' || state === 'X',
        rssBytes: at(24) * pageBytes,
        cpuMs: (at(14) + at(15)) * tickMs,
      },
    ]
  })
}

/** A process, all that descend from it, and all of its group. */
export function familyOf(root: number, all: readonly ProcessInfo[] = listProcesses()): ProcessInfo[] {
  const family = new Set([root])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const { pid, parent, group } of all) if (family.has(parent) || group === root) family.add(pid)
  }
  return all.filter(({ pid, isZombie }) => family.has(pid) && !isZombie)
}

/** The ids that a process has, from that in our namespace to that in its own. */
export function idsOf(pid: number): number[] {
  const [, ids = ''] = /^NSpid:\s*(.*)$/m.exec(textOf(`/proc/${pid}/status`) ?? '') ?? []
  return ids.split(/\s+/).filter(Boolean).map(Number)
}

/** The user that a process runs as; undefined once it is gone. */
export function userOf(pid: number): number | undefined {
  const [, user] = /^Uid:\s*(\d+)/m.exec(textOf(`/proc/${pid}/status`) ?? '') ?? []
  return user === undefined ? undefined : Number(user)
}

/** Sends a signal; a process that is gone is what was wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone, or has become that of somebody else.
  }
}

/** True while a process or, with a negative id, a group is there. Those that only wait to be buried do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  if (pid > 0) return !/^State:\s*[ZX]/m.test(textOf(`/proc/${pid}/status`) ?? 'State: X')
  return listProcesses().some(({ group, isZombie }) => group === -pid && !isZombie)
}

/** Kills until a process, a group (negative) or all processes of a user are gone; false if some are left. */
export async function killAll(pids: readonly number[], user?: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const left = pids.filter(isAlive)
    if (user !== undefined) left.push(...processesOf(user))
    if (left.length === 0) return true
    for (const pid of left) signal(pid, 'SIGKILL')
    await delay(Math.min(50, 1 + attempt))
  }
  return false
}

const processesOf = (user: number): number[] =>
  listProcesses()
    .filter(({ isZombie }) => !isZombie)
    .map(({ pid }) => pid)
    .filter((pid) => userOf(pid) === user)

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
