import { failure } from '../../../kernel/failure.ts'
import { plainObject, streamed } from '../../../kit/bodies.ts'
import { defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { bare, bytes, nothing, type Reply } from '../../../kit/reply.ts'
import { loadConfiguration, openArchive } from '../configurations/index.ts'
import {
  type ArtifactName,
  appendLog,
  artifactLimit,
  artifactNames,
  finishJob,
  logLimits,
  openArtifact,
  type Report,
  saveProgress,
  storeArtifact,
} from '../runs/index.ts'
import { renewJob } from './renewal-actions.ts'
import { type OnJob, onJob } from './runner-access-actions.ts'
import { noteEnd, unknownToken } from './runner-actions.ts'

const jobInPath = { jobId: { description: 'Identifier of the job.', example: 'rjob-8F5JFydVYAmtTjET' } }
const fence = { 'Holdfast-Fence': 'The fence of the job.' }

/** Large plans over slow connections take long. */
const deadline = 30 * 60_000

const count = (description: string) =>
  Type.Optional(Type.Union([Type.Integer({ minimum: 0, description }), Type.Null()]))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

const report = plainObject(
  Type.Object({
    outcome: Type.Union([Type.Literal('finished'), Type.Literal('errored'), Type.Literal('canceled')], {
      description: 'How it ended.',
    }),
    exit_code: Type.Optional(Type.Union([Type.Integer(), Type.Null()], { description: 'What the tool ended with.' })),
    error: Type.Optional(
      Type.Union([
        Type.Object({
          code: Type.String({ maxLength: 64, description: 'For programs.' }),
          message: Type.String({ description: 'For people; without it the text that belongs to the code.' }),
        }),
        Type.Null(),
      ]),
    ),
    log_length: Type.Optional(Type.Integer({ minimum: 0, description: 'How many bytes of log were sent.' })),
    summary: Type.Optional(
      Type.Union([
        Type.Object({
          has_changes: flag('Whether the plan changes anything.'),
          additions: count('Resources that are added.'),
          changes: count('Resources that are changed.'),
          destructions: count('Resources that are destroyed.'),
          imports: count('Resources that are imported.'),
          output_changes: count('Outputs that change.'),
          generated_configuration: flag('Whether the plan wrote configuration.'),
        }),
        Type.Null(),
      ]),
    ),
    usage: Type.Optional(Type.Unknown()),
  }),
)

const nameInPath = {
  ...jobInPath,
  name: { description: 'What it is.', example: 'plan', pattern: new RegExp(`^(?:${artifactNames.join('|')})$`) },
}

const digestHeader = 'X-Content-SHA256'

function sentDigest(headers: Readonly<Record<string, unknown>>): string {
  const digest = headers[digestHeader.toLowerCase()]
  if (typeof digest === 'string' && /^[0-9a-f]{64}$/i.test(digest)) return digest.toLowerCase()
  throw failure(
    'malformed',
    'digest',
    `Send the SHA-256 of the content in the header ${digestHeader}, in hexadecimal digits.`,
  )
}

/** The calls of a runner about a job that it has, with the token of that job. */
export const jobEndpoints: readonly Endpoint[] = defineEndpoints('api/runner/v1', [
  endpoint({
    id: 'runner-jobs.renew',
    route: 'POST /jobs/:jobId/renew',
    summary: 'Keep a job, and learn whether its tool should end. It answers early when that changes.',
    access: onJob('repeat'),
    params: jobInPath,
    headers: fence,
    body: plainObject(
      Type.Object({
        wait_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'How long to wait, at most 15,000.' })),
        signal: Type.Optional(Type.String({ description: 'The signal that the runner knows of; `none` by default.' })),
        log_length: Type.Optional(Type.Integer({ minimum: 0 })),
      }),
    ),
    returns: {
      200: Type.Object({
        lease_ms: Type.Integer({ description: 'Until when to renew again, in milliseconds from now.' }),
        signal: Type.String({ description: '`none`, `interrupt` or `kill`.' }),
        deadline_ms: Type.Integer({ description: 'Until when the phase has to end, in milliseconds from now.' }),
      }),
    },
    fails: ['conflict', 'missing'],
    unaudited: true,
    waits: true,
    handle: async ({ deps, subject, body, signal }) =>
      bare(
        await renewJob(deps, subject, {
          milliseconds: Math.min(body.wait_ms ?? 0, 15_000),
          known: body.signal,
          signal,
        }),
      ),
  }),
  endpoint({
    id: 'runner-jobs.log',
    route: 'PUT /jobs/:jobId/log',
    summary:
      'Send the log of a job from an offset on. Bytes that were sent before may come again, if they are the same.',
    access: onJob(),
    params: jobInPath,
    headers: fence,
    query: Type.Object({ offset: Type.Optional(Type.String({ description: 'How many bytes were sent before.' })) }),
    body: streamed('application/octet-stream', logLimits.chunk, 'Bytes of the log.', { inMemory: true }),
    returns: { 200: Type.Object({ length: Type.Integer({ description: 'How many bytes there are by now.' }) }) },
    fails: ['conflict', 'missing'],
    unaudited: true,
    handle: async ({ deps, subject: { job }, request, pieces }) => {
      const offset = request.query.get('offset') ?? '0'
      if (!/^\d{1,15}$/.test(offset)) throw failure('malformed', 'offset', 'The offset has to be a number of bytes.')
      const sent: Uint8Array[] = []
      for await (const piece of pieces) sent.push(Buffer.from(piece))
      return bare({ length: await appendLog(deps, job, Number(offset), Buffer.concat(sent)) })
    },
  }),
  endpoint({
    id: 'runner-jobs.store',
    route: 'PUT /jobs/:jobId/artifacts/:name',
    summary: 'Store something that the phase has made.',
    access: onJob('rescue'),
    params: nameInPath,
    headers: { ...fence, [digestHeader]: 'SHA-256 of the content in hexadecimal digits.' },
    body: streamed('application/octet-stream', artifactLimit, 'The content.'),
    returns: { 200: null, 201: null },
    fails: ['conflict', 'missing', 'invalid', 'unavailable'],
    unaudited: true,
    deadline,
    handle: async ({ deps, subject: { job, isOver }, params, request, pieces }) => {
      const name = params.name as ArtifactName
      if (isOver && name !== 'errored-state') throw unknownToken()
      const sent = { name, sha256: sentDigest(request.headers), source: pieces, isRescued: isOver }
      return nothing((await storeArtifact(deps, job, sent)) ? 201 : 200)
    },
  }),
  endpoint({
    id: 'runner-jobs.load',
    route: 'GET /jobs/:jobId/artifacts/:name',
    summary: 'Load the configuration of a job; for an apply also the plan and its lock file.',
    access: onJob(),
    params: {
      ...jobInPath,
      name: { description: 'What it is.', example: 'configuration', pattern: /^(?:configuration|plan|lock-file)$/ },
    },
    returns: { 200: Type.String({ description: 'The content.', format: 'binary' }) },
    mediaType: 'application/octet-stream',
    fails: ['missing'],
    unaudited: true,
    deadline,
    handle: (call) =>
      call.params.name === 'configuration'
        ? loadedConfiguration(call)
        : loadedArtifact(call, call.params.name as 'plan'),
  }),
  endpoint({
    id: 'runner-jobs.progress',
    route: 'POST /jobs/:jobId/state-progress',
    summary: 'Tell of a state version that was uploaded while the tool is at work.',
    access: onJob(),
    params: jobInPath,
    headers: fence,
    body: plainObject(
      Type.Object({
        state_version_id: Type.String({ maxLength: 64, description: 'The version.' }),
        serial: Type.Integer({ description: 'Its serial.' }),
      }),
    ),
    returns: { 204: null },
    fails: ['conflict', 'missing'],
    unaudited: true,
    handle: async ({ deps, subject: { job }, body }) => {
      await saveProgress(deps.db, job.id, JSON.stringify(body))
      return nothing(204)
    },
  }),
  endpoint({
    id: 'runner-jobs.finish',
    route: 'POST /jobs/:jobId/finish',
    summary: 'Report the end of a job, when everything of it has been sent.',
    access: onJob('repeat'),
    params: jobInPath,
    headers: fence,
    body: report,
    returns: { 200: Type.Object({ run_status: Type.String({ description: 'What has become of the run.' }) }) },
    fails: ['conflict', 'missing'],
    handle: async ({ deps, subject: { job }, body }) => {
      const { outcome, error = null, summary, log_length: logLength } = body
      const ended: Report = {
        outcome,
        error,
        logLength: logLength ?? null,
        result: {
          hasChanges: summary?.has_changes,
          generatedConfiguration: summary?.generated_configuration,
          counts: summary
            ? {
                additions: summary.additions ?? null,
                changes: summary.changes ?? null,
                destructions: summary.destructions ?? null,
                imports: summary.imports ?? null,
                outputChanges: summary.output_changes ?? null,
              }
            : undefined,
        },
      }
      const status = await finishJob(deps, job, ended)
      await noteEnd(deps, job, ended)
      return bare({ run_status: status })
    },
  }),
])

type LoadCall = { readonly deps: Parameters<typeof openArtifact>[0]; readonly subject: OnJob }

const noContent = () => failure('missing', 'artifact', 'There is nothing of this name for this job.')

async function loadedConfiguration({ deps, subject: { run } }: LoadCall): Promise<Reply> {
  const version = await loadConfiguration(deps.db, run.configurationVersionId)
  const archive = version && (await openArchive(deps, version))
  if (!archive) throw failure('missing', 'configuration-missing', 'The configuration has no content any more.')
  return content(archive.bytes, archive.size, version.sha256 ?? '')
}

async function loadedArtifact({ deps, subject: { run, job } }: LoadCall, name: 'plan' | 'lock-file'): Promise<Reply> {
  const found = job.phase === 'apply' ? await openArtifact(deps, run.id, 'plan', name) : undefined
  if (!found) throw noContent()
  return content(found.bytes, found.artifact.size, found.artifact.sha256)
}

const content = (body: Parameters<typeof bytes>[1], size: number, sha256: string): Reply =>
  bytes('application/octet-stream', body, { headers: { 'Content-Length': String(size), [digestHeader]: sha256 } })
