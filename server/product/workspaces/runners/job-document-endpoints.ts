import { inputCategory } from '../../../compat/vendor-names.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type RequestFacts, Type } from '../../../kit/endpoint.ts'
import { organizationOf } from '../../people/organizations/index.ts'
import { loadProject } from '../../people/projects/index.ts'
import { loadConfiguration } from '../configurations/index.ts'
import { type GivenJob, jobVariables, plannedFiles, type Run, remaining } from '../runs/index.ts'
import { openSshKey } from '../ssh-keys/index.ts'
import { contentUrl, loadStateVersion } from '../state/index.ts'
import { loadToolVersions, loadWorkspace, type Workspace } from '../workspaces/index.ts'

type Call = { readonly deps: Deps; readonly request: Pick<RequestFacts, 'origin'> }

/** A job as its runner is given it: everything that the phase needs. */
export async function renderJob(call: Call, { job, run, tokens }: GivenJob): Promise<Record<string, unknown>> {
  const { deps } = call
  const workspace = await loadWorkspace(deps.db, run.workspaceId)
  const now = deps.clock.now()
  return {
    job_id: job.id,
    kind: job.phase,
    fence: job.fence,
    lease_ms: remaining(run.leaseUntil, now),
    deadline_ms: remaining(run.limitAt, now),
    token: tokens.token,
    tool_token: tokens.tool,
    run: await runOf(deps, run, workspace),
    tool: await toolOf(deps, run),
    configuration: await configurationOf(deps, run),
    work_root: job.workRoot,
    state: workspace ? await stateOf(call, run, workspace) : noState,
    variables: await variablesOf(deps, { job, run }),
    ssh_key: run.sshKeyId === null ? null : ((await openSshKey(deps, run.sshKeyId)) ?? null),
    api: { base_url: `${call.request.origin}/`, ca_pem: null },
    identity: { audiences: [] },
    ...(job.phase === 'apply' ? await planOf(deps, run) : {}),
  }
}

const variablesOf = async (deps: Deps, { job, run }: Pick<GivenJob, 'job' | 'run'>) =>
  (await jobVariables(deps, run, job.phase)).map(({ category, ...variable }) => ({
    ...variable,
    category: category === 'input' ? inputCategory : category,
  }))

async function runOf(deps: Deps, run: Run, workspace: Workspace | undefined) {
  const organization = await organizationOf(deps, run.organizationId)
  const project = workspace && (await loadProject(deps.db, workspace.projectId))
  return {
    id: run.id,
    organization: organization.name,
    project: { id: project?.id ?? '', name: project?.name ?? '' },
    workspace: { id: run.workspaceId, name: workspace?.name ?? '' },
    is_destroy: run.isDestroy,
    refresh: run.refresh,
    refresh_only: run.refreshOnly,
    plan_only: run.planOnly,
    targets: run.targetAddrs ?? [],
    replaces: run.replaceAddrs ?? [],
    invokes: run.invokeActionAddrs ?? [],
    generate_config: run.allowConfigGeneration,
    allow_empty_apply: run.allowEmptyApply,
    debug: run.debuggingMode,
    log_format: run.logFormat,
    created_by: run.createdBy.name,
    ingress: null,
    layer: 'any',
  }
}

async function toolOf(deps: Deps, { toolName, toolVersion }: Run) {
  const releases = await loadToolVersions(deps.db)
  const release = releases.find(({ tool, version }) => tool === toolName && version === toolVersion)
  const downloads = (release?.archs ?? []).map(({ os, arch, url, sha }) => ({
    os,
    arch,
    url,
    sha256: sha,
    mirror_urls: [],
  }))
  return { name: toolName, version: toolVersion, source: downloads.length > 0 ? 'catalogue' : 'path', downloads }
}

async function configurationOf(deps: Deps, { configurationVersionId, workingDirectory }: Run) {
  const version = await loadConfiguration(deps.db, configurationVersionId)
  return { sha256: version?.sha256 ?? null, bytes: version?.size ?? null, working_directory: workingDirectory }
}

const noState = { url: null, md5: null, serial: null, lineage: null }

/** The state that the phase begins with: that of the plan, which is still the current one when it is applied. */
async function stateOf(
  { deps, request }: Call,
  { inputStateVersionId, status }: Run,
  { currentStateVersionId }: Workspace,
) {
  const id = status === 'applying' ? currentStateVersionId : inputStateVersionId
  const version = id === null ? undefined : await loadStateVersion(deps.db, id)
  if (version?.status !== 'finalized') return noState
  const url = contentUrl(deps, request.origin, { kind: 'state', id: version.id, use: 'get' })
  return { url, md5: version.md5, serial: version.serial, lineage: version.lineage }
}

