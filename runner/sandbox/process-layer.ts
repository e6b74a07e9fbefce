import { programOnPath } from './programs.ts'
import type { Isolation, Layer, Limits, Step } from './sandbox.ts'
import type { SlotUser } from './slot-users.ts'
import { supervise } from './supervised.ts'

/** A tool as a child of the runner: a clean environment, limits and a killed process group, and no more. */
export async function processLayer(user: SlotUser | undefined): Promise<Layer> {
  const [setpriv, prlimit] = await Promise.all([programOnPath('setpriv'), programOnPath('prlimit')])
  const prefix = (limits: Limits): string[] => [
    ...(setpriv ? [setpriv, '--pdeathsig', 'KILL', ...(user ? user.setprivFlags : []), '--'] : []),
    ...(prlimit ? [prlimit, ...limitFlags(limits), '--'] : []),
  ]
  return {
    name: 'process',
    isolation: isolationOf({ setpriv, prlimit, user }),
    seenFolder: (runFolder) => runFolder,
    start: async (step: Step) => {
      const [first, ...rest] = [...prefix(step.limits), ...step.command]
      return supervise(step, {
        command: [first ?? step.command[0], ...rest],
        directory: step.directory,
        environment: step.environment,
        // The programs in front replace themselves by the tool, so it has the id that was started.
        toolPid: async (started) => started,
        ...(user && { user: user.uid }),
      })
    },
  }
}

/** What one process may use; the sum of all is watched besides. */
export const limitFlags = ({ memoryBytes, diskBytes }: Limits): string[] => [
  `--data=${memoryBytes}`,
  `--fsize=${diskBytes}`,
  '--core=0',
]

function isolationOf(found: { setpriv?: string; prlimit?: string; user: SlotUser | undefined }): Isolation {
  const isLinux = process.platform === 'linux'
  const ownUser = found.user ? 'in-force' : 'not-in-force'
  return {
    files: ownUser,
    'runner-memory': found.user ? 'in-force' : 'best-effort',
    network: 'not-in-force',
    metadata: 'not-in-force',
    memory: isLinux ? 'best-effort' : 'not-in-force',
    processes: found.prlimit ? 'best-effort' : 'not-in-force',
    disk: 'best-effort',
    'own-user': ownUser,
    'dies-with-runner': found.setpriv ? 'best-effort' : 'not-in-force',
    'leaves-nothing': found.user ? 'in-force' : 'best-effort',
  }
}
