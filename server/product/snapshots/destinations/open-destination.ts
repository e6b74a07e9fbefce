import type { Configuration } from '../configurations/configuration.ts'
import type { Destination, DestinationDeps } from './destination.ts'
import { localDestination } from './local-destination.ts'

/** Opens the destination of a configuration. The code of a cloud is loaded when it is first used. */
export async function openDestination(deps: DestinationDeps, configuration: Configuration): Promise<Destination> {
  switch (configuration.type) {
    case 'local':
      return localDestination(deps, configuration)
    case 'cloudA-store':
      return (await import('./s3/s3-destination.ts')).s3Destination(deps, configuration)
    case 'cloudB-store':
      return (await import('./gcs/gcs-destination.ts')).gcsDestination(deps, configuration)
    case 'cloudC-store':
      return (await import('./azure/azure-destination.ts')).azureDestination(deps, configuration)
  }
}
