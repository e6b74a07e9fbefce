import {
  actorOf,
  grantsInNamedOrganization,
  grantsInOrganization,
  hidden,
  type OrganizationGrants,
  onResource,
  type PermittedResource,
} from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { RuleAccess, RuleCall } from '../../../kit/endpoint.ts'
import type { SetVariable } from './set-variable.ts'
import { loadSetVariable } from './set-variable-store.ts'
import { mayManageSets, type VariableSet, variableReaders } from './variable-set.ts'
import { listSets, loadSet } from './variable-set-store.ts'

/** A set, and the variable of it that the path names. */
export type AddressedSet = {
  readonly organizationId: string
  readonly set: VariableSet
  readonly variable: SetVariable | undefined
}

/** The parameter of paths that name a variable set. */
export const setInPath = {
  varsetId: { description: 'Identifier of the variable set.', example: 'varset-kjkN545LH2Sfercv' },
}

async function loadAddressed({ deps: { db }, params }: RuleCall): Promise<AddressedSet | undefined> {
  const { varsetId = '', setVariableId } = params
  const set = isId('varset', varsetId) ? await loadSet(db, varsetId) : undefined
  if (!set) return undefined
  const found = setVariableId !== undefined && isId('var', setVariableId)
  const variable = found ? await loadSetVariable(db, set.id, setVariableId) : undefined
  if (setVariableId !== undefined && !variable) return undefined
  return { organizationId: set.organizationId, set, variable }
}

/** Access for those who manage sets of the organization in the path, or of one of its projects. */
export const onNewSet: RuleAccess<OrganizationGrants> = {
  kind: 'rule',
  name: 'variable-set:can-create',
  check: async (call) => {
    const grants = await grantsInNamedOrganization(call, call.params.organization ?? '')
    if (![null, ...grants.projects.keys()].some((projectId) => mayManageSets(grants, projectId))) throw hidden()
    return grants
  },
}

/** Access to a set for those who manage it; for all others it does not exist. */
export const onManagedSet: RuleAccess<PermittedResource<AddressedSet>> = onResource({
  name: 'variable-set:can-manage',
  load: loadAddressed,
  allows: (grants, { set }) => mayManageSets(grants, set.projectId),
})

/** Access to a set for those who may read variables in a workspace that has it, and for those who manage it. */
export const onReadableSet: RuleAccess<PermittedResource<AddressedSet>> = {
  kind: 'rule',
  name: 'variable-set:can-read',
  check: async (call) => {
    const actor = actorOf(call.caller)
    const resource = await loadAddressed(call)
    if (!resource) throw hidden()
    const { organizationId, set } = resource
    const grants = await grantsInOrganization(call, organizationId)
    const filter = { organizationId, readers: variableReaders(grants), id: set.id }
    const { total } = await listSets(call.deps.db, filter, { offset: 0, limit: 1 })
    if (total === 0) throw hidden()
    return { resource, grants, actor }
  },
}
