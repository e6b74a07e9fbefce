/** How many rows one statement writes, or ids it names: far below what either database takes. */
const batchSize = 500

/** A list of any length in lots, each short enough for one statement. */
export function* batchesOf<T>(all: readonly T[]): Generator<readonly T[], void, undefined> {
  for (let from = 0; from < all.length; from += batchSize) yield all.slice(from, from + batchSize)
}
