import type { Feature } from '../kit/feature.ts'
import { agentPoolsFeature } from './agent-pools/index.ts'
import { apiTokensFeature } from './api-tokens/index.ts'
import { auditDevicesFeature } from './audit-devices/index.ts'
import { callersFeature } from './callers/index.ts'
import { capabilitiesFeature } from './capabilities/index.ts'
import { certAuthFeature } from './cert-auth/index.ts'
import { changeLogFeature } from './change-log/index.ts'
import { crossOriginFeature } from './cross-origin/index.ts'
import { discoveryFeature } from './discovery/index.ts'
import { identityFeature } from './identity/index.ts'
import { mountsFeature } from './mounts/index.ts'
import { oauthLoginFeature } from './oauth-login/index.ts'
import { organizationsFeature } from './organizations/index.ts'
import { policiesFeature } from './policies/index.ts'
import { projectsFeature } from './projects/index.ts'
import { quotasFeature } from './quotas/index.ts'
import { sealFeature } from './seal/index.ts'
import { signInFeature } from './sign-in/index.ts'
import { snapshotsFeature } from './snapshots/index.ts'
import { sshKeysFeature } from './ssh-keys/index.ts'
import { stateVersionsFeature } from './state-versions/index.ts'
import { statusFeature } from './status/index.ts'
import { teamAccessFeature } from './team-access/index.ts'
import { teamsFeature } from './teams/index.ts'
import { tokensFeature } from './tokens/index.ts'
import { toolsFeature } from './tools/index.ts'
import { usersFeature } from './users/index.ts'
import { variablesFeature } from './variables/index.ts'
import { vcsConnectionsFeature } from './vcs-connections/index.ts'
import { workspacePagesFeature } from './workspace-pages/index.ts'
import { workspacesFeature } from './workspaces/index.ts'

/** Every part of the server. A feature that others depend on comes before them. */
export const features: readonly Feature[] = [
  sealFeature,
  auditDevicesFeature,
  mountsFeature,
  identityFeature,
  policiesFeature,
  tokensFeature,
  capabilitiesFeature,
  certAuthFeature,
  snapshotsFeature,
  statusFeature,
  toolsFeature,
  quotasFeature,
  crossOriginFeature,
  changeLogFeature,
  usersFeature,
  teamsFeature,
  organizationsFeature,
  apiTokensFeature,
  signInFeature,
  callersFeature,
  workspacesFeature,
  stateVersionsFeature,
  discoveryFeature,
  oauthLoginFeature,
  projectsFeature,
  sshKeysFeature,
  variablesFeature,
  teamAccessFeature,
  agentPoolsFeature,
  vcsConnectionsFeature,
  workspacePagesFeature,
]
