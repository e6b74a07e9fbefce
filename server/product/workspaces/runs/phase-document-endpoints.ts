import { signForUrl, verifySignedUrl } from '../../../crypto/signed-urls.ts'
import { isId } from '../../../kernel/ids.ts'
import { secret } from '../../../kernel/secret.ts'
import { type Call, Type } from '../../../kit/endpoint.ts'
import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/index.ts'
import type { ArtifactName, Job } from './jobs/job.ts'
import { listArtifacts, listJobsOf, listStateIds } from './jobs/job-store.ts'
import type { PhaseKind, Run } from './run.ts'
import { timesShown } from './run-document-endpoints.ts'

/** Command lines may follow a log for as long as an apply may take. */
const logLifetime = 25 * 3_600_000

const purpose = 'run-log:get'

type SigningDeps = Parameters<typeof signForUrl>[0]

/** Where the log of a phase is read without a token; everything is in the path, since clients replace the query. */
function logUrl(deps: SigningDeps, origin: string, phaseId: string): string {
  const token = signForUrl(deps, { purpose, subject: phaseId, lifetimeMs: logLifetime })
  return `${origin}/api/run-logs/v1/${token.reveal()}`
}

/** The phase whose log such an address allows to read; undefined if it is forged or too old. */
export function readLogToken(deps: SigningDeps, token: string): string | undefined {
  const verdict = verifySignedUrl(deps, purpose, secret(token))
  const id = verdict.ok ? verdict.claim.subject : ''
  return isId('plan', id) || isId('apply', id) ? id : undefined
}

/** What was stored for a phase, and who has executed it. */
type PhaseView = {
  readonly run: Run
  readonly kind: PhaseKind
  readonly job: Job | undefined
  readonly names: ReadonlySet<ArtifactName>
  readonly stateIds: readonly string[]
}

type PhaseCall = Pick<Call, 'deps' | 'request'>

/** Phases of runs as resources: the same few queries for one as for a page of them. */
export async function renderPhases(call: PhaseCall, runs: readonly Run[], kind: PhaseKind): Promise<Resource[]> {
  const ids = runs.map(({ id }) => id)
  const jobs = (await listJobsOf(call.deps.db, ids)).filter(({ phase }) => phase === kind)
  const artifacts = (await listArtifacts(call.deps.db, ids)).filter(({ phase }) => phase === kind)
  const states = kind === 'apply' ? await listStateIds(call.deps.db, ids) : new Map<string, readonly string[]>()
  return runs.map((run) =>
    toPhaseResource(call, {
      run,
      kind,
      job: jobs.findLast(({ runId }) => runId === run.id),
      names: new Set(artifacts.filter(({ runId }) => runId === run.id).map(({ name }) => name)),
      stateIds: states.get(run.id) ?? [],
    }),
  )
}

/** Who executes a phase, and what the layer could not fence in. */
function detailsOf(job: Job | undefined): object | null {
  if (!job) return null
  const pool = job.poolId === null ? {} : { 'agent-pool-id': job.poolId, 'agent-pool-name': job.poolName }
  const agent = job.poolId === null ? {} : { 'agent-id': job.runnerId, 'agent-name': job.runnerName, ...pool }
  return { mode: job.poolId === null ? 'remote' : 'agent', layer: job.layer, ...agent, 'not-in-force': job.notInForce }
}

function toPhaseResource(call: PhaseCall, { run, kind, job, names, stateIds }: PhaseView): Resource {
  const { id, status, times, counts } = run[kind]
  const type = kind === 'plan' ? 'plans' : 'applies'
  const self = `/api/v2/${type}/${id}`
  const common = {
    status,
    'status-timestamps': timesShown(times),
    'resource-additions': counts.additions,
    'resource-changes': counts.changes,
    'resource-destructions': counts.destructions,
    'resource-imports': counts.imports,
    'execution-details': detailsOf(job),
    'log-read-url': logUrl(call.deps, call.request.origin, id),
    'action-invocations': 0,
  }
  const states = { data: stateIds.map((stateId) => ({ type: 'state-versions', id: stateId })) }
  const linkTo = (name: ArtifactName, path: string) => (names.has(name) ? `${self}/${path}` : null)
  if (kind === 'apply') {
    const attributes = { ...common, 'errored-state-available': names.has('errored-state') }
    const links = { self, 'errored-state': linkTo('errored-state', 'errored-state') }
    return { type, id, attributes, relationships: { 'state-versions': states }, links }
  }
  return {
    type,
    id,
    attributes: {
      ...common,
      'output-changes': counts.outputChanges,
      'has-changes': run.hasChanges,
      'generated-configuration': run.generatedConfiguration,
      'structured-run-output-enabled': run.logFormat === 'json',
      'plan-digest': run.planDigest,
      actions: { 'is-exportable': false },
      permissions: { 'can-export': false },
    },
    relationships: { 'state-versions': states, exports: { data: [] } },
    links: {
      self,
      'json-output': linkTo('plan-json', 'json-output'),
      'json-output-redacted': linkTo('plan-redacted', 'json-output-redacted'),
      'json-schema': linkTo('provider-schemas', 'json-schema'),
    },
  }
}

const common = {
  status: shown.text('`pending`, `queued`, `running`, `finished`, `errored`, `canceled` or `unreachable`.'),
  'status-timestamps': Type.Record(Type.String(), Type.String({ format: 'date-time' }), {
    description: 'When each status was reached.',
  }),
  'resource-additions': shown.maybeWhole('Resources that are added; null until it is known.'),
  'resource-changes': shown.maybeWhole('Resources that are changed.'),
  'resource-destructions': shown.maybeWhole('Resources that are destroyed.'),
  'resource-imports': shown.maybeWhole('Resources that are imported.'),
  'execution-details': Type.Union(
    [
      Type.Object({
        mode: shown.text('`remote` or `agent`.'),
        layer: shown.text('What fences the tool in.'),
        'not-in-force': Type.Array(Type.String(), { description: 'What the layer could not fence in.' }),
        'agent-id': Type.Optional(shown.text('Runner.')),
        'agent-name': Type.Optional(shown.text('Its name.')),
        'agent-pool-id': Type.Optional(shown.text('Its pool.')),
        'agent-pool-name': Type.Optional(shown.maybeText('Name of the pool.')),
      }),
      Type.Null(),
    ],
    { description: 'Who executed it; null until a runner has claimed it.' },
  ),
  'log-read-url': shown.text('URL that the log can be read from without a token, valid for 25 hours.'),
  'action-invocations': shown.whole('Always 0.'),
}

/** A plan as answers show it. */
export const planSchema = resourceSchema('plans', {
  attributes: {
    ...common,
    'output-changes': shown.maybeWhole('Outputs that change.'),
    'has-changes': shown.flag('Whether the plan changes anything.'),
    'generated-configuration': shown.flag('Whether the plan wrote configuration.'),
    'structured-run-output-enabled': shown.flag('Whether its log has a JSON object in each line.'),
    'plan-digest': shown.maybeText('SHA-256 of the plan file.'),
    actions: shown.flags(['is-exportable'], 'What can be done with it.'),
    permissions: shown.flags(['can-export'], 'What the caller may do with it.'),
  },
  relationships: { 'state-versions': 'State that it wrote.', exports: 'Always empty.' },
})

/** An apply as answers show it. */
export const applySchema = resourceSchema('applies', {
  attributes: { ...common, 'errored-state-available': shown.flag('Whether a state was rescued from it.') },
  relationships: { 'state-versions': 'State that it wrote.' },
})
