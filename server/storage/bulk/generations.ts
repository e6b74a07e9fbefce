import { type Statement, statement } from './statement.ts'
import { type Column, generationStep, isGeneration, quoted, type TableShape } from './table-shape.ts'
import { numberAt, tupleEnd } from './tuples.ts'

/** The generations of rows on their way into a database are raised to those of a restore. Changes the given buffers. */
export async function* raiseGenerations(
  tuples: AsyncIterable<Buffer>,
  columns: readonly Column[],
  epoch: number,
): AsyncGenerator<Buffer> {
  const raised = columns.flatMap((column, index) => (isGeneration(column) ? [index] : []))
  for await (const buffer of tuples) {
    if (raised.length > 0) raiseTuples(buffer, columns.length, raised, epoch)
    yield buffer
  }
}

/** The upper half of a number says to which restore it belongs. */
function raiseTuples(buffer: Buffer, columns: number, raised: readonly number[], epoch: number): void {
  for (let at = 0; at < buffer.length; at = tupleEnd(buffer, at, columns))
    for (const index of raised) buffer.writeUInt32BE(epoch, numberAt(buffer, at, index))
}

/** Raises the generations that migrations have added to a scratch database, or that were written there. */
export function raiseStatements(scratch: string, tables: readonly TableShape[], epoch: number): Statement[] {
  const base = epoch * generationStep
  return tables.flatMap((table) => {
    const columns = table.columns.filter(isGeneration).map(({ name }) => quoted(name))
    if (columns.length === 0) return []
    const changes = columns.map((name) => `${name} = (${name} & ${generationStep - 1}) + ${base}`)
    const isLower = columns.map((name) => `${name} < ${base}`).join(' or ')
    return [statement(`update ${scratch}.${quoted(table.name)} set ${changes.join(', ')} where ${isLower}`)]
  })
}
