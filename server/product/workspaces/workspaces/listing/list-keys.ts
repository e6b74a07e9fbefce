import { hash } from 'node:crypto'
import {
  type OrganizationGrants,
  type VisibleWorkspaces,
  visibleWorkspaces,
} from '../../../../access/permissions/index.ts'
import type { ListScope, WorkspaceFilter } from './list-rules.ts'

/** What a caller sees of an organization, and a short text that differs for everything else. */
export type KeyedScope = ListScope & { readonly key: string }

const scopes = new WeakMap<OrganizationGrants, KeyedScope>()

/** What the caller sees of an organization: worked out once, since the grants are the same object until they change. */
export function scopeOf(grants: OrganizationGrants): KeyedScope {
  const known = scopes.get(grants)
  if (known) return known
  const { organizationId } = grants
  const visible = visibleWorkspaces(grants)
  const scope = { organizationId, visible, teamIds: [...grants.teamIds], key: `${organizationId} ${keyOf(visible)}` }
  scopes.set(grants, scope)
  return scope
}

/** Thousands of ids must not be part of every key of a cache. */
function keyOf(visible: VisibleWorkspaces): string {
  if (visible.kind === 'all') return 'all'
  const { projectIds, workspaceIds } = visible
  return digest(JSON.stringify([projectIds.toSorted(), workspaceIds.toSorted()]))
}

/** A filter longer than this is replaced by its digest. */
const maxFilterLength = 500

/** The key of a list: two lists have the same one if they show the same workspaces. */
export function listKey(scope: KeyedScope, filter: WorkspaceFilter): string {
  const text = JSON.stringify(filter)
  return `${scope.key} ${text.length > maxFilterLength ? digest(text) : text}`
}

const digest = (text: string): string => hash('sha256', text, 'base64url')
