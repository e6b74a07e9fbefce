import { type Row, table } from '../../server/product/workspaces/runs/run-table.ts'
import { finalStatuses, triggerTexts } from '../../server/product/workspaces/runs/run-words.ts'
import type { Generated } from './generator.ts'

/** The states of runs as a picture and a table, from the table that decides about them. */
export const generateRunStates = async (): Promise<Generated> => ({
  'docs/run-states.md': [
    '# What becomes of a run',
    '',
    'This page is written by `npm run gen` from [the table](../server/product/workspaces/runs/run-table.ts) that decides.',
    '[Runs](runs.md) explains it.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> pending',
    ...picture(),
    ...finalStatuses.map((status) => `  ${status} --> [*]`),
    '```',
    '',
    'Of the rows that fit, the first counts.',
    '',
    '| From | When | Only if | To | Also |',
    '|---|---|---|---|---|',
    ...table.map(toLine),
    '',
  ].join('\n'),
})

/** One arrow for each pair of statuses, with everything that leads along it. */
function picture(): string[] {
  const arrows = new Map<string, Set<string>>()
  for (const { from, to, trigger } of table) {
    for (const status of to ? from : []) {
      const arrow = `${status} --> ${to}`
      arrows.set(arrow, (arrows.get(arrow) ?? new Set()).add(trigger))
    }
  }
  return [...arrows].map(([arrow, triggers]) => `  ${arrow} : ${[...triggers].join(', ')}`)
}

const toLine = ({ from, trigger, when, to, effects, error }: Row): string => {
  const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  const also = [...effects, ...(error ? [`error \`${error}\``] : [])].join(', ')
  const cells = [codes(from), triggerTexts[trigger], when.join(', '), to ? `\`${to}\`` : 'stays', also]
  return `| ${cells.join(' | ')} |`
}
