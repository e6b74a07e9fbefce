/** The number in the name of a snapshot; undefined for other names. */
export function snapshotNumber(prefix: string, name: string): bigint | undefined {
  if (!name.startsWith(`${prefix}-`) || !name.endsWith('.snap')) return undefined
  const digits = name.slice(prefix.length + 1, -'.snap'.length)
  return /^\d{16,20}$/.test(digits) ? BigInt(digits) : undefined
}

/**
 * The next number: nanoseconds since 1970, with the fencing number of the run in the last digits, so that two runs
 * never use the same name. It exceeds the last one, even if the clock was set back.
 */
export function nextNumber(now: number, fence: number, last: string): bigint {
  const wanted = BigInt(now) * 1_000_000n + BigInt(fence % 1_000_000)
  const least = BigInt(last) + 1n
  return wanted > least ? wanted : least
}

/** The name of a snapshot. */
export const snapshotName = (prefix: string, number: bigint): string =>
  `${prefix}-${number.toString().padStart(19, '0')}.snap`

/** When the snapshot with this number was begun, in milliseconds. */
export const timeOfNumber = (number: bigint): number => Number(number / 1_000_000n)

/** The prefix of names in an object store: no slash at the start, one at the end. */
export function keyPrefix(pathPrefix: string): string {
  const bare = pathPrefix.replace(/^\/+/, '')
  return bare === '' || bare.endsWith('/') ? bare : `${bare}/`
}

/** A path, encoded for a URL. */
export const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')
