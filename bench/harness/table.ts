import type { RateRow } from './compare-rates.ts'

/** Rows of text as a Markdown table, with columns wide enough to be read as they are. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => pad(cells[column] ?? '', width, column)).join(' | ')} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** Names to the left, figures to the right. */
const pad = (text: string, width: number, column: number): string =>
  column === 0 ? text.padEnd(width) : text.padStart(width)

/** The table of a comparison. */
export function renderRates(rows: readonly RateRow[]): string {
  const baseline = rows[0]?.cpuMicros
  const head = ['', 'per second', 'ratio', 'spread', 'CPU µs each', 'CPU ratio', 'target']
  return renderTable(
    head,
    rows.map((row, index) => [
      row.name,
      row.perSecond.toFixed(row.perSecond < 100 ? 1 : 0),
      index === 0 ? '1' : row.ratio.toFixed(2),
      index === 0 ? '' : row.spread.map((each) => each.toFixed(2)).join('–'),
      row.cpuMicros?.toFixed(1) ?? '',
      index === 0 || row.cpuMicros === undefined || baseline === undefined ? '' : (baseline / row.cpuMicros).toFixed(2),
      row.target === undefined ? '' : `≥ ${row.target} ${row.ratio >= row.target ? '✓' : '✗'}`,
    ]),
  )
}
