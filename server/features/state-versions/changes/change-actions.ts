import { buffer } from 'node:stream/consumers'
import { hasInexactNumber, parseExact } from '../../../kernel/exact-json.ts'
import type { Deps } from '../../../kit/deps.ts'
import { parseWhole } from '../analysis/json/json-whole.ts'
import { loadContent } from '../content/content-actions.ts'
import type { StateVersion } from '../state-version-rules.ts'
import { compareStates, type StateChanges } from './change-rules.ts'

/** What a comparison of two versions found, or why they cannot be compared. */
export type Comparison = StateChanges | 'too large' | 'not readable'

/** Larger states are not compared: they are parsed as a whole, while everybody else waits. */
const comparedBytes = 2 * 1024 * 1024

/** Compares the contents of two finalized versions. */
export async function compareVersions(
  deps: Pick<Deps, 'db' | 'keyring'>,
  before: StateVersion,
  after: StateVersion,
): Promise<Comparison> {
  if (before.size + after.size > comparedBytes) return 'too large'
  const documents = [await parseContent(deps, before), await parseContent(deps, after)] as const
  return compareStates(...documents) ?? 'not readable'
}

/** Few states have numbers that lose digits, and parsing exactly takes far longer. */
async function parseContent(deps: Pick<Deps, 'db' | 'keyring'>, { id }: StateVersion): Promise<unknown> {
  const { bytes } = await loadContent(deps, { kind: 'state', id })
  const whole = Buffer.isBuffer(bytes) ? bytes : await buffer(bytes)
  const document = parseWhole(whole)
  return hasInexactNumber(document) ? parseWhole(whole, parseExact) : document
}
