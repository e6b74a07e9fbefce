import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { departureStep, removalStep } from './access-actions.ts'
import { teamAccessEndpoints } from './access-endpoints.ts'

/** Access of teams to workspaces and projects. */
export const teamAccessFeature: Feature = defineFeature({
  name: 'team-access',
  endpoints: teamAccessEndpoints,
  parts: { departureStep, removalStep },
})
