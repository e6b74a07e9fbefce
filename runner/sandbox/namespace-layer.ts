import { existsSync, lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { limitFlags } from './process-layer.ts'
import { familyOf, idsOf } from './processes.ts'
import { programOnPath } from './programs.ts'
import type { Isolation, Layer, Limits, Mount, RunningStep, Step } from './sandbox.ts'
import type { SlotUser } from './slot-users.ts'
import { supervise } from './supervised.ts'

/** What the layer needs to know of its runner. */
export type NamespaceOptions = {
  readonly user: SlotUser | undefined
  /** A folder of the runner that jobs do not see. */
  readonly privateFolder: string
  /** Ports of the loopback interface that steps with a network may reach: that of the server, if it is there. */
  readonly loopbackPorts: readonly number[]
  /** Lets steps reach addresses of the link, at which clouds give out credentials. */
  readonly allowsMetadata: boolean
}

type Programs = { bwrap: string; sh: string; pasta?: string; ip?: string; setpriv?: string; prlimit?: string }

/** Why a layer does not work here, for people. */
export class LayerFailure extends Error {}

/** How long a step with nothing to do may take before the layer counts as broken. */
const probeSeconds = 10

/**
 * A tool in namespaces of its own, made by bubblewrap: it sees its work folder, itself, and the programs of the machine.
 * Its network is one of its own by pasta where that works. Throws a `LayerFailure` where bubblewrap does not.
 */
export async function namespaceLayer(options: NamespaceOptions): Promise<Layer> {
  if (process.platform !== 'linux') throw new LayerFailure('Namespaces need Linux.')
  const [bwrap, sh, pasta, ip, setpriv, prlimit] = await Promise.all(
    ['bwrap', 'sh', 'pasta', 'ip', 'setpriv', 'prlimit'].map((name) => programOnPath(name)),
  )
  if (!bwrap || !sh) throw new LayerFailure('bubblewrap (`bwrap`) is not installed.')
  const programs: Programs = { bwrap, sh, ...(ip && { ip }), ...(setpriv && { setpriv }), ...(prlimit && { prlimit }) }
  const found = pasta ? await probe(options, { ...programs, pasta }) : undefined
  const withPasta = found && 'facts' in found ? found : undefined
  const result = withPasta ?? (await probe(options, programs))
  if (!('facts' in result)) throw new LayerFailure(`bubblewrap does not work here: ${result.fault}`)
  return layerOf(options, withPasta ? { ...programs, pasta } : programs, isolationOf(result.facts, options))
}

function layerOf(options: NamespaceOptions, programs: Programs, isolation: Isolation): Layer {
  return {
    name: 'namespace',
    isolation,
    seenFolder: (_runFolder, runId) => `/holdfast/work/${runId}`,
    start: async (step) => await startStep(options, programs, step),
  }
}

async function startStep(options: NamespaceOptions, programs: Programs, step: Step): Promise<RunningStep> {
  const control = await mkdtemp(join(options.privateFolder, 'step-'))
  const info = join(control, 'info')
  const command = commandOf(options, programs, step, info)
  const [first, ...rest] = command
  const running = supervise(step, {
    command: [first ?? '', ...rest],
    directory: '/',
    environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    toolPid: async (started) => await findTool(started, info),
    ...(options.user && { user: options.user.uid }),
  })
  const ended = running.ended.finally(() => rm(control, { recursive: true, force: true }))
  return { ...running, ended }
}

/** With pasta around it, bubblewrap keeps the network that it finds. The last shell writes the ids of what it starts. */
function commandOf(options: NamespaceOptions, programs: Programs, step: Step, info: string): string[] {
  const { pasta, sh, setpriv, prlimit, bwrap } = programs
  const hasOwnNetwork = step.hasNetwork && pasta !== undefined
  const dying = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--'] : []
  const asUser = setpriv && options.user ? [setpriv, '--pdeathsig', 'KILL', ...options.user.setprivFlags, '--'] : dying
  const limited = prlimit ? [prlimit, ...limitFlags(step.limits), '--'] : []
  const inner = [
    ...asUser,
    ...limited,
    bwrap,
    '--unshare-all',
    ...(step.hasNetwork ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--as-pid-1', '--info-fd', '3', '--cap-drop', 'ALL', '--clearenv'],
    ...viewOf(step, hasOwnNetwork && usesLoopbackResolver()),
    '--',
    ...step.command,
  ]
  if (!hasOwnNetwork) return [sh, '-c', 'exec "$@" 3>"$0"', info, ...inner]
  // The shell is the first process of the namespace of pasta: when it dies with pasta, all that is in there does.
  const script = `${routesOf(options, programs)}"$@" 2>&1 3>"$0"; exit $?`
  const inside = [...dying, pasta, ...pastaFlags(options), '--', ...dying, sh, '-c', script, info, ...inner]
  // What pasta has to say is not for the log of the run, so what is inside sends both streams by the other way.
  return [sh, '-c', 'exec "$@" 2>"$0"', `${info}.pasta`, ...inside]
}

const resolver = '198.18.0.53'

function pastaFlags({ loopbackPorts }: NamespaceOptions): string[] {
  const ports = loopbackPorts.length > 0 ? loopbackPorts.join(',') : 'none'
  return [
    ...[
      '--quiet',
      '--foreground',
      '--config-net',
      '--no-map-gw',
      '-t',
      'none',
      '-u',
      'none',
      '-T',
      ports,
      '-U',
      'none',
    ],
    ...(usesLoopbackResolver() ? ['--dns-forward', resolver] : []),
    // What only root may open, the interface among it, pasta can then use, too.
    ...(process.getuid?.() === 0 ? ['--netns-only', '--runas', '0'] : []),
  ]
}

function routesOf({ allowsMetadata }: NamespaceOptions, { ip }: Programs): string {
  if (!ip || allowsMetadata) return ''
  const quiet = '>/dev/null 2>&1'
  return (
    `${ip} route add unreachable 169.254.0.0/16 ${quiet}; ` +
    `${ip} -6 route add unreachable fd00:ec2::254/128 ${quiet}; `
  )
}

function usesLoopbackResolver(): boolean {
  const servers = [...resolvConf().matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, server]) => server ?? '')
  return servers.length > 0 && servers.every((server) => /^127\.|^::1$/.test(server) && isIP(server) > 0)
}

