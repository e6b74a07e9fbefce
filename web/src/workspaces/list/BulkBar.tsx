import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { count } from '../../kit/numbers.ts'
import { TextButton } from '../../kit/Table.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import type { BulkVerb, Selection } from './bulk.ts'
import type { Workspace } from './columns.tsx'
import type { ListSearch } from './listSearch.ts'
import { MoveDialog } from './MoveDialog.tsx'

type BulkBarProps = {
  readonly chosen: readonly Workspace[]
  /** How many the list has on all its pages. */
  readonly total: number
  readonly clear: () => void
  /** What the list shows. */
  readonly search: ListSearch
}

/** What can be done with the rows that are chosen, or with all that the filters find. */
export function BulkBar({ chosen, total, clear, search }: BulkBarProps) {
  const [isAll, setAll] = useState(false)
  const [opened, setOpened] = useState<BulkVerb | 'move'>()
  const names = chosen.map(({ attributes }) => attributes.name ?? '')
  const selection: Selection = isAll ? { search } : { names }
  const close = () => setOpened(undefined)
  const verbs: readonly (readonly [BulkVerb | 'move', string, string?])[] = [
    ['lock', 'Lock…'],
    ['unlock', 'Unlock…'],
    ['force-unlock', 'Break locks…'],
    ['tag', 'Add tags…'],
    ['untag', 'Remove tags…'],
    ['move', 'Move…', isAll ? 'Choose the rows to move; all at once cannot be moved.' : undefined],
  ]
  return (
    <>
      {total > chosen.length && (
        <TextButton onClick={() => setAll(!isAll)}>
          {isAll
            ? `All ${count(total)} are meant. Only the ${count(chosen.length)} chosen`
            : `Select all ${count(total)}`}
        </TextButton>
      )}
      {verbs.map(([verb, label, reason]) => (
        <Button key={verb} small reason={reason} onClick={() => setOpened(verb)}>
          {label}
        </Button>
      ))}
      {opened === 'move' && <MoveDialog chosen={chosen} close={close} clear={clear} />}
      {opened !== undefined && opened !== 'move' && (
        <BulkDialog verb={opened} selection={selection} close={close} clear={clear} />
      )}
    </>
  )
}
