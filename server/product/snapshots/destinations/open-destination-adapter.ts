import type { Configuration } from '../configurations/configuration.ts'
import type { Destination, DestinationDeps } from './destination-adapter.ts'
import { localDestination } from './local-adapter.ts'

/** Opens the destination of a configuration. The code of a cloud is loaded when it is first used. */
export async function openDestination(deps: DestinationDeps, configuration: Configuration): Promise<Destination> {
  switch (configuration.type) {
    case 'local':
      return localDestination(deps, configuration)
    case 'cloudA-store':
      return (await import('./s3-adapter.ts')).s3Destination(deps, configuration)
    case 'cloudB-store':
      return (await import('./gcs-adapter.ts')).gcsDestination(deps, configuration)
    case 'cloudC-store':
      return (await import('./azure-adapter.ts')).azureDestination(deps, configuration)
  }
}
