import { hidden } from '../../../../access/permissions/index.ts'
import { failure } from '../../../../kernel/failure.ts'
import { defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import {
  allSchema,
  answerAll,
  answerOne,
  answerPage,
  documentSchema,
  entriesOn,
  listQuery,
  pageSchema,
  type Resource,
  resourceSchema,
  shown,
  showQuery,
} from '../../../../kit/jsonapi/index.ts'
import { holderOf, mayOnWorkspace, onWorkspace, workspaceInPath } from '../../workspaces/index.ts'
import { currentStateOf } from '../current-actions.ts'
import { onOutput, onStateVersion, stateVersionInPath } from '../state-version-access-actions.ts'
import type { OpenedOutput } from './output.ts'
import { openOutput } from './output-actions.ts'
import { loadOutputs } from './output-store.ts'

/** An output as a resource. */
export const toOutputResource = (output: OpenedOutput): Resource => ({
  type: 'state-version-outputs',
  id: output.id,
  attributes: {
    name: output.name,
    sensitive: output.sensitive,
    type: output.type,
    'detailed-type': output.detailedType,
    value: output.value,
  },
  links: { self: `/api/v2/state-version-outputs/${output.id}` },
})

/** An output as it is included with its workspace, where its type has another name. */
export const toWorkspaceOutputResource = (output: OpenedOutput): Resource => ({
  type: 'workspace-outputs',
  id: output.id,
  attributes: {
    name: output.name,
    sensitive: output.sensitive,
    'output-type': output.type,
    'detailed-type': output.detailedType,
    value: output.value,
  },
  links: { self: `/api/v2/state-version-outputs/${output.id}` },
})

/** An output as answers show it. */
const outputSchema = resourceSchema('state-version-outputs', {
  attributes: {
    name: shown.text('Name of the output.'),
    sensitive: shown.flag('Whether the list of the current outputs hides its value.'),
    type: shown.text('`string`, `number`, `boolean`, `array` or `object`.'),
    'detailed-type': Type.Unknown({
      description: 'The type as the tool writes it; null if the state does not record it.',
    }),
    value: Type.Unknown({ description: 'The value; null if it is sensitive and hidden.' }),
  },
})

const outputsUnknown = () =>
  failure('unavailable', 'state.pending', 'The state has not been uploaded yet, so its outputs are not known.', {
    retryAfter: 1,
  })

/** Reading outputs. The list of the current ones hides sensitive values; a single output shows its own. */
export const outputEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'state-version-outputs.list',
    route: 'GET /state-versions/:stateVersionId/outputs',
    summary: 'List the outputs of a state version.',
    description: 'Sensitive values are shown to those who may read the state, which contains them.',
    access: onStateVersion('can-read-state-outputs'),
    forRuns: 'tool',
    params: stateVersionInPath,
    query: listQuery(),
    returns: { 200: pageSchema(outputSchema) },
    fails: ['missing', 'unavailable'],
    handle: async (call) => {
      const { deps, subject, query } = call
      const { version, workspace } = subject.resource
      if (version.status === 'pending') throw outputsUnknown()
      const outputs = await loadOutputs(deps.db, version.id)
      const shown = entriesOn(query.page, outputs)
      const reveal = mayOnWorkspace(subject.grants, 'can-read-state-versions', workspace) ? 'all' : 'harmless'
      const resources = shown.map((output) => toOutputResource(openOutput(deps, output, reveal)))
      return answerPage(call, { resources, total: outputs.length }, { headers: { 'Cache-Control': 'no-store' } })
    },
  }),
  endpoint({
    id: 'state-version-outputs.current',
    route: 'GET /workspaces/:workspaceId/current-state-version-outputs',
    summary: 'List all outputs of the current state version of a workspace.',
    description: 'Not paginated: command-line clients expect the whole list in one response.',
    access: onWorkspace('can-read-state-outputs'),
    forRuns: 'tool',
    params: workspaceInPath,
    query: showQuery(),
    returns: { 200: allSchema(outputSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const { deps, subject } = call
      const version = await currentStateOf(deps, subject.resource, holderOf(subject.actor))
      if (!version) throw hidden()
      const outputs = await loadOutputs(deps.db, version.id)
      return answerAll(
        call,
        outputs.map((output) => toOutputResource(openOutput(deps, output, 'harmless'))),
      )
    },
  }),
  endpoint({
    id: 'state-version-outputs.show',
    route: 'GET /state-version-outputs/:outputId',
    summary: 'Read an output with its value, even if it is sensitive.',
    access: onOutput,
    forRuns: 'tool',
    params: { outputId: { description: 'Identifier of the output.', example: 'wsout-J2zM24JPFbfc7bE5' } },
    query: showQuery(),
    returns: { 200: documentSchema(outputSchema) },
    fails: ['missing'],
    handle: async (call) => {
      const output = openOutput(call.deps, call.subject.resource.output, 'all')
      return answerOne(call, toOutputResource(output), { headers: { 'Cache-Control': 'no-store' } })
    },
  }),
])
