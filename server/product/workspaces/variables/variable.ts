import type { Sealed } from '../../../crypto/keyring.ts'
import type { Fault } from '../../../kernel/failure.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Stored } from '../../../kit/field-set.ts'
import type { facts, settings } from './variable-fields.ts'

/** The settings of a variable besides its value. */
export type VariableSettings = Stored<typeof settings.fields>

/** A variable of a workspace, with its value as it is stored. */
export type Variable = VariableSettings &
  Stored<typeof facts.fields> & {
    readonly id: Id<'var'>
    readonly workspaceId: string
    readonly sealedValue: Sealed
  }

/** A new variable. */
export type NewVariable = VariableSettings & { readonly value: string }

/** A change of a variable; absent fields stay. */
export type VariableChange = Partial<VariableSettings> & { readonly value?: string }

/** How many variables a workspace has, and how many bytes their values take as they are stored. */
export type VariableUsage = { readonly count: number; readonly bytes: number }

/** Lists of variables have no pages, and the environment of a process is limited. */
const maxUsage: VariableUsage = { count: 1_000, bytes: 4 * 1024 * 1024 }

/** The faults of a workspace, or of a variable set, with this many variables and bytes. */
export function usageFaults({ count, bytes }: VariableUsage, place: string = 'workspace'): Fault[] {
  const code = 'variables.too-many'
  if (count > maxUsage.count) {
    return [{ detail: `Variables cannot exceed ${maxUsage.count} per ${place}`, pointer: '/data', code }]
  }
  const detail = `Value is too long, the maximum of all values of a ${place} together is 4 MiB`
  return bytes > maxUsage.bytes ? [{ detail, pointer: '/data/attributes/value', code }] : []
}

/** Bytes of variables that one answer may include with workspaces; a single workspace never has that many. */
const maxIncluded = 16 * 1024 * 1024

/** The problem with an answer that would include so many variables. */
export const includedProblem = ({ bytes }: Pick<VariableUsage, 'bytes'>): string | undefined =>
  bytes > maxIncluded
    ? 'The variables of these workspaces are too large to be included: request fewer workspaces at once'
    : undefined

/** Faults that depend on several fields of a variable. */
export function variableFaults(
  settings: Pick<VariableSettings, 'key' | 'category' | 'applyOnly'>,
  requested: Pick<VariableChange, 'sensitive'>,
  before?: Pick<VariableSettings, 'sensitive'>,
): Fault[] {
  const faults: Fault[] = []
  if (settings.category === 'env' && settings.key.includes('=')) {
    faults.push({
      detail: 'Key must not contain "=" in an environment variable',
      pointer: '/data/attributes/key',
    })
  }
  if (settings.applyOnly && settings.category !== 'env') {
    faults.push({
      detail: 'Apply only is for environment variables: plan and apply need the same inputs',
      pointer: '/data/attributes/apply-only',
    })
  }
  if (before?.sensitive && requested.sensitive === false) {
    faults.push({
      detail: 'Sensitive cannot be reset; delete the variable and create it again instead',
      pointer: '/data/attributes/sensitive',
    })
  }
  return faults
}
