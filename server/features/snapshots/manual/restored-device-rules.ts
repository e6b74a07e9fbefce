import type { RestoreReport } from '../../../archive/index.ts'

/** The facts about an audit device that matter to a restore. */
export type KnownDevice = { readonly id: string; readonly path: string }

/** The paths of audit devices that a restore removed and added. */
export type DeviceChange = { readonly gone: readonly string[]; readonly come: readonly string[] }

/** How a restore ended, and what it did to the audit devices. */
export type Restored = RestoreReport & { readonly devices: DeviceChange }

/** What changed between two lists of devices. */
export const deviceChange = (before: readonly KnownDevice[], after: readonly KnownDevice[]): DeviceChange => ({
  gone: missing(before, after),
  come: missing(after, before),
})

const missing = (from: readonly KnownDevice[], others: readonly KnownDevice[]): string[] =>
  from.filter(({ id }) => !others.some((other) => other.id === id)).map(({ path }) => path)
