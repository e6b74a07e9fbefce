import { grantsInNamedOrganization } from '../../../access/permissions/index.ts'
import type { ActorPrincipal } from '../../../kernel/principal.ts'
import { serverAuthor } from '../../../kit/change-log/index.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { DevFacts } from '../../../kit/feature.ts'
import { requireNoFaults } from '../../../kit/jsonapi/index.ts'
import { loadOrganizationByName } from '../../people/organizations/index.ts'
import { administratorName, loadUserByName } from '../../people/users/index.ts'
import { createWorkspace } from './creation-actions.ts'
import { loadWorkspaceByName } from './workspace-store.ts'

const demo = { organization: 'demo', workspace: 'first-steps' } as const

/** Makes one workspace in the demo organization, or finds the one of an earlier start. */
export async function seedWorkspace(deps: Deps, source: string): Promise<Partial<DevFacts>> {
  const organization = await loadOrganizationByName(deps.db, demo.organization)
  const admin = await loadUserByName(deps.db, administratorName)
  if (!organization || !admin) return {}
  const known = await loadWorkspaceByName(deps.db, organization.id, demo.workspace)
  if (known) return { workspace: known.name }
  const caller: ActorPrincipal = {
    kind: 'user',
    id: admin.id,
    name: admin.username,
    tokenId: '',
    via: 'session',
    organizationId: '',
    siteAdmin: true,
  }
  const grants = await grantsInNamedOrganization({ deps, caller }, organization.name)
  const made = await createWorkspace(deps, serverAuthor, grants, {
    requested: {
      name: demo.workspace,
      description: 'Created by dev mode, to try things out.',
      // In any other mode, command lines refuse to change state with another version than the workspace's.
      executionMode: 'local',
    },
    projectId: undefined,
    bindings: [{ key: 'environment', value: 'development' }],
    tagNames: ['demo'],
    source,
    sourceName: null,
    sourceUrl: null,
    requireNoFaults,
  })
  return { workspace: made.name }
}
