import { keyOf, type Relationship, type Resource } from './resources.ts'

type Walk = {
  readonly known: ReadonlyMap<string, Resource>
  readonly onPath: Set<string>
  readonly done: Map<string, Resource>
}

/**
 * Included resources whose links among each other form no circle. Clients follow linkage from one included resource to
 * the next, and common ones never come back from a circle: an organization whose default project names its organization.
 * The link that would close a circle loses its linkage and keeps its address.
 */
export function withoutCircles(included: readonly Resource[]): readonly Resource[] {
  if (included.length < 2) return included
  const known = new Map(included.map((resource) => [keyOf(resource), resource]))
  const walk: Walk = { known, onPath: new Set(), done: new Map() }
  for (const resource of included) visit(resource, walk)
  return included.map((resource) => walk.done.get(keyOf(resource)) ?? resource)
}

function visit(resource: Resource, walk: Walk): void {
  const key = keyOf(resource)
  if (walk.done.has(key)) return
  walk.onPath.add(key)
  let relationships = resource.relationships
  for (const [name, relationship] of Object.entries(relationships ?? {})) {
    const kept = withoutBackLinks(relationship, walk)
    if (kept !== relationship) relationships = { ...relationships, [name]: kept }
  }
  walk.onPath.delete(key)
  walk.done.set(key, relationships === resource.relationships ? resource : { ...resource, relationships })
}

/** Goes where a relationship leads; what leads back to the path that is being walked is left out. */
function withoutBackLinks(relationship: Relationship, walk: Walk): Relationship {
  const { data } = relationship
  if (!data) return relationship
  const targets = 'type' in data ? [data] : data
  const open = targets.filter((target) => !walk.onPath.has(keyOf(target)))
  for (const target of open) {
    const resource = walk.known.get(keyOf(target))
    if (resource) visit(resource, walk)
  }
  if (open.length === targets.length) return relationship
  const { data: _closing, ...rest } = relationship
  return 'type' in data ? rest : { ...rest, data: open }
}
