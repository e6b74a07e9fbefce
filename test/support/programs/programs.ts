import { spawnSync } from 'node:child_process'

/** True if a third-party program is on the path, or at this path; asking for its version makes it exit at once. */
export const isInstalled = (program: string, versionFlag = '--version'): boolean =>
  spawnSync(program, [versionFlag], { stdio: 'ignore' }).error === undefined
