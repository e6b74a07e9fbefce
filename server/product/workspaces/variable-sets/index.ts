import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { setVariableEndpoints } from './set-variable-endpoints.ts'
import { variableSetEndpoints } from './variable-set-endpoints.ts'

export { openInForce, variablesInForce } from './in-force-actions.ts'
export { frozenOf, type Sourced, type VariableSource, variablesOfPhase } from './precedence.ts'

/** Variable sets: variables that several workspaces have. */
export const variableSetsFeature: Feature = defineFeature({
  name: 'variable-sets',
  endpoints: [...variableSetEndpoints, ...setVariableEndpoints],
})
