import { Button } from '../kit/Button.tsx'
import { counted } from '../kit/numbers.ts'
import { FootEnd } from '../kit/Table.tsx'
import type { ListSearch } from './searches.ts'

type ListFootProps = {
  readonly one: string
  readonly several?: string
  readonly shown: number
  /** The last name that was read; undefined if the list ends here. */
  readonly next: string | undefined
  readonly search: ListSearch
  readonly change: (search: ListSearch) => void
}

/** How many rows there are, and the ways on: such lists are read from the front, so there is no number of all. */
export function ListFoot({ one, several = `${one}s`, shown, next, search, change }: ListFootProps) {
  const { after, ...rest } = search
  return (
    <>
      <span className="number">
        {counted(shown, one, several)}
        {(after !== undefined || next !== undefined) && ' on this page'}
      </span>
      {(after !== undefined || next !== undefined) && (
        <FootEnd>
          <Button
            small
            reason={after === undefined ? 'This is the first page.' : undefined}
            onClick={() => change(rest)}
          >
            First
          </Button>{' '}
          <Button
            small
            reason={next === undefined ? 'This is the last page.' : undefined}
            onClick={() => change({ ...rest, after: next })}
          >
            Next
          </Button>
        </FootEnd>
      )}
    </>
  )
}
