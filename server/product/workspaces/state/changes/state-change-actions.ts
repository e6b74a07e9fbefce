import { buffer } from 'node:stream/consumers'
import { hasInexactNumber, parseExact } from '../../../../kernel/exact-json.ts'
import type { Deps } from '../../../../kit/deps.ts'
import { parseWhole } from '../analysis/json-syntax.ts'
import { loadContent } from '../content/content-actions.ts'
import type { StateVersion } from '../state-version.ts'
import { compareStates, type StateChanges } from './state-change.ts'

/** What a comparison of two versions found, or why they cannot be compared. */
export type Comparison = StateChanges | 'too-large' | 'unreadable'

/** Larger states are not compared: they are parsed as a whole, while everybody else waits. */
const comparedBytes = 2 * 1024 * 1024

/** Compares the contents of two finalized versions. */
export async function compareVersions(
  deps: Pick<Deps, 'db' | 'keyring'>,
  before: StateVersion,
  after: StateVersion,
): Promise<Comparison> {
  if (before.size + after.size > comparedBytes) return 'too-large'
  // Parsed states take many times the room of their bytes, so nothing is waited for while they are in memory.
  const contents = [await readContent(deps, before), await readContent(deps, after)] as const
  return compareStates(parseContent(contents[0]), parseContent(contents[1])) ?? 'unreadable'
}

async function readContent(deps: Pick<Deps, 'db' | 'keyring'>, { id }: StateVersion): Promise<Buffer> {
  const { bytes } = await loadContent(deps, { kind: 'state', id })
  return Buffer.isBuffer(bytes) ? bytes : await buffer(bytes)
}

/** Few states have numbers that lose digits, and parsing exactly takes far longer. */
function parseContent(whole: Buffer): unknown {
  const document = parseWhole(whole)
  return hasInexactNumber(document) ? parseWhole(whole, parseExact) : document
}
