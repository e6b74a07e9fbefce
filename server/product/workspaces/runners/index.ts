import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { jobEndpoints } from './job-endpoints.ts'
import { authenticateRun } from './run-token-actions.ts'
import { runnerEndpoints } from './runner-endpoints.ts'

export { builtInRunnerToken } from './runner-actions.ts'

/** Runners: programs that execute the plans and applies of runs. */
export const runnersFeature: Feature = defineFeature({
  name: 'runners',
  endpoints: [...runnerEndpoints, ...jobEndpoints],
  parts: { runAuthenticator: authenticateRun },
})
