import { plainObject } from '../../../kit/bodies.ts'
import { defineEndpoints, type Endpoint, endpoint, Type } from '../../../kit/endpoint.ts'
import { bare, nothing } from '../../../kit/reply.ts'
import { logLimits } from '../runs/index.ts'
import { awaitJobs } from './claim-actions.ts'
import { jobSchema, renderJob } from './job-document-endpoints.ts'
import { presence } from './runner.ts'
import { onRegistration, onSession } from './runner-access-actions.ts'
import { deregisterRunner, noteRunner, registerRunner } from './runner-actions.ts'

const name = (description: string, maxLength = 255) => Type.String({ minLength: 1, maxLength, description })
const words = (description: string) => Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1_000, description })

const registration = plainObject(
  Type.Object({
    name: name('How people know it.'),
    version: name('Version of the runner.'),
    os: name('Operating system, such as `linux`.'),
    arch: name('Processor, such as `amd64`.'),
    max_jobs: Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many jobs it executes at once.' }),
    executor: Type.Union(
      ['process', 'namespace', 'container', 'kubernetes'].map((layer) => Type.Literal(layer)),
      { description: 'The layer that fences tools in.' },
    ),
    isolation: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What it found out about its layer; `not_in_force` lists what is missing.',
      }),
    ),
    tools: Type.Optional(
      Type.Array(Type.Object({ name: name('Tool.'), version: name('Version.'), sha256: Type.String() }), {
        maxItems: 200,
        description: 'Tools that it has.',
      }),
    ),
    capabilities: Type.Optional(words('What it can do, such as `catalogue`.')),
    labels: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Labels.' })),
    work_root: Type.Optional(name('The folder below which runs have theirs.', 4_096)),
    previous_session: Type.Optional(name('The session before, which proves that this is the same runner.')),
    resume_jobs: Type.Optional(
      Type.Array(
        Type.Object({
          job_id: name('Job.'),
          fence: Type.Integer({ description: 'Its fence.' }),
          process: Type.Union([Type.Literal('alive'), Type.Literal('gone')], {
            description: 'What became of its tool.',
          }),
        }),
        { maxItems: 1_000, description: 'Jobs that it had.' },
      ),
    ),
  }),
)

const registered = Type.Object(
  {
    runner_id: Type.String({ description: 'Identifier of the runner.' }),
    session: Type.String({ description: 'What it shows from now on, for 24 hours.' }),
    heartbeat_ms: Type.Integer({ description: 'How often it says that it lives.' }),
    claim_wait_ms: Type.Integer({ description: 'How long a claim may wait.' }),
    log_chunk_bytes: Type.Integer({ description: 'How much log it may send at once.' }),
    server_time: Type.String({ format: 'date-time', description: 'The time here.' }),
    jobs: Type.Array(
      Type.Object({
        job_id: Type.String({ description: 'Job.' }),
        fence: Type.Integer({ description: 'Its fence.' }),
        verdict: Type.String({ description: '`continue` or `abandon`.' }),
        job: Type.Optional(jobSchema),
      }),
      { description: 'What becomes of the jobs that it had.' },
    ),
  },
  { title: 'RunnerRegistration' },
)

const running = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 1_000,
  description: 'Jobs that it knows it has.',
})

/** How runners come, ask for jobs, and go. */
export const runnerEndpoints: readonly Endpoint[] = defineEndpoints('api/runner/v1', [
  endpoint({
    id: 'runners.register',
    route: 'POST /register',
    summary: 'Register a runner with a token of an agent pool.',
    access: onRegistration,
    body: registration,
    returns: { 201: registered },
    unaudited: true,
    handle: async (call) => {
      const { deps, body, subject: admission, request } = call
      const { runner, session, verdicts } = await registerRunner(deps, {
        admission,
        ipAddress: request.remoteAddress,
        facts: {
          name: body.name,
          version: body.version,
          os: body.os,
          arch: body.arch,
          layer: body.executor as string,
          isolation: body.isolation ?? {},
          tools: body.tools ?? [],
          capabilities: body.capabilities ?? [],
          labels: body.labels ?? {},
          workRoot: body.work_root ?? null,
          maxJobs: body.max_jobs,
        },
        previousSession: body.previous_session,
        resumeJobs: (body.resume_jobs ?? []).map(({ job_id: jobId, fence, process }) => ({ jobId, fence, process })),
      })
      const jobs = []
      for (const { known, given } of verdicts) {
        const about = { job_id: known.jobId, fence: known.fence, verdict: given ? 'continue' : 'abandon' }
        jobs.push(given ? { ...about, job: await renderJob(call, given) } : about)
      }
      const answer = {
        runner_id: runner.id,
        session,
        heartbeat_ms: presence.heartbeat,
        claim_wait_ms: presence.longestClaim,
        log_chunk_bytes: logLimits.chunk,
        server_time: new Date(deps.clock.now()).toISOString(),
        jobs,
      }
      return bare(answer, 201)
    },
  }),
  endpoint({
    id: 'runners.claim',
    route: 'POST /claim',
    summary: 'Wait for jobs, and take them. The answer is empty if none came in time.',
    access: onSession,
    body: plainObject(
      Type.Object({
        free: Type.Integer({ minimum: 0, maximum: 1_000, description: 'How many jobs it takes.' }),
        wait_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'How long to wait, at most 25,000.' })),
        running: Type.Optional(running),
      }),
    ),
    returns: { 200: Type.Object({ jobs: Type.Array(jobSchema) }), 204: null },
    unaudited: true,
    waits: true,
    handle: async (call) => {
      const { deps, subject: runner, body, signal } = call
      const wish = { free: body.free, running: body.running ?? [] }
      const milliseconds = Math.min(body.wait_ms ?? 0, presence.longestClaim)
      const given = await awaitJobs(deps, runner, wish, { milliseconds, signal })
      const jobs = []
      for (const each of given) jobs.push(await renderJob(call, each))
      return jobs.length === 0 ? nothing(204) : bare({ jobs })
    },
  }),
  endpoint({
    id: 'runners.heartbeat',
    route: 'POST /heartbeat',
    summary: 'Say that a runner lives, while it asks for no jobs.',
    access: onSession,
    body: plainObject(Type.Object({ running: Type.Optional(running), load: Type.Optional(Type.Unknown()) })),
    returns: { 200: Type.Object({ drain: Type.Boolean({ description: 'Whether it should take no more jobs.' }) }) },
    unaudited: true,
    handle: async ({ deps, subject: runner }) => {
      await noteRunner(deps, runner)
      return bare({ drain: false })
    },
  }),
  endpoint({
    id: 'runners.deregister',
    route: 'POST /deregister',
    summary: 'Say goodbye. Jobs that are under way keep their leases.',
    access: onSession,
    body: plainObject(Type.Object({})),
    returns: { 204: null },
    unaudited: true,
    handle: async ({ deps, subject: runner }) => {
      await deregisterRunner(deps, runner)
      return nothing(204)
    },
  }),
])
