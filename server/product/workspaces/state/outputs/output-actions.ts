import { parseForForwarding, writeExact } from '../../../../kernel/exact-json.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { bit } from '../../../../storage/bits.ts'
import type { StateOutput } from '../analysis/state-outputs.ts'
import type { OpenedOutput } from './output.ts'
import type { IncludedOutput, StoredOutput } from './output-store.ts'

const placeOf = (id: string) => ({ table: 'state_version_outputs', column: 'value', row: id })

/** Outputs as rows, each value encrypted for its row. */
export const sealOutputs = (
  deps: Pick<Deps, 'keyring' | 'ids'>,
  stateVersionId: string,
  outputs: readonly StateOutput[],
): StoredOutput[] =>
  outputs.map((output, position) => {
    const id = deps.ids.newId('wsout')
    return {
      id,
      state_version_id: stateVersionId,
      position,
      name: output.name,
      sensitive: bit(output.sensitive),
      type: output.type,
      detailed_type: output.detailedType === null ? null : writeExact(output.detailedType),
      value: deps.keyring.seal(writeExact(output.value), placeOf(id)),
    }
  })

/**
 * An output; a sensitive value is decrypted only if it is asked for explicitly. An output whose value was not loaded
 * has no type either: command lines then read the whole state.
 */
export const openOutput = (
  deps: Pick<Deps, 'keyring'>,
  stored: IncludedOutput,
  reveal: 'all' | 'harmless',
): OpenedOutput => {
  const sensitive = stored.sensitive === 1
  const { value } = stored
  const closed = value === null || (sensitive && reveal === 'harmless')
  return {
    id: stored.id,
    stateVersionId: stored.state_version_id,
    name: stored.name,
    sensitive,
    type: stored.type,
    detailedType: value === null || stored.detailed_type === null ? null : parseForForwarding(stored.detailed_type),
    value: closed ? null : parseForForwarding(deps.keyring.openText(value, placeOf(stored.id))),
  }
}
