import type { Configuration } from '../configurations/configuration-types.ts'
import type { Destination, DestinationDeps } from './destination.ts'

export function azureDestination(_deps: DestinationDeps, _configuration: Configuration): Destination {
  throw new Error('not yet')
}
