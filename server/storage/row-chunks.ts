/** How many rows one statement writes, or ids it names: far below what either database takes. */
const chunkSize = 500

/** A list of any length in chunks, each short enough for one statement. */
export function* rowChunksOf<T>(all: readonly T[]): Generator<readonly T[], void, undefined> {
  for (let from = 0; from < all.length; from += chunkSize) yield all.slice(from, from + chunkSize)
}
