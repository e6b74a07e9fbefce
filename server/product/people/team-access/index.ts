import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { provideAccessSteps } from './access-actions.ts'
import { teamAccessEndpoints } from './access-endpoints.ts'

/** Access of teams to workspaces and projects. */
export const teamAccessFeature: Feature = defineFeature({
  name: 'team-access',
  endpoints: teamAccessEndpoints,
  start: provideAccessSteps,
})
