import { fields } from '../../../kit/bodies.ts'
import { acl, defineSystemEndpoints, type Endpoint, endpoint, model, Type } from '../../../kit/endpoint.ts'
import { field } from '../../../kit/fields.ts'
import { data, nothing } from '../../../kit/reply.ts'
import {
  pauseConfiguration,
  previewConfiguration,
  requireConfiguration,
  resumeConfiguration,
} from '../configurations/configuration-actions.ts'
import { configurationBody, nameParam, readConfigurationBody } from '../configurations/configuration-endpoints.ts'
import { requireLicence } from '../licence.ts'
import { type CheckReport, checkDestination } from './check-actions.ts'
import { runNow, waitForAttempt } from './run-actions.ts'
import { attemptToWire } from './status-endpoints.ts'

const attemptId = Type.String({ description: 'Identifies the attempt in the history.' })

const base = '/storage/raft/snapshot-auto'
const sudo = { access: acl({ sudo: true }) } as const
const longestWait = 3_600

const StartedAttempt = model('StartedAttempt', { attempt_id: attemptId })

const Right = model('StorageRight', {
  allowed: Type.Boolean({ description: 'Whether it worked.' }),
  right: Type.String({ description: 'Name of the permission at the service.' }),
  error: Type.String({ description: 'Response of the service; empty on success.' }),
})

const CheckAnswer = model('StorageCheck', {
  ok: Type.Boolean({ description: 'Whether all permissions are granted.' }),
  missing: Type.Array(Type.String(), { description: 'Missing permissions, as the service names them.' }),
  rights: Type.Object({ write: Right, list: Right, read: Right, delete: Right }),
})

const checkAnswer = ({ ok, rights }: CheckReport): Record<string, unknown> => ({
  ok,
  missing: [...new Set(Object.values(rights).flatMap(({ allowed, right }) => (allowed ? [] : [right])))],
  rights,
})

/** Taking a snapshot now, testing a destination, pausing a configuration. */
export const controlEndpoints: readonly Endpoint[] = defineSystemEndpoints([
  endpoint({
    ...sudo,
    id: 'snapshots.run',
    route: `POST ${base}/run/:name`,
    summary: 'Take a snapshot now.',
    description:
      'If a run is already in progress or queued, that one is returned instead. The schedule does not change.',
    params: nameParam,
    query: Type.Object({ wait: field.seconds('Same as the body field of this name.') }),
    body: fields(
      Type.Object({
        wait: field.seconds('How long to wait for it to finish; does not wait by default.'),
        wait_for_verification: field.flag('Whether to wait until it has been verified too, if it is to be.'),
      }),
    ),
    returns: {
      200: StartedAttempt,
      202: StartedAttempt,
    },
    fails: ['missing', 'conflict', 'invalid'],
    deadline: 0,
    handle: async ({ deps, params: { name = '' }, query, body, signal }) => {
      requireLicence(deps)
      const id = await runNow(deps, name)
      const wait = body.wait ?? query.wait ?? 0
      if (wait === 0) return data({ attempt_id: id }, 202)
      const withVerification = body.wait_for_verification ?? false
      const terms = { seconds: Math.min(wait, longestWait), signal, withVerification }
      const { attempt, isOver } = await waitForAttempt(deps, id, terms)
      const isEnded = attempt !== undefined && attempt.ended_at !== null
      return data({ attempt_id: id, ...(isEnded ? attemptToWire(attempt) : {}) }, isOver ? 200 : 202)
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.check',
    route: `POST ${base}/check/:name`,
    summary: 'Test the destination of a configuration: write, list, read and delete one byte.',
    params: nameParam,
    returns: { 200: CheckAnswer },
    fails: ['missing'],
    deadline: 0,
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      return data(checkAnswer(await checkDestination(deps, await requireConfiguration(deps, name))))
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.check-new',
    route: `POST ${base}/check`,
    summary: 'Test a destination before storing its configuration.',
    body: configurationBody,
    returns: { 200: CheckAnswer },
    fails: ['missing', 'invalid'],
    deadline: 0,
    handle: async ({ deps, body }) => {
      requireLicence(deps)
      return data(
        checkAnswer(await checkDestination(deps, await previewConfiguration(deps, readConfigurationBody(body).sent))),
      )
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.pause',
    route: `POST ${base}/pause/:name`,
    summary: 'Pause automated snapshots until they are resumed; a run in progress is aborted.',
    params: nameParam,
    returns: { 204: null },
    fails: ['missing'],
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      await pauseConfiguration(deps, name)
      return nothing()
    },
  }),
  endpoint({
    ...sudo,
    id: 'snapshots.resume',
    route: `POST ${base}/resume/:name`,
    summary: 'Resume automated snapshots; one that is due is taken at once.',
    params: nameParam,
    returns: { 204: null },
    fails: ['missing'],
    handle: async ({ deps, params: { name = '' } }) => {
      requireLicence(deps)
      await resumeConfiguration(deps, name)
      return nothing()
    },
  }),
])
