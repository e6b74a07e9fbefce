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

const demo = { organization: 'demo', state: 'first-steps', runs: 'first-run' } as const

/**
 * Makes two workspaces in the demo organization, or finds those of an earlier start: one that only keeps a state, and
 * one whose runs the server executes, if the organization has that.
 */
export async function seedWorkspaces(deps: Deps, source: string): Promise<Partial<DevFacts>> {
  const organization = await loadOrganizationByName(deps.db, demo.organization)
  const admin = await loadUserByName(deps.db, administratorName)
  if (!organization || !admin) return {}
  const caller: ActorPrincipal = {
    kind: 'user',
    id: admin.id,
    name: admin.username,
    tokenId: '',
    via: 'session',
    organizationId: '',
    siteAdmin: true,
  }
  const ensure = async (name: string, executionMode: 'local' | 'remote', description: string): Promise<void> => {
    if (await loadWorkspaceByName(deps.db, organization.id, name)) return
    const grants = await grantsInNamedOrganization({ deps, caller }, organization.name)
    await createWorkspace(deps, serverAuthor, grants, {
      requested: { name, description, executionMode },
      projectId: undefined,
      bindings: [{ key: 'environment', value: 'development' }],
      tagNames: ['demo'],
      source,
      sourceName: null,
      sourceUrl: null,
      requireNoFaults,
    })
  }
  await ensure(demo.state, 'local', 'Created by dev mode, to try things out: keeps a state.')
  if (!organization.remoteExecutionEnabled) return { workspace: demo.state }
  await ensure(demo.runs, 'remote', 'Created by dev mode, to try things out: plans and applies on the server.')
  return { workspace: demo.state, run_workspace: demo.runs }
}
