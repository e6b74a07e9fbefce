import type { Deps } from '../../../kit/deps.ts'
import type { SealRow } from './seal.ts'

/**
 * Logs which type of seal counts if the configuration names another: it is fixed when a store is initialised, and comes
 * with a restored snapshot.
 */
export function warnOfSealType({ log, settings }: Deps, row: Pick<SealRow, 'type'> | undefined): void {
  const configured = settings.seal.type
  if (row === undefined || row.type === configured) return
  log.warn(
    { stored: row.type, configured },
    'the configured seal.type is ignored: that of the store counts, from its initialisation or a restored snapshot',
  )
}
