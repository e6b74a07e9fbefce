import type { Tx } from '../../../../storage/open.ts'
import { loadOrganization } from '../../../people/organizations/index.ts'
import type { StateOutput } from '../analysis/state-outputs.ts'
import { deleteUnusedContent } from '../content/content-store.ts'
import { forgetRendering } from '../records/state-version-store.ts'
import type { StateVersion } from '../state-version.ts'

/** An output of which only the name is kept: command lines that find no type read the state itself. */
export const nameOnlyOutput = ({ name, sensitive }: StateOutput): StateOutput => ({
  name,
  sensitive,
  type: 'undefined',
  detailedType: null,
  value: null,
})

type WrittenVersion = Pick<StateVersion, 'id' | 'workspaceId' | 'organizationId' | 'encrypted'>

/**
 * True if readable data may be kept beside a state. Writers that encrypt a state still send its outputs and a rendering
 * of it in clear, which not every organization wants to be stored.
 */
export async function mayKeepReadable(tx: Tx, { encrypted, organizationId }: WrittenVersion): Promise<boolean> {
  if (!encrypted) return true
  const organization = await loadOrganization(tx, organizationId)
  return organization?.keepOutputsOfEncryptedState !== false
}

/** Removes a rendering that came with a state, or before it. */
export async function dropRendering(tx: Tx, { id, workspaceId }: WrittenVersion): Promise<void> {
  const rendering = await forgetRendering(tx, id)
  if (rendering !== null) await deleteUnusedContent(tx, { scope: workspaceId, id: rendering })
}
