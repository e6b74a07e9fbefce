import { hash } from 'node:crypto'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import type { EffectiveBinding } from './binding-rules.ts'

/** Effective bindings are no rows: their id follows from the workspace and the key, so it stays the same. */
export const effectiveBindingId = (workspaceId: string, key: string): string =>
  hash('sha256', `${workspaceId} ${key}`, 'hex').slice(0, 16)

/** A binding in force as a resource. Only inherited ones say where they come from; clients tell them apart by that. */
export function toEffectiveBindingResource(workspaceId: string, binding: EffectiveBinding): Resource {
  const { key, value, inheritedFrom } = binding
  const resource = {
    type: 'effective-tag-bindings',
    id: effectiveBindingId(workspaceId, key),
    attributes: { key, value },
  }
  if (inheritedFrom === null) return resource
  const related = `/api/v2/projects/${inheritedFrom}`
  return {
    ...resource,
    relationships: { 'inherited-from': { data: { type: 'projects', id: inheritedFrom }, links: { related } } },
    links: { 'inherited-from': related },
  }
}
