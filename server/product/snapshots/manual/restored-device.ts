/** The facts about an audit device that matter to a restore. */
type KnownDevice = { readonly id: string; readonly path: string }

/** The paths of audit devices that a restore removed and added. */
export type DeviceChange = { readonly removed: readonly string[]; readonly added: readonly string[] }

/** What changed between two lists of devices. */
export const deviceChange = (before: readonly KnownDevice[], after: readonly KnownDevice[]): DeviceChange => ({
  removed: pathsMissingFrom(before, after),
  added: pathsMissingFrom(after, before),
})

const pathsMissingFrom = (from: readonly KnownDevice[], others: readonly KnownDevice[]): string[] =>
  from.filter(({ id }) => !others.some((other) => other.id === id)).map(({ path }) => path)

/** Warns of audit devices of a snapshot that would not work here, out of this many. */
export function unopenableText(paths: readonly string[], count: number): string {
  const what = `Audit devices of the snapshot that cannot be opened here: ${paths.join(', ')}.`
  if (paths.length < count) return what
  return `${what} After a restore, the server answers every request with 500 until one of them can be opened, or is disabled with holdfast disable-audit-device.`
}
