import type { Tx } from '../../../storage/open.ts'
import { loadOrganization } from '../../organizations/index.ts'
import type { StateOutput } from '../analysis/state-analysis-rules.ts'
import { deleteUnusedContent } from '../content/content-store.ts'
import { forgetRendering } from '../records/state-version-store.ts'
import type { StateVersion } from '../state-version-rules.ts'

/** An output of which only the name is kept: command lines that find no type read the state itself. */
export const nameOnly = ({ name, sensitive }: StateOutput): StateOutput => ({
  name,
  sensitive,
  type: 'undefined',
  detailedType: null,
  value: null,
})

type Written = Pick<StateVersion, 'id' | 'workspaceId' | 'organizationId' | 'encrypted'>

/**
 * True if what can be read is kept beside a state. Writers that encrypt a state still send its outputs and a rendering
 * of it in clear; where the organization does not want them, a rendering that came already is removed here.
 */
export async function keepsReadable(tx: Tx, version: Written): Promise<boolean> {
  if (!version.encrypted) return true
  const organization = await loadOrganization(tx, version.organizationId)
  if (organization?.keepOutputsOfEncryptedState !== false) return true
  const rendering = await forgetRendering(tx, version.id)
  if (rendering !== null) await deleteUnusedContent(tx, { scope: version.workspaceId, id: rendering })
  return false
}
