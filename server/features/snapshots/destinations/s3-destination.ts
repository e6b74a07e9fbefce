import type { Configuration } from '../configurations/configuration-types.ts'
import type { Destination, DestinationDeps } from './destination.ts'

export function s3Destination(_deps: DestinationDeps, _configuration: Configuration): Destination {
  throw new Error('not yet')
}
