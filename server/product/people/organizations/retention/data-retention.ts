import type { Instant } from '../../../../kernel/clock.ts'
import type { Id } from '../../../../kernel/ids.ts'

/** The two kinds of policies, by the types of their documents. */
export const retentionTypes = {
  'delete-older': 'data-retention-policy-delete-olders',
  'dont-delete': 'data-retention-policy-dont-deletes',
} as const

/** What a policy says: delete after so many days, or never. */
export type RetentionTerms = { readonly kind: 'delete-older'; readonly days: number } | { readonly kind: 'dont-delete' }

/** How long old state and configurations of an organization or workspace are kept. */
export type RetentionPolicy = RetentionTerms & {
  readonly id: Id<'drp'>
  readonly organizationId: string
  /** An organization or a workspace. */
  readonly targetId: string
  readonly createdAt: Instant
}
