import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { agentEndpoints } from './agent-endpoints.ts'
import { jobEndpoints } from './job-endpoints.ts'
import { authenticateRun } from './run-token-actions.ts'
import { runnerEndpoints } from './runner-endpoints.ts'
import { upkeepJob, watchRunners } from './upkeep-actions.ts'

export { builtInRunnerToken } from './runner-actions.ts'

/** Runners: programs that execute the plans and applies of runs. */
export const runnersFeature: Feature = defineFeature({
  name: 'runners',
  endpoints: [...runnerEndpoints, ...jobEndpoints, ...agentEndpoints],
  jobs: [upkeepJob],
  parts: { runAuthenticator: authenticateRun },
  start: async (deps) => watchRunners(deps),
})
