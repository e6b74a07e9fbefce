import type { Instant } from '../../../kernel/clock.ts'

/** An organization that a person belongs to. */
export type OwnOrganization = {
  readonly userId: string
  readonly id: string
  readonly name: string
  readonly email: string
  readonly createdAt: Instant
}
