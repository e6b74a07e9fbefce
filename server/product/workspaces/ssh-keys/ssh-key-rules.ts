import type { Instant } from '../../../kernel/clock.ts'
import type { Id } from '../../../kernel/ids.ts'

/** An SSH key without its value, which can be written, but never read. */
export type SshKey = {
  readonly id: Id<'sshkey'>
  readonly organizationId: string
  readonly name: string
  readonly createdAt: Instant
}
