import { systemCode } from './system-errors.ts'

/** True if a process with this number runs on this machine, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM'
  }
}
