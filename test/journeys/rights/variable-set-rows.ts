import { doc } from '../../support/platform.ts'
import { listOf, type Row, sending } from './row.ts'
import { fresh, type Ids, makeAt, type Scene } from './scene.ts'

const variable = (): object => doc('vars', { key: fresh(), value: 'x', category: 'env' })
const newSet = (): object => doc('varsets', { name: fresh() })
const freshSet = async (scene: Scene): Promise<Ids> => ({
  varsetId: await makeAt(scene, `/organizations/${scene.organization.name}/varsets`, newSet()),
})
const freshVariable = async (scene: Scene): Promise<Ids> => ({
  setVariableId: await makeAt(scene, `/varsets/${scene.ids.varsetId}/relationships/vars`, variable()),
})

/** Variable sets of the organization, of which the workspace has one. */
export const variableSetRows: readonly Row[] = [
  ['varsets.list', 'organization:can-traverse'],
  ['varsets.create', 'organization:can-manage-sets', { body: newSet, isAddressedByBody: true }],
  ['varsets.show', 'workspace:can-read-variable'],
  ['varsets.update', 'organization:can-manage-sets', sending('varsets', { description: 'changed' })],
  ['varsets.delete', 'organization:can-manage-sets', { ready: freshSet }],
  ...(['add', 'remove'] as const).flatMap((verb): Row[] => [
    [
      `varsets.${verb}-workspaces`,
      'organization:can-manage-sets',
      { body: ({ consumerId }) => listOf('workspaces', consumerId) },
    ],
    [
      `varsets.${verb}-projects`,
      'organization:can-manage-sets',
      { body: ({ otherProjectId }) => listOf('projects', otherProjectId) },
    ],
  ]),
  ['varset-vars.list', 'workspace:can-read-variable'],
  ['varset-vars.show', 'workspace:can-read-variable'],
  ['varset-vars.create', 'organization:can-manage-sets', { body: variable }],
  ['varset-vars.update', 'organization:can-manage-sets', sending('vars', { description: 'changed' })],
  ['varset-vars.delete', 'organization:can-manage-sets', { ready: freshVariable }],
  ['workspaces.list-varsets', 'workspace:can-read-variable'],
  ['workspaces.list-applicable-varsets', 'workspace:can-read-variable'],
  ['projects.list-varsets', 'project:can-read'],
]
