import { isProcessAlive } from '../kernel/processes.ts'

/**
 * When this process began. Process numbers are given out again, and in a container every start has the same one: this
 * tells the bearers of one number apart.
 */
const processStart = Math.floor(performance.timeOrigin)

/** The name under which this process holds work. */
export const holderName = (node: string, unique: string): string => `${node}/${process.pid}.${processStart}.${unique}`

/** True if the name is that of a process of this node that has ended. */
export function isHolderGone(name: string, node: string): boolean {
  if (!name.startsWith(`${node}/`)) return false
  const [, pid, start] = /^(\d+)\.(\d+)\./.exec(name.slice(node.length + 1)) ?? []
  if (pid === undefined) return false
  if (Number(pid) === process.pid) return Number(start) !== processStart
  return !isProcessAlive(Number(pid))
}
