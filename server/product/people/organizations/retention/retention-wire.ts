import {
  attribute,
  type Identifier,
  invalidAttribute,
  type Relationship,
  type Resource,
  resourceBody,
  resourceSchema,
  shown,
} from '../../../../kit/jsonapi/index.ts'
import { type RetentionPolicy, type RetentionTerms, retentionTypes } from './retention-rules.ts'

/** The body that sets a policy; its type says which kind. */
export const retentionBody = resourceBody([retentionTypes['delete-older'], retentionTypes['dont-delete']], {
  attributes: {
    deleteOlderThanNDays: attribute.whole('Days after which old state and configurations are deleted.', {
      minimum: 1,
      maximum: 36_500,
      example: 33,
    }),
  },
})

/** The terms of a body; a number of days is required unless the policy deletes nothing. */
export function toTerms(body: {
  readonly type: string
  readonly attributes: { readonly deleteOlderThanNDays?: number }
}): RetentionTerms {
  if (body.type === retentionTypes['dont-delete']) return { kind: 'dont-delete' }
  const days = body.attributes.deleteOlderThanNDays
  if (days === undefined) throw invalidAttribute('delete-older-than-n-days', "Delete older than n days can't be blank")
  return { kind: 'delete-older', days }
}

/** A policy as answers show it. */
export const retentionSchema = resourceSchema([retentionTypes['delete-older'], retentionTypes['dont-delete']], {
  name: 'RetentionPolicy',
  attributes: {
    'delete-older-than-n-days': shown.sometimes(
      shown.whole('Days after which old state and configurations are deleted.'),
    ),
  },
  relationships: { target: 'The workspace or organization it is set on.' },
})

/** A policy as a resource, with the target it is set on. */
export const toRetentionResource = (policy: RetentionPolicy, target: Identifier): Resource => ({
  type: retentionTypes[policy.kind],
  id: policy.id,
  attributes: policy.kind === 'delete-older' ? { 'delete-older-than-n-days': policy.days } : {},
  relationships: { target: { data: target } },
})

/** The relationship to an explicit policy, or to none. */
export const toRetentionLink = (policy: RetentionPolicy | undefined): Relationship => ({
  data: policy ? { type: retentionTypes[policy.kind], id: policy.id } : null,
})
