/** Names longer than this are not compared: nobody mistypes one into another. */
const longestCompared = 80

/**
 * How many letters differ between two names: each letter added, left out, replaced, or swapped with its neighbour counts
 * as one. Whatever is more than `most` is infinite.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most || one.length > longestCompared) return Number.POSITIVE_INFINITY
  let [before, previous] = [[] as number[], Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const steps = [at(previous, column) + 1, at(current, column - 1) + 1, at(previous, column - 1) + (isSame ? 0 : 1)]
      if (row > 1 && column > 1 && isSwapped) steps.push(at(before, column - 2) + 1)
      current.push(Math.min(...steps))
    }
    ;[before, previous] = [previous, current]
  }
  const distance = at(previous, other.length)
  return distance > most ? Number.POSITIVE_INFINITY : distance
}

const at = (row: readonly number[], column: number): number => row[column] ?? 0

/** The name that was probably meant: at most two letters differ, and at most one in three. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  const most = Math.min(2, Math.floor(name.length / 3))
  let nearest: string | undefined
  let least = most + 1
  for (const each of names) {
    const distance = editDistance(name, each, most)
    if (distance >= least) continue
    least = distance
    nearest = each
  }
  return nearest
}
