import { signForUrl, verifySignedUrl } from '../../../crypto/signed-urls.ts'
import { isId } from '../../../kernel/ids.ts'
import { secret } from '../../../kernel/secret.ts'
import { type Call, Type } from '../../../kit/endpoint.ts'
import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/index.ts'
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

/** A phase of a run as a resource. */
export function toPhaseResource(call: Pick<Call, 'deps' | 'request'>, run: Run, kind: PhaseKind): Resource {
  const { id, status, times, counts } = run[kind]
  const type = kind === 'plan' ? 'plans' : 'applies'
  const common = {
    status,
    'status-timestamps': timesShown(times),
    'resource-additions': counts.additions,
    'resource-changes': counts.changes,
    'resource-destructions': counts.destructions,
    'resource-imports': counts.imports,
    'execution-details': null,
    'log-read-url': logUrl(call.deps, call.request.origin, id),
    'action-invocations': 0,
  }
  const links = { self: `/api/v2/${type}/${id}` }
  if (kind === 'apply') {
    const attributes = { ...common, 'errored-state-available': false }
    return { type, id, attributes, relationships: { 'state-versions': { data: [] } }, links }
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
    relationships: { 'state-versions': { data: [] }, exports: { data: [] } },
    links,
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
  'execution-details': Type.Null({ description: 'Who executed it; null until a runner has claimed it.' }),
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
