import type { Feature } from '../kit/feature.ts'
import { apiTokensFeature } from './people/api-tokens/index.ts'
import { callersFeature } from './people/callers/index.ts'
import { oauthLoginFeature } from './people/oauth-login/index.ts'
import { organizationsFeature } from './people/organizations/index.ts'
import { projectsFeature } from './people/projects/index.ts'
import { signInFeature } from './people/sign-in/index.ts'
import { teamAccessFeature } from './people/team-access/index.ts'
import { teamsFeature } from './people/teams/index.ts'
import { usersFeature } from './people/users/index.ts'
import { auditDevicesFeature } from './secrets/audit-devices/index.ts'
import { appRoleAuthFeature } from './secrets/auth/approle/index.ts'
import { certAuthFeature } from './secrets/auth/cert/index.ts'
import { jwtAuthFeature } from './secrets/auth/jwt/index.ts'
import { capabilitiesFeature } from './secrets/capabilities/index.ts'
import { crossOriginFeature } from './secrets/cross-origin/index.ts'
import { cubbyholeFeature } from './secrets/engines/cubbyhole/index.ts'
import { kvFeature } from './secrets/engines/kv/index.ts'
import { identityFeature } from './secrets/identity/index.ts'
import { loginRolesFeature } from './secrets/login-roles/index.ts'
import { mountsFeature } from './secrets/mounts/index.ts'
import { policiesFeature } from './secrets/policies/index.ts'
import { quotasFeature } from './secrets/quotas/index.ts'
import { sealFeature } from './secrets/seal/index.ts'
import { statusFeature } from './secrets/status/index.ts'
import { tokensFeature } from './secrets/tokens/index.ts'
import { toolsFeature } from './secrets/tools/index.ts'
import { snapshotsFeature } from './snapshots/index.ts'
import { configurationsFeature } from './workspaces/configurations/index.ts'
import { discoveryFeature } from './workspaces/discovery/index.ts'
import { agentPoolsFeature } from './workspaces/pools/index.ts'
import { runnersFeature } from './workspaces/runners/index.ts'
import { runsFeature } from './workspaces/runs/index.ts'
import { sshKeysFeature } from './workspaces/ssh-keys/index.ts'
import { stateVersionsFeature } from './workspaces/state/index.ts'
import { variableSetsFeature } from './workspaces/variable-sets/index.ts'
import { variablesFeature } from './workspaces/variables/index.ts'
import { vcsConnectionsFeature } from './workspaces/vcs/index.ts'
import { workspacesFeature } from './workspaces/workspaces/index.ts'

/** Every part of the server. A feature that others depend on comes before them. */
export const features: readonly Feature[] = [
  sealFeature,
  auditDevicesFeature,
  mountsFeature,
  identityFeature,
  policiesFeature,
  tokensFeature,
  capabilitiesFeature,
  loginRolesFeature,
  certAuthFeature,
  appRoleAuthFeature,
  jwtAuthFeature,
  cubbyholeFeature,
  kvFeature,
  snapshotsFeature,
  statusFeature,
  toolsFeature,
  quotasFeature,
  crossOriginFeature,
  usersFeature,
  teamsFeature,
  organizationsFeature,
  apiTokensFeature,
  signInFeature,
  callersFeature,
  workspacesFeature,
  stateVersionsFeature,
  configurationsFeature,
  discoveryFeature,
  oauthLoginFeature,
  projectsFeature,
  sshKeysFeature,
  variablesFeature,
  variableSetsFeature,
  runsFeature,
  teamAccessFeature,
  agentPoolsFeature,
  runnersFeature,
  vcsConnectionsFeature,
]
