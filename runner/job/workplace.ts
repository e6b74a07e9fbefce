import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Job } from '../protocol/messages.ts'
import type { Layer, Mount } from '../sandbox/sandbox.ts'
import type { SlotUser } from '../sandbox/slot-users.ts'
import type { RunnerSettings } from '../settings.ts'
import type { Tool } from '../tools/tool-store.ts'
import { PhaseFailure } from './failure.ts'
import { putFile, putFolder } from './plain-files.ts'
import { toolConfiguration } from './tool-commands.ts'
import { type JobEnvironment, jobEnvironment, variableFiles } from './variables.ts'

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The folders of a phase: those that its tool sees, and those of the runner. */
export type Workplace = {
  readonly user: SlotUser | undefined
  /** The folder of the run, and where its tool sees it. */
  readonly root: string
  readonly seen: string
  /** Below the root, where the tool runs. */
  readonly directory: string
  /** Where nobody but the runner comes. */
  readonly privateFolder: string
  readonly environment: Readonly<Record<string, string>>
  readonly variableFiles: readonly string[]
  readonly parallelism: number | undefined
  /** Lines for the log about what was left out. */
  readonly notes: readonly string[]
  readonly mounts: readonly Mount[]
  readonly toolProgram: string
}

/** The parts of a runner that a workplace is made of. */
export type Places = {
  readonly settings: RunnerSettings
  readonly layer: Layer
  readonly user: SlotUser | undefined
  /** The folder that holds the folders of runs. */
  readonly workFolder: string
  readonly privateFolder: string
}

/** The folder of the configuration, below that of the run. */
export const configurationFolder = 'configuration'

/** Makes the folders of a phase, empty but for the files of the runner. */
export async function makeWorkplace(places: Places, job: Job, tool: Tool): Promise<Workplace> {
  const { user, layer, settings } = places
  const root = join(places.workFolder, job.run.id)
  const seen = layer.seenFolder(root, job.run.id)
  if (job.kind === 'apply' && job.work_root && job.work_root !== seen) {
    throw new PhaseFailure('internal', `The plan was made in ${job.work_root}, which this runner cannot provide.`)
  }
  const environment = jobEnvironment(job.variables, systemPath, seen)
  if ('invalid' in environment) throw new PhaseFailure('variable-invalid', environment.invalid)
  const files = variableFiles(job.variables)
  if ('invalid' in files) throw new PhaseFailure('variable-invalid', files.invalid)
  await rm(root, { recursive: true, force: true })
  for (const folder of ['', configurationFolder, 'variables', 'home', 'tmp']) await putFolder(join(root, folder), user)
  for (const { name, text } of files) await putFile(join(root, 'variables', name), text, user)
  const host = new URL(job.api.base_url).host
  await putFile(join(root, 'tool.rc'), toolConfiguration(host, job.tool_token, settings.providerMirrors), user)
  const ca = settings.ca ?? job.api.ca_pem
  if (ca) await putFile(join(root, 'ca.pem'), [...rootCertificates, ca].join('\n'), user)
  return {
    user,
    root,
    seen,
    directory: directoryOf(job),
    privateFolder: places.privateFolder,
    environment: environmentOf(job, places, seen, environment),
    variableFiles: files.map(({ name }) => `${seen}/variables/${name}`),
    parallelism: parallelismOf(environment),
    notes: environment.left,
    mounts: mountsOf(places, tool, root, seen),
    toolProgram: layer.name === 'namespace' ? `/holdfast/tool/${tool.name}` : tool.file,
  }
}

function directoryOf({ configuration }: Job): string {
  const segments = (configuration.working_directory ?? '')
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..'))
    throw new PhaseFailure('working-directory-missing', 'The working directory has `..` in it.')
  return [configurationFolder, ...segments].join('/')
}

function mountsOf({ layer, settings }: Places, tool: Tool, root: string, seen: string): Mount[] {
  if (layer.name === 'process') return []
  return [
    { from: root, to: seen, isWritable: true },
    { from: tool.file, to: `/holdfast/tool/${tool.name}` },
    ...settings.providerMirrors.map((path) => ({ from: path, to: path })),
  ]
}

/** What every step of the tool finds in its environment, before what a phase adds. */
export function baseEnvironment(settings: RunnerSettings, seen: string): Record<string, string> {
  return {
    PATH: systemPath,
    HOME: `${seen}/home`,
    TMPDIR: `${seen}/tmp`,
    LANG: 'C.UTF-8',
    USER: 'holdfast',
    ...settings.passedOn,
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
    TF_CLI_CONFIG_FILE: `${seen}/tool.rc`,
  }
}

function environmentOf(
  job: Job,
  { settings }: Places,
  seen: string,
  { values }: JobEnvironment,
): Record<string, string> {
  const { run } = job
  const told: Record<string, string> = {
    TFC_RUN_ID: run.id,
    TFC_WORKSPACE_ID: run.workspace.id,
    TFC_WORKSPACE_NAME: run.workspace.name,
    TFC_WORKSPACE_SLUG: `${run.organization}/${run.workspace.name}`,
    TFC_PROJECT_ID: run.project?.id ?? '',
    TFC_PROJECT_NAME: run.project?.name ?? '',
    TFC_CONFIGURATION_VERSION_GIT_BRANCH: run.ingress?.branch ?? '',
    TFC_CONFIGURATION_VERSION_GIT_COMMIT_SHA: run.ingress?.commit_sha ?? '',
    TFC_CONFIGURATION_VERSION_GIT_TAG: run.ingress?.tag ?? '',
  }
  const asVariables = Object.entries(told).map(([name, value]) => [`TF_VAR_${name}`, value])
  return {
    ...baseEnvironment(settings, seen),
    ...Object.fromEntries(values),
    ...(run.debug && { TF_LOG: 'TRACE' }),
    ...((settings.ca ?? job.api.ca_pem) && !settings.passedOn.SSL_CERT_FILE && { SSL_CERT_FILE: `${seen}/ca.pem` }),
    ...told,
    ...Object.fromEntries(asVariables),
    TFE_RUN_ID: run.id,
    TFC_AGENT_VERSION: '1.22.0',
    TF_WORKSPACE: run.workspace.name,
  }
}

function parallelismOf({ values }: JobEnvironment): number | undefined {
  const text = values.get('TFE_PARALLELISM') ?? ''
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= 256 ? number : undefined
}
