import {
  canOnProject,
  onResource,
  type PermittedResource,
  type ProjectRight,
} from '../../../access/permissions/index.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Access } from '../../../kit/endpoint.ts'
import type { CountedProject } from '../organizations/index.ts'
import { loadProject } from './project-store.ts'

/** The parameter of paths that name a project. */
export const projectInPath = {
  projectId: { description: 'Identifier of the project.', example: 'prj-1111111111111111' },
}

/** Access to the project in the path for those with this right on it. */
export const onProject = (right: ProjectRight): Access<PermittedResource<CountedProject>> =>
  onResource({
    name: `project:${right}`,
    load: async ({ deps, params: { projectId = '' } }) =>
      isId('prj', projectId) ? loadProject(deps.db, projectId) : undefined,
    allows: (grants, project) =>
      canOnProject(grants, 'can-read', project.id) && canOnProject(grants, right, project.id),
  })
