import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { searchProjects } from './project-actions.ts'
import { projectBindingEndpoints } from './project-binding-endpoints.ts'
import { projectEndpoints } from './project-endpoints.ts'

export { onProject, projectInPath } from './project-actions.ts'
export { loadProject } from './project-store.ts'

/** Projects: groups of workspaces with settings of their own. */
export const projectsFeature: Feature = defineFeature({
  name: 'projects',
  endpoints: [...projectEndpoints, ...projectBindingEndpoints],
  parts: { searcher: searchProjects },
})
