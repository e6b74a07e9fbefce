import { failure } from '../../../kernel/failure.ts'
import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { filterAllowed, type WorkspacePart } from '../workspaces/index.ts'
import { includedProblem } from './variable.ts'
import { bareVariableEndpoints, renderVariable, variableEndpoints } from './variable-endpoints.ts'
import { listVariables, loadVariableLinks, measureVariables } from './variable-store.ts'

export {
  type NewVariable,
  usageFaults,
  type Variable,
  type VariableChange,
  type VariableSettings,
  type VariableUsage,
  variableFaults,
} from './variable.ts'
export { describeVariable, openValue } from './variable-actions.ts'
export {
  changedVariableBody,
  newVariableBody,
  newVariableExample,
  renderVariable,
  toNewVariable,
  toVariableChange,
  variableAttributes,
} from './variable-endpoints.ts'
export { facts as variableFacts, settings as variableSettings } from './variable-fields.ts'
export { listVariables } from './variable-store.ts'

/**
 * `vars` in the document of a workspace: everybody who sees the workspace learns the ids, readers of variables the
 * rest.
 */
const variablesPart: WorkspacePart = {
  links: async (db, workspaces) => {
    const ids = workspaces.map(({ id }) => id)
    const byWorkspace = Map.groupBy(await loadVariableLinks(db, ids), (link) => link.workspace_id)
    return new Map([...byWorkspace].map(([id, links]) => [id, links.map((link) => link.id)]))
  },
  include: async (call, workspaces) => {
    const readable = (await filterAllowed(call, 'can-read-variable', workspaces)).map(({ id }) => id)
    if (readable.length === 0) return []
    const detail = includedProblem(await measureVariables(call.deps.db, readable))
    if (detail) throw failure('malformed', 'variables.include', detail, { faults: [{ detail, parameter: 'include' }] })
    return (await listVariables(call.deps.reads, readable)).map((variable) => renderVariable(call.deps, variable))
  },
}

/** Variables of workspaces. */
export const variablesFeature: Feature = defineFeature({
  name: 'variables',
  endpoints: [...variableEndpoints, ...bareVariableEndpoints],
  parts: { workspaceParts: { vars: variablesPart } },
})
