import type { Deps } from '../../../kit/deps.ts'
import type { Configuration } from '../configurations/configuration.ts'
import type { Destination, DestinationDeps } from './destination-adapter.ts'
import { localDestination } from './local-adapter.ts'

type OpeningDeps = Pick<Deps, 'clock' | 'ids' | 'settings' | 'outbound'>

/** Opens the destination of a configuration. The code of a cloud is loaded when it is first used. */
export async function openDestination(
  { clock, ids, settings, outbound }: OpeningDeps,
  configuration: Configuration,
): Promise<Destination> {
  // Stores on this machine are common, and whoever may configure one may write to its disk anyway.
  const deps: DestinationDeps = { clock, ids, settings, outbound: outbound.withLoopback }
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