function resolvConf(): string {
  try {
    return readFileSync('/etc/resolv.conf', 'utf8')
  } catch {
    return ''
  }
}

/** Programs and libraries of the machine. */
const systemFolders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix']

/** What programs need in order to find libraries, names, users, certificates and the time zone. */
const systemFiles = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'nsswitch.conf', 'hosts', 'host.conf', 'gai.conf'],
  ...['protocols', 'services', 'passwd', 'group', 'localtime', 'ssl', 'ca-certificates', 'pki', 'ssh/ssh_config'],
].map((name) => `/etc/${name}`)

function viewOf({ mounts, directory, environment }: Step, hasOwnResolver: boolean): string[] {
  const folders = systemFolders.flatMap((folder) => {
    if (!existsSync(folder)) return []
    return lstatSync(folder).isSymbolicLink()
      ? ['--symlink', readlinkSync(folder), folder]
      : ['--ro-bind', folder, folder]
  })
  const files = systemFiles.flatMap((file) => ['--ro-bind-try', file, file])
  const names = hasOwnResolver ? [] : ['--ro-bind-try', '/etc/resolv.conf', '/etc/resolv.conf']
  return [
    ...folders,
    ...files,
    ...names,
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'],
    ...mounts.flatMap(mountFlags),
    ...['--chdir', directory],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

const mountFlags = ({ from, to, isWritable }: Mount): string[] => [isWritable ? '--bind' : '--ro-bind', from, to]

/**
 * The process that bubblewrap has started. The id that it tells is one in the namespace of its own process, which is that
 * of pasta if there is one.
 */
async function findTool(started: number, info: string): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const [, told] = /"child-pid":\s*(\d+)/.exec(await readFile(info, 'utf8').catch(() => '')) ?? []
    const family = familyOf(started)
    if (told !== undefined) {
      const found = family.find(({ pid }) => {
        const ids = idsOf(pid)
        return ids.at(-1) === 1 && ids.at(-2) === Number(told)
      })
      if (found) return found.pid
    }
    if (family.length === 0) return 0
    await delay(Math.min(20, 1 + attempt))
  }
  return 0
}

type Facts = {
  readonly ownProcesses: boolean
  readonly ownNetwork: boolean
  readonly hasMetadata: boolean
  readonly seesRunner: boolean
}

/** Asks from inside what can be seen there. */
async function probe(options: NamespaceOptions, programs: Programs): Promise<{ facts: Facts } | { fault: string }> {
  const script = [
    'readlink /proc/self/ns/pid',
    'readlink /proc/self/ns/net',
    `if [ -e "${options.privateFolder}" ]; then echo seen; else echo hidden; fi`,
    'if ip route get 169.254.169.254 >/dev/null 2>&1; then echo route; else echo none; fi',
  ].join('; ')
  let [text, faults] = ['', '']
  const running = await startStep(options, programs, {
    command: ['/bin/sh', '-c', script],
    directory: '/',
    environment: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' },
    mounts: [],
    workFolder: '/nonexistent',
    hasNetwork: true,
    limits: { seconds: probeSeconds, memoryBytes: 2 ** 30, diskBytes: 2 ** 30 } satisfies Limits,
    output: (bytes, stream) => {
      if (stream === 'out') text += bytes
      else faults += bytes
    },
  })
  const { exitCode } = await running.ended
  const [processes = '', network = '', files, metadata] = text.trim().split('\n')
  if (exitCode !== 0 || metadata === undefined) return { fault: faults.trim().slice(0, 500) || `exit code ${exitCode}` }
  const facts = {
    ownProcesses: processes !== readlinkSync('/proc/self/ns/pid'),
    ownNetwork: network !== readlinkSync('/proc/self/ns/net'),
    hasMetadata: metadata === 'route' || programs.ip === undefined,
    seesRunner: files === 'seen',
  }
  return { facts }
}

function isolationOf(facts: Facts, { user }: NamespaceOptions): Isolation {
  return {
    files: facts.seesRunner ? 'not-in-force' : 'in-force',
    'runner-memory': facts.ownProcesses ? 'in-force' : 'not-in-force',
    network: facts.ownNetwork ? 'in-force' : 'not-in-force',
    metadata: facts.ownNetwork && !facts.hasMetadata ? 'in-force' : 'not-in-force',
    memory: 'best-effort',
    processes: 'best-effort',
    disk: 'best-effort',
    'own-user': user ? 'in-force' : 'best-effort',
    'dies-with-runner': 'in-force',
    'leaves-nothing': facts.ownProcesses ? 'in-force' : 'not-in-force',
  }
}
