import type { IdentityTables } from './identity.ts'
import type { JobTables } from './jobs.ts'
import type { MountTables } from './mounts.ts'
import type { PolicyTables } from './policies.ts'
import type { SealTables } from './seal.ts'
import type { StorageTables } from './storage.ts'
import type { TokenTables } from './tokens.ts'

/** Every table of the store. A feature adds its own file beside this one, and one line here. */
export type Tables = StorageTables & JobTables & MountTables & SealTables & IdentityTables & PolicyTables & TokenTables
