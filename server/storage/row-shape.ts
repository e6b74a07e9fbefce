/** Makes the object of a row from its values, which come in the order of the columns. */
export type ShapeRow = (values: readonly unknown[]) => Record<string, unknown>

const shapes = new Map<string, ShapeRow>()

/**
 * The function that makes rows with these columns. It is compiled from an object literal, so that V8 knows the layout of
 * what it makes; rows made by SQLite's driver itself are dictionaries, which every reader of a column pays for
 * (docs/decisions/0018). Names are those of our own statements.
 */
export function shapeOf(columns: readonly string[]): ShapeRow {
  const entries = columns.map((column, index) => `${JSON.stringify(column)}: values[${index}]`).join(', ')
  const known = shapes.get(entries)
  if (known) return known
  const shape = new Function('values', `return { ${entries} }`) as ShapeRow
  shapes.set(entries, shape)
  return shape
}
