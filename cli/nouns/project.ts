import { inOrganization } from './lookup.ts'
import type { Noun } from './noun.ts'
import { createVerb, deleteVerb, listVerb, organizationFlag, showVerb, updateVerb } from './resource-verbs.ts'

const flags = [organizationFlag]
const shown = ['id', 'name', 'description', 'workspace-count', 'default-execution-mode', 'created-at']

/** `holdfast project`. */
export const project: Noun = {
  name: 'project',
  description: 'projects, which group workspaces',
  verbs: [
    listVerb({
      operation: 'projects.list',
      description: 'list projects',
      columns: ['name', 'id', 'workspace-count', 'description', 'created-at'],
      filters: [{ term: '--search <text>', text: 'a part of the name', query: (given) => ({ q: given }) }],
      flags,
      place: inOrganization,
      example: 'project list --search plat',
    }),
    showVerb({
      kind: 'project',
      description: 'show a project',
      flags,
      columns: shown,
      example: 'project show platform',
    }),
    createVerb({
      operation: 'projects.create',
      type: 'projects',
      called: 'name',
      description: 'create a project',
      flags,
      place: inOrganization,
      columns: shown,
      example: 'project create data --description "what all teams read"',
    }),
    updateVerb({
      kind: 'project',
      operation: 'projects.update',
      type: 'projects',
      description: 'change a project',
      flags,
      columns: shown,
      example: 'project update data --name archive',
    }),
    deleteVerb({
      kind: 'project',
      operation: 'projects.delete',
      description: 'delete a project without workspaces',
      flags,
      example: 'project delete archive --yes',
    }),
  ],
}
