import { createRequire } from 'node:module'
import { CliFailure, type Io } from '../io.ts'

/** How results are shown. */
export type Format = (typeof formats)[number]

/** Their names. */
export const formats = ['table', 'json', 'yaml'] as const

/** Reads the name of a format. */
export function parseFormat(text: string): Format {
  const found = formats.find((format) => format === text.toLowerCase())
  if (found) return found
  throw new CliFailure(`'${text}' is not a format. Use table, json or yaml.`)
}

/** A result for machines. */
export const renderData = (value: unknown, format: 'json' | 'yaml'): string =>
  format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : loadYaml().stringify(value)

/** Few ask for YAML, and loading it takes as long as a call. */
const loadYaml = (): typeof import('yaml') => createRequire(import.meta.url)('yaml')

/** A single value as a terminal shows it: on a line of its own. Programs and files get the value and nothing else. */
export const lineFor = ({ isOutputTerminal }: Io, value: string): string =>
  isOutputTerminal && !value.endsWith('\n') ? `${value}\n` : value

const wideGap = '    '
const smallGap = '  '
const narrowest = 8

/** Rows under headings, columns as wide as their longest cell, unless that is more than fits into a line. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  lineWidth: number = Number.POSITIVE_INFINITY,
): string {
  const all = [headings, headings.map((heading) => '-'.repeat(heading.length)), ...rows]
  const longest = headings.map((_heading, column) =>
    all.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  )
  const isWide = sumOf(longest) + wideGap.length * (headings.length - 1) > lineWidth
  const gap = isWide ? smallGap : wideGap
  const widths = fittingWidths(longest, lineWidth - gap.length * (headings.length - 1))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cutTo(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd()
  return `${all.map(line).join('\n')}\n`
}

const sumOf = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each, 0)

/** The widest columns give way first, and none below what is worth showing. */
function fittingWidths(longest: readonly number[], room: number): readonly number[] {
  const widths = [...longest]
  for (let over = sumOf(widths) - room; over > 0; over--) {
    const widest = Math.max(...widths)
    if (widest <= narrowest) break
    widths[widths.indexOf(widest)] = widest - 1
  }
  return widths
}

const cutTo = (cell: string, width: number): string => (cell.length > width ? `${cell.slice(0, width - 1)}…` : cell)

/** An object as a table of keys and values, in alphabetical order. */
export const renderObject = (object: Readonly<Record<string, unknown>>): string =>
  renderTable(
    ['Key', 'Value'],
    Object.keys(object)
      .sort()
      .map((key) => [key, renderValue(object[key])]),
  )

/** A single value in a table's cell: strings as they are, the rest as JSON. */
export const renderValue = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? 'n/a' : JSON.stringify(value)
