import type { Fault } from '../../../../kernel/failure.ts'
import type { Values } from '../../../../kit/jsonapi/attributes.ts'
import { changing } from '../../../../kit/jsonapi/document-field-set.ts'
import { relation } from '../../../../kit/jsonapi/relationships.ts'
import { draftBody } from '../../../../kit/jsonapi/resource-bodies.ts'
import { bindingAttributes, sentBindings, tagAttributes } from '../tagging/tag-fields.ts'
import { deciding, inheritable, origin, settings } from '../workspace-fields.ts'
import { poolPointers, type RequestedSettings, type WorkspaceDraft } from './requested-settings.ts'

const changed = { ...settings.fields, ...inheritable.fields, ...deciding } as const

const relationships = {
  project: relation.one('projects', 'The project it belongs to; the default project if omitted.'),
  agentPool: relation.one('agent-pools', 'Agent pool for agent mode, unless the attribute names one.', {
    nullable: true,
  }),
  tagBindings: relation.items('tag-bindings', 'Tag bindings; on an update they replace the existing ones.', {
    attributes: bindingAttributes,
  }),
} as const

/** The body that makes a workspace. */
export const newWorkspaceBody = draftBody('workspaces', {
  type: 'required',
  attributes: { ...changed, ...origin.fields },
  relationships: { ...relationships, tags: relation.items('tags', 'Flat tags.', { attributes: tagAttributes }) },
})

/** The body that changes a workspace. */
export const changedWorkspaceBody = draftBody('workspaces', {
  type: 'required',
  attributes: changing(changed),
  relationships,
})

type Sent<R> = {
  readonly read: { readonly attributes: RequestedSettings; readonly relationships: R }
  readonly requireNoFaults: (faults: readonly Fault[]) => unknown
}

/** Settings as they were sent; generated clients name the pool by a relationship, which counts in agent mode only. */
function requestedSettings(attributes: RequestedSettings, related: string | null | undefined): RequestedSettings {
  const { executionMode = 'agent', operations, agentPoolId } = attributes
  const counts = related !== undefined && !agentPoolId && executionMode === 'agent' && operations === undefined
  return counts ? { ...attributes, agentPoolId: related, poolPointer: poolPointers.relationship } : attributes
}

/** A document in the form that actions take. */
export const toDraft = ({ read, requireNoFaults }: Sent<SentRelationships>): WorkspaceDraft => ({
  requested: requestedSettings(read.attributes, read.relationships.agentPool),
  projectId: read.relationships.project,
  bindings: read.relationships.tagBindings && sentBindings(read.relationships.tagBindings),
  requireNoFaults,
})

/** A document that the server wrote itself, read like one that was sent. */
export const readWorkspaceChange = (document: Readonly<Record<string, unknown>>): WorkspaceDraft =>
  toDraft(changedWorkspaceBody.parse({ ...document }, { warn: () => undefined, params: {} }))

type SentRelationships = Partial<Values<typeof relationships>>
