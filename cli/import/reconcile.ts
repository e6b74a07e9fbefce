import { isDeepStrictEqual } from 'node:util'
import type { Copy } from './copy.ts'
import type { Resource } from './documents.ts'
import type { Kind } from './report.ts'

/** Settings by name, as they are sent and shown. */
export type Settings = Readonly<Record<string, unknown>>

/** Something that exists on both sides. */
type Twin = {
  readonly kind: Kind
  readonly name: string
  /** What it is like at the source, and at the target. */
  readonly wanted: Settings
  readonly existing: Settings
}

/** Names the settings that differ at the target, or overwrites them if that was asked for. */
export async function reconcile(
  { update, dryRun, report }: Copy,
  { kind, name, wanted, existing }: Twin,
  overwrite: (changed: Settings) => Promise<unknown>,
): Promise<void> {
  const changed = differences(wanted, existing)
  const names = Object.keys(changed).join(', ')
  if (names !== '' && update) {
    // A refused change must not cost a workspace its state.
    await report.attempt(`Change of ${kind} ${name} (${names})`, async () => {
      if (!dryRun) await overwrite(changed)
      report.updated(kind, `${name}: ${names}`)
    })
    return
  }
  report.existed(kind)
  if (names !== '') report.note(`The ${kind} ${name} differs here: ${names}. Use --update to overwrite it.`)
}

/** Those of the wanted settings that differ from the existing ones. What the source does not know does not differ. */
export const differences = (wanted: Settings, existing: Settings): Settings =>
  Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => value !== undefined && !isSame(value, existing[name])),
  )

/** True for what stands for nothing. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Settings without those that are empty. */
export const withoutEmpty = (settings: Settings): Record<string, unknown> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)))

function isSame(wanted: unknown, existing: unknown): boolean {
  if (isEmpty(wanted) || isEmpty(existing)) return isEmpty(wanted) && isEmpty(existing)
  if (wanted instanceof Date) return wanted.getTime() === Date.parse(String(existing))
  if (typeof wanted !== 'object' || Array.isArray(wanted)) return isDeepStrictEqual(wanted, existing)
  return Object.keys(differences(wanted as Settings, Object(existing))).length === 0
}

/** Which settings something has of its own instead of inheriting them, by name. */
export const overwritesOf = ({ attributes }: Resource): Settings => Object(attributes['setting-overwrites']) as Settings
