import { failure } from '../../../kernel/failure.ts'
import { defineEndpoints, type Endpoint, endpoint, open, Type } from '../../../kit/endpoint.ts'
import { answerOne, documentSchema, showQuery } from '../../../kit/jsonapi/index.ts'
import { bytes } from '../../../kit/reply.ts'
import { applySchema, planSchema, readLogToken, toPhaseResource } from './phase-document-endpoints.ts'
import { readLog } from './record-actions.ts'
import { applyInPath, onRun, planInPath, runInPath } from './run-access-actions.ts'

const returnsPlan = { 200: documentSchema(planSchema) }
const returnsApply = { 200: documentSchema(applySchema) }
/** The signed address in a phase gives access to its log. */
const noStore = { headers: { 'Cache-Control': 'no-store' } }

/** How many bytes of a log are sent if nobody says so, and at most. */
const logBytes = { standard: 65_536, largest: 1_048_576 } as const

/** Clients send anything here, and expect to be answered. */
const wholeOr = (text: string | null, otherwise: number): number =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise

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
    handle: (call) => answerOne(call, toPhaseResource(call, call.subject.resource.run, 'plan'), noStore),
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
    handle: (call) => answerOne(call, toPhaseResource(call, call.subject.resource.run, 'plan'), noStore),
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
    handle: (call) => answerOne(call, toPhaseResource(call, call.subject.resource.run, 'apply'), noStore),
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
    handle: (call) => answerOne(call, toPhaseResource(call, call.subject.resource.run, 'apply'), noStore),
  }),
])

/** Where logs are read. The address itself grants the right to do so, so it is never logged. */
export const logEndpoints: readonly Endpoint[] = defineEndpoints('site', [
  endpoint({
    id: 'run-logs.read',
    route: 'GET /api/run-logs/v1/:token',
    summary: 'Read the log of a plan or an apply from an offset on.',
    description: 'Byte 2 begins a log and byte 3 ends it. Without more bytes, the answer is empty.',
    access: open('The address is signed and short-lived; command lines send no token with it.'),
    params: { token: { description: 'The signed token in the `log-read-url` of a plan or an apply.' } },
    query: Type.Object({
      limit: Type.Optional(Type.String({ description: 'How many bytes at most.' })),
      offset: Type.Optional(Type.String({ description: 'After how many bytes.' })),
    }),
    returns: { 200: Type.String({ description: 'Bytes of the log.', format: 'binary' }) },
    fails: ['missing'],
    secretPath: true,
    handle: async ({ deps, params, request }) => {
      const phaseId = readLogToken(deps, params.token ?? '')
      if (phaseId === undefined) {
        const text = 'This address is not valid, or has expired; read the plan or apply again for a new one.'
        throw failure('missing', 'run-log.address', text)
      }
      const limit = Math.min(wholeOr(request.query.get('limit'), logBytes.standard), logBytes.largest)
      const offset = wholeOr(request.query.get('offset'), 0)
      const content = await readLog(deps, deps.db, phaseId, { offset, limit })
      return bytes('text/plain; charset=utf-8', content)
    },
  }),
])
