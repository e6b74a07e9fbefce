import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomIds } from '../../server/kernel/ids.ts'
import { type Client, Refused } from '../protocol/client.ts'
import type { Job } from '../protocol/messages.ts'
import { PhaseFailure } from './failure.ts'
import { giveAll, isPlainFolder, putFile, putFolder, takeOut } from './plain-files.ts'
import { overridePrefix, unpack } from './unpack.ts'
import { configurationFolder, type Workplace } from './workplace.ts'

/** Where the inputs of a phase come from. */
type Inputs = { readonly client: Client; readonly job: Job }

const maxBackendBytes = 4 * 1024 ** 2

/** The configuration, in a folder that its tool may write, with a file that makes it keep its state there. */
export async function placeConfiguration(inputs: Inputs, work: Workplace): Promise<void> {
  const { job } = inputs
  const archive = join(work.privateFolder, 'configuration.tar.gz')
  await load(inputs, 'configuration', archive, job.configuration.sha256)
  const folder = join(work.root, configurationFolder)
  await unpack(archive, folder)
  await rm(archive)
  if (!(await isPlainFolder(work.root, work.directory))) {
    const name = work.directory.slice(configurationFolder.length + 1)
    throw new PhaseFailure(
      'working-directory-missing',
      `The configuration has no folder '${name}', the working directory of the workspace.`,
    )
  }
  const override = { terraform: { backend: { local: {} } } }
  await putFile(
    join(work.root, work.directory, `${overridePrefix}${randomIds.hex(16)}_override.tf.json`),
    JSON.stringify(override),
    work.user,
  )
  await giveAll(folder, work.user)
}

/** The server may have what a run needs and be away; it is asked until the lease would be over. */
async function load(
  inputs: Inputs,
  name: 'configuration' | 'plan' | 'lock-file',
  to: string,
  sha256: string | null | undefined,
): Promise<void> {
  const { client, job } = inputs
  const call = {
    method: 'GET',
    path: `/api/runner/v1/jobs/${job.job_id}/artifacts/${name}`,
    token: job.token,
  } as const
  try {
    await client.download(call, createWriteStream(to, { mode: 0o600 }))
  } catch (error) {
    if (error instanceof Refused && error.status === 404)
      throw new PhaseFailure('configuration-missing', `The server has no ${name} for this run.`)
    throw error
  }
  const found = createHash('sha256')
    .update(await readFile(to))
    .digest('hex')
  if (sha256 && found !== sha256) {
    const code = name === 'configuration' ? 'configuration-invalid-archive' : 'plan-digest-differs'
    throw new PhaseFailure(code, `What came as ${name} has the digest ${found}, and not ${sha256}.`)
  }
}

/** Writes what an apply needs of its plan where the tool expects it; false if the plan had none. */
export async function placeArtifact(
  inputs: Inputs,
  name: 'plan' | 'lock-file',
  sha256: string | null | undefined,
  work: Workplace,
  path: string,
): Promise<boolean> {
  if (!sha256 && name === 'lock-file') return false
  const copy = join(work.privateFolder, name)
  await load(inputs, name, copy, sha256)
  const bytes = await readFile(copy)
  if (bytes.length > 0) await putFile(join(work.root, path), bytes, work.user)
  await rm(copy)
  return bytes.length > 0
}

/** The state that the phase begins with, where the tool looks for it. */
export async function placeState(inputs: Inputs, work: Workplace): Promise<void> {
  const { client, job } = inputs
  const path = statePath(job, work)
  if (job.run.workspace.name !== 'default') {
    for (const folder of ['terraform.tfstate.d', `terraform.tfstate.d/${job.run.workspace.name}`]) {
      await putFolder(join(work.root, work.directory, folder), work.user)
    }
  }
  const { url, md5 } = job.state ?? {}
  if (!url) return
  const copy = join(work.privateFolder, 'state-before')
  await client.download({ method: 'GET', path: url, token: job.token }, createWriteStream(copy, { mode: 0o600 }))
  const bytes = await readFile(copy)
  await rm(copy)
  const found = createHash('md5').update(bytes).digest()
  if (md5 && md5 !== found.toString('hex') && md5 !== found.toString('base64')) {
    throw new PhaseFailure('internal', 'The state that the server sent is not the one that it named.')
  }
  await putFile(join(work.root, path), bytes, work.user)
}

/** The key with which modules are fetched. */
export async function placeKey(inputs: Inputs, work: Workplace): Promise<void> {
  const { ssh_key: key } = inputs.job
  if (!key) return
  const folder = join(work.root, 'home', '.ssh')
  await putFolder(folder, work.user)
  await putFile(join(folder, 'key'), key.endsWith('\n') ? key : `${key}\n`, work.user)
  await putFile(join(work.root, 'git.config'), `[core]\n\tsshCommand = ${sshCommand(work)}\n`, work.user)
}

/** A file of the user that decides about the backend once more would send the state elsewhere. */
export async function requireLocalBackend(work: Workplace): Promise<void> {
  const copy = await takeOut(
    work.root,
    `${work.directory}/.terraform/terraform.tfstate`,
    join(work.privateFolder, 'backend'),
    maxBackendBytes,
  )
  if (!copy) return
  const { backend } = JSON.parse(await readFile(copy.file, 'utf8')) as { backend?: { type?: string } }
  await rm(copy.file)
  if (backend?.type === undefined || backend.type === 'local') return
  throw new PhaseFailure(
    'tool-failed',
    `An override file of the configuration sets the backend '${backend.type}'. Remove it: the workspace keeps the state.`,
  )
}

/** Where the tool keeps the state, below the folder of the run. */
export const statePath = ({ run }: Job, { directory }: Workplace): string =>
  run.workspace.name === 'default'
    ? `${directory}/terraform.tfstate`
    : `${directory}/terraform.tfstate.d/${run.workspace.name}/terraform.tfstate`

const sshCommand = ({ seen }: Workplace): string =>
  `ssh -i ${seen}/home/.ssh/key -o IdentitiesOnly=yes -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=${seen}/home/known_hosts`

/** What makes git use the key. */
export const gitEnvironment = (work: Workplace): Record<string, string> => ({
  GIT_SSH_COMMAND: sshCommand(work),
  GIT_CONFIG_GLOBAL: `${work.seen}/git.config`,
})
