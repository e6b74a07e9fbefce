import type { ApiTokenTables } from './api-tokens.ts'
import type { AuditDeviceTables } from './audit-devices.ts'
import type { CertAuthTables } from './cert-auth.ts'
import type { ChangeLogTables } from './change-log.ts'
import type { ConnectionTables } from './connections.ts'
import type { CrossOriginTables } from './cross-origin.ts'
import type { IdentityTables } from './identity.ts'
import type { InstallationTables } from './installation.ts'
import type { JobTables } from './jobs.ts'
import type { MountTables } from './mounts.ts'
import type { OauthLoginTables } from './oauth-login.ts'
import type { OrganizationTables } from './organizations.ts'
import type { PeopleTables } from './people.ts'
import type { PolicyTables } from './policies.ts'
import type { RateQuotaTables } from './rate-quotas.ts'
import type { RestoredTokenTables } from './restored-tokens.ts'
import type { SealTables } from './seal.ts'
import type { SnapshotTables } from './snapshots.ts'
import type { SshKeyTables } from './ssh-keys.ts'
import type { StateVersionTables } from './state-versions.ts'
import type { StorageTables } from './storage.ts'
import type { TeamTables } from './teams.ts'
import type { TokenTables } from './tokens.ts'
import type { VariableTables } from './variables.ts'
import type { WorkspaceTables } from './workspaces.ts'

/** Every table of the store. A feature adds its own file beside this one, and one line here. */
export type Tables = SshKeyTables &
  StorageTables &
  InstallationTables &
  JobTables &
  MountTables &
  RateQuotaTables &
  CrossOriginTables &
  SealTables &
  RestoredTokenTables &
  IdentityTables &
  PolicyTables &
  TokenTables &
  ApiTokenTables &
  AuditDeviceTables &
  CertAuthTables &
  ChangeLogTables &
  ConnectionTables &
  OauthLoginTables &
  OrganizationTables &
  PeopleTables &
  SnapshotTables &
  StateVersionTables &
  TeamTables &
  VariableTables &
  WorkspaceTables
