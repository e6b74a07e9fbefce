import { actorOf, anyActor, hidden } from '../../../access/permissions/index.ts'
import { snapshotIntervalHeader } from '../../../compat/vendor-names.ts'
import { failure } from '../../../kernel/failure.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { authorOf } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint } from '../../../kit/endpoint.ts'
import {
  type AnswerExtras,
  answerCreated,
  answerOne,
  answerPage,
  listQuery,
  parameter,
  rangeOf,
  type ShowQuery,
  showQuery,
} from '../../../kit/jsonapi/index.ts'
import type { Reply } from '../../../kit/reply.ts'
import { filteredWorkspace, holderOf, onWorkspace, workspaceFilters, workspaceInPath } from '../workspaces/index.ts'
import { currentStateOf } from './current-actions.ts'
import { listStateVersions } from './records/state-version-store.ts'
import { type StateStatus, type StateVersion, stateStatuses } from './state-version.ts'
import { onStateVersion, stateVersionInPath } from './state-version-access-actions.ts'
import {
  includeWithVersions,
  renderStateVersion,
  renderStateVersions,
  stateVersionIncludes,
} from './state-version-document-endpoints.ts'
import { rollbackBody, stateVersionBody, stateVersionDocument, stateVersionPage } from './state-version-fields.ts'
import { addState } from './writing/add-actions.ts'
import { rollbackState } from './writing/rollback-actions.ts'

/** Seconds after which a long apply may send an intermediate state. */
const snapshotInterval = ({ settings }: Pick<Deps, 'settings'>): Readonly<Record<string, string>> => ({
  [snapshotIntervalHeader]: String(settings.stateSnapshotInterval),
})

const show = showQuery({ include: stateVersionIncludes })

/** The signed addresses in a version give access to the state itself, so caches must not keep them. */
const noStore = { 'Cache-Control': 'no-store' } as const

type Reading = { readonly actor: ActorPrincipal }

async function answerVersion(
  call: Call<Record<string, string>, ShowQuery, unknown, Reading>,
  version: StateVersion,
  extras: AnswerExtras = {},
): Promise<Reply> {
  const { actor } = call.subject
  const resource = await renderStateVersion(call, holderOf(actor), version)
  const included = await includeWithVersions(call, call.query.include, [version])
  return answerOne(call, resource, { ...extras, headers: { ...noStore, ...extras.headers }, included })
}

const decodeBase64 = (text: string | null | undefined): Buffer | undefined =>
  text == null ? undefined : Buffer.from(text, 'base64')

function statusOf(text: string | undefined): StateStatus | undefined {
  const status = stateStatuses.find((each) => each === text)
  if (text === undefined || status) return status
  const detail = `Parameter filter[status] must be one of ${stateStatuses.join(', ')}`
  throw failure('invalid', 'query.status', detail, { faults: [{ detail, parameter: 'filter[status]' }] })
}

/** Versions of state: written by the holder of a workspace, read by those who have the right to. */
export const stateVersionEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'state-versions.create',
    route: 'POST /workspaces/:workspaceId/state-versions',
    summary: 'Create a state version, with its content or with URLs to upload it to.',
    description:
      'Only the holder of the workspace lock can write state. The new version becomes the current state when the ' +
      'lock is released.',
    access: onWorkspace('can-create-state-versions'),
    forRuns: 'runner',
    params: workspaceInPath,
    query: show,
    body: stateVersionBody,
    returns: { 201: stateVersionDocument },
    fails: ['missing', 'conflict', 'precondition', 'invalid'],
    example: {
      request: {
        data: { type: 'state-versions', attributes: { serial: 1, md5: 'd41d8cd98f00b204e9800998ecf8427e' } },
      },
    },
    handle: async (call) => {
      const { deps, subject, body } = call
      const { serial, md5, lineage, force, state, jsonState, jsonStateOutputs } = body.attributes
      const by = holderOf(subject.actor)
      const version = await addState(deps, authorOf(call), subject.resource, {
        announcement: { serial, md5: md5.toLowerCase(), lineage: lineage ?? null, force: force ?? false },
        by,
        state: decodeBase64(state),
        rendering: decodeBase64(jsonState),
        outputs: decodeBase64(jsonStateOutputs),
      })
      return answerCreated(call, await renderStateVersion(call, by, version), { headers: snapshotInterval(deps) })
    },
  }),
  endpoint({
    id: 'state-versions.rollback',
    route: 'PATCH /workspaces/:workspaceId/state-versions',
    summary: 'Roll back: copy an earlier state into a new state version.',
    description:
      'Only the holder of the workspace lock can roll back. The copy keeps the serial of its content, and becomes the ' +
      'current state when the lock is released.',
    access: onWorkspace('can-create-state-versions'),
    params: workspaceInPath,
    query: show,
    body: rollbackBody,
    returns: { 201: stateVersionDocument },
    fails: ['missing', 'conflict', 'invalid'],
    handle: async (call) => {
      const { deps, subject, body } = call
      const by = holderOf(subject.actor)
      const { rollbackStateVersion: id, newestStateVersion: newest } = body.relationships
      const after = newest ?? undefined
      const version = await rollbackState(deps, authorOf(call), { workspace: subject.resource, id, by, after })
      return answerCreated(call, await renderStateVersion(call, by, version))
    },
  }),
  endpoint({
    id: 'state-versions.current',
    route: 'GET /workspaces/:workspaceId/current-state-version',
    summary: 'Read the current state version of a workspace.',
    access: onWorkspace('can-read-state-versions'),
    forRuns: 'tool',
    params: workspaceInPath,
    query: show,
    returns: { 200: stateVersionDocument },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject } = call
      const version = await currentStateOf(deps, subject.resource, holderOf(subject.actor))
      if (!version) throw hidden()
      return answerVersion(call, version, { headers: snapshotInterval(deps) })
    },
  }),
  endpoint({
    id: 'state-versions.show',
    route: 'GET /state-versions/:stateVersionId',
    summary: 'Read a state version.',
    access: onStateVersion('can-read-state-versions'),
    forRuns: 'tool',
    params: stateVersionInPath,
    query: show,
    returns: { 200: stateVersionDocument },
    fails: ['missing'],
    handle: (call) => answerVersion(call, call.subject.resource.version),
  }),
  endpoint({
    id: 'state-versions.list',
    route: 'GET /state-versions',
    summary: 'List the state versions of a workspace, newest first.',
    access: anyActor(),
    forRuns: 'tool',
    query: listQuery({
      include: stateVersionIncludes,
      parameters: {
        ...workspaceFilters,
        status: parameter.text('filter[status]', 'Only versions with this status.'),
      },
    }),
    returns: { 200: stateVersionPage },
    fails: ['missing', 'invalid'],
    handle: async (call) => {
      const { deps, query, caller } = call
      const workspace = await filteredWorkspace(call, 'can-read-state-versions')
      const of = { workspaceId: workspace.id, status: statusOf(query.status) }
      const { versions, total } = await listStateVersions(deps.reads, of, rangeOf(query.page))
      const actor = actorOf(caller)
      const resources = await renderStateVersions(call, holderOf(actor), versions)
      const included = await includeWithVersions(call, query.include, versions)
      return answerPage(call, { resources, total }, { included, headers: noStore })
    },
  }),
])
