import { hash } from 'node:crypto'
import { reservedTagPrefixes } from '../../../../compat/vendor-names.ts'
import { toIso } from '../../../../kernel/clock.ts'
import { attribute } from '../../../../kit/jsonapi/attribute-kinds.ts'
import type { Item } from '../../../../kit/jsonapi/relationships.ts'
import { listBody } from '../../../../kit/jsonapi/resource-bodies.ts'
import { type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/schemas.ts'
import { longestTagName, tagNameProblem } from './tag.ts'
import {
  bindingKeyProblem,
  bindingValueProblem,
  type EffectiveBinding,
  type KeyValue,
  type TagBinding,
} from './tag-binding.ts'

/** The attributes of a tag binding in a document or list. */
export const bindingAttributes = {
  key: attribute.text('Key.', {
    required: true,
    maxLength: 128,
    check: (key) => bindingKeyProblem(key, reservedTagPrefixes),
    example: 'environment',
  }),
  value: attribute.text('Value.', {
    nullable: true,
    maxLength: 256,
    check: bindingValueProblem,
    example: 'production',
  }),
} as const

/** A list of at least one tag binding. */
export const bindingsBody = listBody('tag-bindings', {
  attributes: bindingAttributes,
  emptyRefused: 'must contain at least one tag binding',
})

/** A list of tag bindings, which may be empty. */
export const anyBindingsBody = listBody('tag-bindings', { attributes: bindingAttributes })

/** Bindings as they were sent; one without a value has an empty one. */
export const sentBindings = (items: readonly Pick<Item<typeof bindingAttributes>, 'attributes'>[]): KeyValue[] =>
  items.map(({ attributes: { key, value } }) => ({ key, value: value ?? '' }))

/** A direct binding as a resource. */
export const toBindingResource = ({ id, key, value, createdAt }: TagBinding): Resource => ({
  type: 'tag-bindings',
  id,
  attributes: { key, value, 'created-at': toIso(createdAt) },
})

/** Effective bindings are not stored: their id is derived from the workspace and the key, so that it stays the same. */
export const effectiveBindingId = (workspaceId: string, key: string): string =>
  hash('sha256', `${workspaceId} ${key}`, 'hex').slice(0, 16)

/** A binding in force as a resource. Only inherited ones say where they come from; clients distinguish them by that. */
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

/** Adds the linkage of the bindings in force to a document, which otherwise only has a link to them. */
export function withBindingsLinked(resource: Resource, bindings: readonly Resource[]): Resource {
  const relationships = { ...resource.relationships }
  relationships['effective-tag-bindings'] = {
    ...relationships['effective-tag-bindings'],
    data: bindings.map(({ type, id }) => ({ type, id })),
  }
  return { ...resource, relationships }
}

/** A tag binding in answers. */
export const bindingSchema = resourceSchema('tag-bindings', {
  attributes: {
    key: shown.text('Key.'),
    value: shown.text('Value.'),
    'created-at': shown.time('When it was bound.'),
  },
})

/** A tag binding that holds for something, wherever it is set. */
export const effectiveBindingSchema = resourceSchema('effective-tag-bindings', {
  attributes: { key: shown.text('Key.'), value: shown.text('Value.') },
  relationships: { 'inherited-from': 'The project it is inherited from; absent if it is set directly.' },
})

/** The attributes of a flat tag in a document or list. */
export const tagAttributes = {
  name: attribute.text('Name.', { required: true, maxLength: longestTagName, check: tagNameProblem, example: 'core' }),
} as const