async function planOf({ db }: Deps, { id }: Run) {
  const { plan, lockFile } = await plannedFiles(db, id)
  return { plan: { sha256: plan?.sha256 ?? null }, lock_file: { sha256: lockFile?.sha256 ?? null } }
}

const text = (description: string) => Type.String({ description })
const maybe = (schema: ReturnType<typeof text> | ReturnType<typeof whole>) => Type.Union([schema, Type.Null()])
const whole = (description: string) => Type.Integer({ description })
const flag = (description: string) => Type.Boolean({ description })
const named = (description: string) => Type.Object({ id: text('Identifier.'), name: text('Name.') }, { description })
const texts = (description: string) => Type.Array(Type.String(), { description })
const digest = Type.Object({ sha256: maybe(text('SHA-256 in hexadecimal digits.')) })

/** A job as runners are given it. */
export const jobSchema = Type.Object(
  {
    job_id: text('Identifier of the job.'),
    kind: text('`plan` or `apply`.'),
    fence: whole('What every effect of the runner names in the header `Holdfast-Fence`.'),
    lease_ms: whole('Until when the runner has to renew the job, in milliseconds from now.'),
    deadline_ms: whole('Until when the phase has to end, in milliseconds from now.'),
    token: text('The token of the job, for the runner alone.'),
    tool_token: text('The token for the tool, which only reads.'),
    run: Type.Object(
      {
        id: text('Identifier of the run.'),
        organization: text('Name of the organization.'),
        project: named('Its project.'),
        workspace: named('Its workspace.'),
        is_destroy: flag('Whether everything is destroyed.'),
        refresh: flag('Whether the state is brought up to date before planning.'),
        refresh_only: flag('Whether the state is only brought up to date.'),
        plan_only: flag('Whether the plan is never applied.'),
        targets: texts('The only resources that are planned.'),
        replaces: texts('Resources that are replaced.'),
        invokes: texts('Actions that are invoked.'),
        generate_config: flag('Whether the plan may write configuration.'),
        allow_empty_apply: flag('Whether a plan without changes is applied.'),
        debug: flag('Whether the tool logs everything that it does.'),
        log_format: text('`text` or `json`.'),
        created_by: text('Name of whoever created the run.'),
        ingress: Type.Null({ description: 'The commit that it comes from; none yet.' }),
        layer: text('Which isolation it needs: `any` or `namespace`.'),
      },
      { description: 'What is to be done.' },
    ),
    tool: Type.Object(
      {
        name: text('Name of the tool.'),
        version: text('Its exact version.'),
        source: text('`path`, or `catalogue` where downloads are known.'),
        downloads: Type.Array(
          Type.Object({
            os: text('Operating system.'),
            arch: text('Processor.'),
            url: text('Where the archive is.'),
            sha256: text('Its SHA-256.'),
            mirror_urls: texts('Where it also is.'),
          }),
        ),
      },
      { description: 'The tool.' },
    ),
    configuration: Type.Object(
      {
        sha256: maybe(text('SHA-256 of the archive.')),
        bytes: maybe(whole('Its size.')),
        working_directory: text('Where in it the tool runs.'),
      },
      { description: 'What is planned.' },
    ),
    work_root: maybe(text('The folder of the run on the runner; the same for plan and apply.')),
    state: Type.Object(
      {
        url: maybe(text('Signed address of the state.')),
        md5: maybe(text('Its MD5 in hexadecimal digits.')),
        serial: maybe(whole('Its serial.')),
        lineage: maybe(text('Its lineage.')),
      },
      { description: 'The state that the phase begins with; all null without one.' },
    ),
    variables: Type.Array(
      Type.Object({
        key: text('Name.'),
        value: text('Value, also of sensitive ones.'),
        category: text(`\`${inputCategory}\` or \`env\`.`),
        hcl: flag('Whether the value is an expression.'),
        sensitive: flag('Whether it is kept out of logs.'),
        origin: text('Where it was set.'),
      }),
      { description: 'Variables in rising precedence.' },
    ),
    ssh_key: maybe(text('The private key that fetches modules.')),
    api: Type.Object({ base_url: text('Address of this server.'), ca_pem: maybe(text('Its authority.')) }),
    identity: Type.Object({ audiences: texts('Always empty.') }),
    plan: Type.Optional(digest),
    lock_file: Type.Optional(digest),
  },
  { title: 'RunnerJob', description: 'One phase of a run, with everything that it needs.' },
)
