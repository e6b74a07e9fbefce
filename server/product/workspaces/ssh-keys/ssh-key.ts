import type { Id } from '../../../kernel/ids.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { facts, settings } from './ssh-key-fields.ts'

/** The settings of an SSH key. */
export type SshKeySettings = Stored<typeof settings.fields>

/** An SSH key without its value, which can be written, but never read. */
export type SshKey = SshKeySettings &
  Stored<typeof facts.fields> & {
    readonly id: Id<'sshkey'>
    readonly organizationId: string
  }
