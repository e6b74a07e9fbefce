import { failure } from '../../../kernel/failure.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { answerOne, documentSchema, type Resource, type ShowQuery, showQuery } from '../../../kit/jsonapi/index.ts'
import { bytes, type Reply } from '../../../kit/reply.ts'
import { waitForLog } from './jobs/job-log-actions.ts'
import { applySchema, planSchema, readLogToken, renderPhases } from './phase-document-endpoints.ts'
import { readLog } from './record-actions.ts'
import type { PhaseKind } from './run.ts'
import { applyInPath, type OnRun, onRun, planInPath, runInPath } from './run-access-actions.ts'

const returnsPlan = { 200: documentSchema(planSchema) }
const returnsApply = { 200: documentSchema(applySchema) }
/** The signed address in a phase gives access to its log. */
const noStore = { headers: { 'Cache-Control': 'no-store' } }

/** How many bytes of a log are sent if nobody says so, and at most. */
const logBytes = { standard: 65_536, largest: 1_048_576 } as const

/** Clients send anything here, and expect to be answered. */
const wholeOr = (text: string | null, otherwise: number): number =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise

type PhaseCall = Call<Record<string, string>, ShowQuery, unknown, OnRun>

async function answerPhase(call: PhaseCall, kind: PhaseKind): Promise<Reply> {
  const [resource] = await renderPhases(call, [call.subject.resource.run], kind)
  return answerOne(call, resource as Resource, noStore)
}

/** Plans and applies. */
export const phaseEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'plans.show',
    route: 'GET /plans/:planId',
    summary: 'Read a plan.',
    access: onRun('can-read'),
    params: planInPath,
    query: showQuery(),
    returns: returnsPlan,
    fails: ['missing'],
    handle: (call) => answerPhase(call, 'plan'),
  }),
  endpoint({
    id: 'plans.of-run',
    route: 'GET /runs/:runId/plan',
    summary: 'Read the plan of a run.',
    access: onRun('can-read'),
    params: runInPath,
    query: showQuery(),
    returns: returnsPlan,
    fails: ['missing'],
    handle: (call) => answerPhase(call, 'plan'),
  }),
  endpoint({
    id: 'applies.show',
    route: 'GET /applies/:applyId',
    summary: 'Read an apply.',
    access: onRun('can-read'),
    params: applyInPath,
    query: showQuery(),
    returns: returnsApply,
    fails: ['missing'],
    handle: (call) => answerPhase(call, 'apply'),
  }),
  endpoint({
    id: 'applies.of-run',
    route: 'GET /runs/:runId/apply',
    summary: 'Read the apply of a run.',
    access: onRun('can-read'),
    params: runInPath,
    query: showQuery(),
    returns: returnsApply,
    fails: ['missing'],
    handle: (call) => answerPhase(call, 'apply'),
  }),
])

/** How long a reader of a log waits for more; those who poll learn of a line at once, and ask seldom. */
const longestWait = 5_000

type LogReading = Pick<Call, 'deps' | 'request' | 'signal'>

/** Bytes of a log; where there are no more yet, those that come within a few seconds. */
async function answerLog({ deps, request, signal }: LogReading, phaseId: string): Promise<Reply> {
  const limit = Math.min(wholeOr(request.query.get('limit'), logBytes.standard), logBytes.largest)
  const offset = wholeOr(request.query.get('offset'), 0)
  if (offset > 0) await waitForLog(deps, { phaseId, offset }, { milliseconds: longestWait, signal })
  return bytes('text/plain; charset=utf-8', await readLog(deps, deps.db, phaseId, { offset, limit }))
}

const logQuery = Type.Object({
  limit: Type.Optional(Type.String({ description: 'How many bytes at most.' })),
  offset: Type.Optional(Type.String({ description: 'After how many bytes.' })),
})

const returnsLog = { 200: Type.String({ description: 'Bytes of the log.', format: 'binary' }) }

const logDescription =
  'Byte 2 begins a log and byte 3 ends it. Where no more bytes are there, it waits for some seconds; then the answer is empty.'

/** Where logs are read. The address itself grants the right to do so, so it is never logged. */
export const logEndpoints: readonly Endpoint[] = [
  ...defineEndpoints('site', [
    endpoint({
      id: 'run-logs.read',
      route: 'GET /api/run-logs/v1/:token',
      summary: 'Read the log of a plan or an apply from an offset on.',
      description: logDescription,
      access: open('The address is signed and short-lived; command lines send no token with it.'),
      params: { token: { description: 'The signed token in the `log-read-url` of a plan or an apply.' } },
      query: logQuery,
      returns: returnsLog,
      fails: ['missing'],
      secretPath: true,
      waits: true,
      handle: async (call) => {
        const phaseId = readLogToken(call.deps, call.params.token ?? '')
        if (phaseId !== undefined) return await answerLog(call, phaseId)
        const text = 'This address is not valid, or has expired; read the plan or apply again for a new one.'
        throw failure('missing', 'run-log.address', text)
      },
    }),
  ]),
  ...defineEndpoints('api/v2', [
    endpoint({
      id: 'plans.log',
      route: 'GET /plans/:planId/log',
      summary: 'Read the log of a plan from an offset on.',
      description: logDescription,
      access: onRun('can-read'),
      params: planInPath,
      query: logQuery,
      returns: returnsLog,
      mediaType: 'text/plain',
      fails: ['missing'],
      waits: true,
      handle: (call) => answerLog(call, call.subject.resource.run.plan.id),
    }),
    endpoint({
      id: 'applies.log',
      route: 'GET /applies/:applyId/log',
      summary: 'Read the log of an apply from an offset on.',
      description: logDescription,
      access: onRun('can-read'),
      params: applyInPath,
      query: logQuery,
      returns: returnsLog,
      mediaType: 'text/plain',
      fails: ['missing'],
      waits: true,
      handle: (call) => answerLog(call, call.subject.resource.run.apply.id),
    }),
  ]),
]
