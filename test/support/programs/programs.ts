import { spawnSync } from 'node:child_process'

/** True if a program of others is on the path, or at this one. Asked for its version it ends at once, whatever it answers. */
export const isInstalled = (program: string, question = '--version'): boolean =>
  spawnSync(program, [question], { stdio: 'ignore' }).error === undefined
