import type { RestoreReport } from '../../../archive/index.ts'

/** An audit device, as far as a restore cares. */
export type KnownDevice = { readonly id: string; readonly path: string }

/** Audit devices, by path, that a restore took away and brought along. */
export type DeviceChange = { readonly gone: readonly string[]; readonly come: readonly string[] }

/** How a restore ended, and what it did to the audit devices. */
export type Restored = RestoreReport & { readonly devices: DeviceChange }

/** What became of the devices between two looks at them. */
export const deviceChange = (before: readonly KnownDevice[], after: readonly KnownDevice[]): DeviceChange => ({
  gone: missing(before, after),
  come: missing(after, before),
})

const missing = (from: readonly KnownDevice[], others: readonly KnownDevice[]): string[] =>
  from.filter(({ id }) => !others.some((other) => other.id === id)).map(({ path }) => path)
