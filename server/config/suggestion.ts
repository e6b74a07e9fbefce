/** The number of letters to insert, drop, swap with a neighbour or replace to get from one word to the other. */
export function editDistance(from: string, to: string): number {
  const width = to.length + 1
  const table = new Uint16Array((from.length + 1) * width)
  const at = (row: number, column: number): number => table[row * width + column] ?? 0
  for (let row = 0; row <= from.length; row++) {
    for (let column = 0; column <= to.length; column++) {
      table[row * width + column] = cost(from, to, row, column, at)
    }
  }
  return at(from.length, to.length)
}

function cost(from: string, to: string, row: number, column: number, at: (row: number, column: number) => number) {
  if (row === 0 || column === 0) return row + column
  const same = from[row - 1] === to[column - 1] ? 0 : 1
  const best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same)
  const swapped =
    row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      ? at(row - 2, column - 2) + 1
      : best
  return Math.min(best, swapped)
}

/** The known word that was probably meant: one with similar letters, or the only one that ends in `.word`. */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const plain = word.toLowerCase().replaceAll('-', '_')
  const tail = known.filter((candidate) => candidate.endsWith(`.${plain}`))
  if (tail.length === 1) return tail[0]
  const tolerance = plain.length < 6 ? 1 : plain.length < 12 ? 2 : 3
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(plain, candidate.toLowerCase().replaceAll('-', '_')) }))
    .filter(({ distance }) => distance <= tolerance)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.candidate
}
