import type { Queryable } from '../../../storage/open.ts'
import type { KnownDevice } from './restored-device-rules.ts'

/** The audit devices of the store, by path. A restore replaces them like everything else. */
export const knownDevices = (db: Queryable): Promise<KnownDevice[]> =>
  db.selectFrom('audit_devices').select(['id', 'path']).orderBy('path').execute()
