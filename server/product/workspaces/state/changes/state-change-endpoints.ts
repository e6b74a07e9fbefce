import { failure } from '../../../../kernel/failure.ts'
import { isId } from '../../../../kernel/ids.ts'
import { type Call, defineEndpoints, type Endpoint, endpoint, Type } from '../../../../kit/endpoint.ts'
import {
  answerOne,
  documentSchema,
  parameter,
  type Resource,
  resourceSchema,
  shown,
  showQuery,
  toOne,
} from '../../../../kit/jsonapi/index.ts'
import { loadStateVersion, loadVersionBefore } from '../records/state-version-store.ts'
import type { StateVersion } from '../state-version.ts'
import { type OnStateVersion, onStateVersion, stateVersionInPath } from '../state-version-access-actions.ts'
import { type Comparison, compareVersions } from './state-change-actions.ts'

const attributeSchema = Type.Object({
  name: shown.text('Its name; members of objects by their path.'),
  sensitive: shown.flag('True if its values are not shown.'),
  before: shown.maybeText('Its value before, as JSON; null if there was none, empty if it is sensitive.'),
  after: shown.maybeText('Its value after, in the same form.'),
})

const changesSchema = (description: string) =>
  Type.Array(
    Type.Object({
      name: shown.text('Address of the resource, or name of the output.'),
      kind: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('changed')], {
        description: 'How it differs.',
      }),
      attributes: Type.Array(attributeSchema, { description: 'What differs of it, at most 100 attributes.' }),
      more: shown.whole('How many more attributes differ.'),
    }),
    { description },
  )

const comparisonSchema = resourceSchema('state-comparisons', {
  attributes: {
    status: Type.Union(
      [...(['compared', 'nothing-before', 'too-large', 'unreadable'] as const)].map((status) => Type.Literal(status)),
      { description: 'Whether they were compared, or why not: together they may have 2 MiB, in format 4.' },
    ),
    resources: changesSchema('The resource instances that differ.'),
    outputs: changesSchema('The outputs that differ.'),
  },
  relationships: {
    'state-version': 'The version that was compared.',
    since: 'The version that it was compared with.',
  },
})

type Compared = Comparison | 'nothing-before'

const toComparison = (version: StateVersion, since: StateVersion | undefined, compared: Compared): Resource => ({
  type: 'state-comparisons',
  id: version.id,
  attributes:
    typeof compared === 'string'
      ? { status: compared, resources: [], outputs: [] }
      : { status: 'compared', ...compared },
  relationships: {
    'state-version': toOne('state-versions', version.id, `/api/v2/state-versions/${version.id}`),
    since: toOne('state-versions', since?.id ?? null),
  },
  links: { self: `/api/v2/state-versions/${version.id}/comparison` },
})

type ComparisonCall = Pick<
  Call<Record<string, string>, { since?: string | undefined }, unknown, OnStateVersion>,
  'deps' | 'query' | 'subject'
>

/** The version to compare with: the one that was asked for, or the one before. */
async function sinceOf({ deps, query, subject }: ComparisonCall): Promise<StateVersion | undefined> {
  const { version } = subject.resource
  if (query.since === undefined) return await loadVersionBefore(deps.db, version)
  const since = isId('sv', query.since) ? await loadStateVersion(deps.db, query.since) : undefined
  if (since?.workspaceId === version.workspaceId && since.status === 'finalized') return since
  const detail = 'Parameter since must be a version of the same workspace whose content is there'
  throw failure('invalid', 'state.since', detail, { faults: [{ detail, parameter: 'since' }] })
}

async function compare(call: ComparisonCall): Promise<Resource> {
  const { version } = call.subject.resource
  const since = await sinceOf(call)
  if (version.status !== 'finalized') return toComparison(version, since, 'unreadable')
  return toComparison(version, since, since ? await compareVersions(call.deps, since, version) : 'nothing-before')
}

/** What differs between two versions of a state. */
export const stateChangeEndpoints: readonly Endpoint[] = defineEndpoints('api/v2', [
  endpoint({
    id: 'state-versions.compare',
    route: 'GET /state-versions/:stateVersionId/comparison',
    summary: 'Compare a state version with another one of the same workspace.',
    description:
      'Sensitive values are never shown: those that the state marks, and those whose names tell, such as passwords. ' +
      'Longer values are cut after 4,000 characters.',
    access: onStateVersion('can-read-state-versions'),
    params: stateVersionInPath,
    query: showQuery({
      parameters: {
        since: parameter.text('since', 'The version to compare with; the one before if it is left out.'),
      },
    }),
    returns: { 200: documentSchema(comparisonSchema) },
    fails: ['malformed', 'missing', 'invalid'],
    handle: async (call) => answerOne(call, await compare(call), { headers: { 'Cache-Control': 'no-store' } }),
  }),
])
