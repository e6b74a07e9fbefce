import type { Readable } from 'node:stream'
import { hidden } from '../../../access/permissions/index.ts'
import { signForUrl, verifySignedUrl } from '../../../crypto/signed-urls.ts'
import { failure } from '../../../kernel/failure.ts'
import { secret } from '../../../kernel/secret.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { refusedAsDocument } from '../../../kit/jsonapi/index.ts'
import { bytes, nothing, type Reply } from '../../../kit/reply.ts'
import { openArtifact } from './jobs/artifact-actions.ts'
import type { ArtifactName } from './jobs/job.ts'
import { loadArtifact } from './jobs/job-store.ts'
import { isPhaseFinal, type PhaseKind, type Run } from './run.ts'
import { applyInPath, type OnRun, onRun, planInPath, runInPath } from './run-access-actions.ts'

const purpose = 'run-output:get'
const lifetimeMs = 60_000

/** Large plans over slow connections take long. */
const deadline = 30 * 60_000

type OutputCall = Pick<Call<Record<string, string>, unknown, unknown, OnRun>, 'deps' | 'request' | 'subject'>

/** Something that a phase has left, as JSON. */
type Output = { readonly kind: PhaseKind; readonly name: ArtifactName }

/** Leads to a signed address. Until the phase has ended there is nothing to say. */
async function leadTo({ deps, request, subject }: OutputCall, { kind, name }: Output): Promise<Reply> {
  const { run } = subject.resource
  if (!isPhaseFinal(run[kind].status)) return nothing(204)
  if (!(await loadArtifact(deps.db, run.id, kind, name))) throw hidden()
  const token = signForUrl(deps, { purpose, subject: `${run.id}:${kind}:${name}`, lifetimeMs })
  const Location = `${request.origin}/api/run-outputs/v1/${token.reveal()}`
  return nothing(307, { Location, 'Cache-Control': 'no-store' })
}

/** The same at once, for what everybody may read who sees the run. */
async function answerOutput({ deps, subject }: OutputCall, output: Output): Promise<Reply> {
  const { run } = subject.resource
  if (!isPhaseFinal(run[output.kind].status)) return nothing(204)
  return await content(deps, run, output)
}

async function content(deps: Call['deps'], { id }: Pick<Run, 'id'>, { kind, name }: Output): Promise<Reply> {
  const found = await openArtifact(deps, id, kind, name)
  if (!found) throw hidden()
  return json(found.bytes, found.artifact.size)
}

const json = (body: Buffer | Readable, size: number): Reply =>
  bytes('application/json', body, { headers: { 'Content-Length': String(size), 'Cache-Control': 'no-store' } })

const document = Type.String({ description: 'JSON as the tool wrote it.', format: 'binary' })
const leads = { 204: null, 307: null }
const shows = { 200: document, 204: null }

/** An output at the address of its phase, and at that of the run. */
const twice = (
  each: {
    readonly id: string
    readonly path: string
    readonly summary: string
    readonly right: 'can-read' | 'can-read-plan'
    readonly output: Output
  },
  answer: (call: OutputCall, output: Output) => Promise<Reply>,
) =>
  (
    [
      ['plans', `/plans/:planId/${each.path}`, planInPath],
      ['run-plans', `/runs/:runId/plan/${each.path}`, runInPath],
    ] as const
  ).map(([noun, path, params]) =>
    endpoint({
      id: `${noun}.${each.id}`,
      route: `GET ${path}`,
      summary: each.summary,
      access: onRun(each.right),
      params,
      returns: answer === leadTo ? leads : shows,
      mediaType: 'application/json',
      fails: ['missing'],
      deadline,
      handle: (call) => answer(call, each.output),
    }),
  )

/** What plans and applies leave behind. */
export const outputEndpoints: readonly Endpoint[] = [
  ...defineEndpoints('api/v2', [
    ...twice(
      {
        id: 'json-output',
        path: 'json-output',
        summary: 'Read a plan as JSON, with all values in clear; for those who may change the workspace.',
        right: 'can-read-plan',
        output: { kind: 'plan', name: 'plan-json' },
      },
      leadTo,
    ),
    ...twice(
      {
        id: 'json-output-redacted',
        path: 'json-output-redacted',
        summary: 'Read a plan as JSON without sensitive values.',
        right: 'can-read',
        output: { kind: 'plan', name: 'plan-redacted' },
      },
      answerOutput,
    ),
    ...twice(
      {
        id: 'json-schema',
        path: 'json-schema',
        summary: 'Read the schemas of the providers that a plan uses.',
        right: 'can-read',
        output: { kind: 'plan', name: 'provider-schemas' },
      },
      answerOutput,
    ),
    endpoint({
      id: 'applies.errored-state',
      route: 'GET /applies/:applyId/errored-state',
      summary: 'Read the state that an apply could not store.',
      access: onRun('can-read-state'),
      params: applyInPath,
      returns: leads,
      fails: ['missing'],
      handle: (call) => leadTo(call, { kind: 'apply', name: 'errored-state' }),
    }),
  ]),
  ...defineEndpoints('site', [
    endpoint({
      id: 'run-outputs.read',
      route: 'GET /api/run-outputs/v1/:token',
      summary: 'Download what a plan or an apply has left behind.',
      access: open('The address is signed and short-lived; command lines send no token with it.'),
      params: { token: { description: 'The signed token in the address.' } },
      returns: { 200: document },
      mediaType: 'application/json',
      fails: ['missing'],
      secretPath: true,
      deadline,
      handle: ({ deps, params }) =>
        refusedAsDocument(async () => {
          const verdict = verifySignedUrl(deps, purpose, secret(params.token ?? ''))
          const [id = '', kind, name] = verdict.ok ? verdict.claim.subject.split(':') : []
          if (id !== '')
            return await content(deps, { id: id as Run['id'] }, { kind: kind as PhaseKind, name: name as ArtifactName })
          const text = 'This address is not valid, or has expired; ask for the output again.'
          throw failure('missing', 'run-output.address', text)
        }),
    }),
  ]),
]
