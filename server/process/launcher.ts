import { LAUNCHER_VARIABLE } from '../../scripts/setup/root.mjs'
import { systemCode } from '../kernel/system-errors.ts'

/** An environment whose variables can be removed. */
type ChangeableEnvironment = Record<string, string | undefined>

const checkMs = 500

/**
 * The process that only passes signals on to this one, if there is one. Programs that this process starts do not
 * inherit it.
 */
export function takeLauncher(environment: ChangeableEnvironment): number | undefined {
  const pid = Number(environment[LAUNCHER_VARIABLE])
  delete environment[LAUNCHER_VARIABLE]
  return Number.isInteger(pid) && pid > 0 ? pid : undefined
}

/**
 * Calls `onGone` once when the launcher has ended: nobody is left then who could stop this process, and it would keep
 * the ports and the data. Windows does not tell, so nothing happens there.
 */
export function watchLauncher(launcher: number, onGone: () => void): void {
  // A variable that comes from elsewhere says nothing about the parent of this process.
  if (process.ppid !== launcher && isRunning(launcher)) return
  const poll = (): void => {
    if (process.ppid === launcher) setTimeout(poll, checkMs).unref()
    else onGone()
  }
  poll()
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return systemCode(thrown) !== 'ESRCH'
  }
}
