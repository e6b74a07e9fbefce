import { useState } from 'react'
import { IconButton } from './Button.tsx'
import { IconColumns3 } from './icons.ts'
import { Menu } from './Menu.tsx'

type ChosenColumns = { readonly hidden: ReadonlySet<string>; toggle(title: string): void }

/** Which columns of a list this browser hides. */
export function useHiddenColumns(list: string): ChosenColumns {
  const key = `holdfast-hidden-${list}`
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set(localStorage.getItem(key)?.split(',').filter(Boolean)),
  )
  const toggle = (title: string) => {
    const next = new Set(hidden)
    if (!next.delete(title)) next.add(title)
    localStorage.setItem(key, [...next].join(','))
    setHidden(next)
  }
  return { hidden, toggle }
}

/** Shows and hides columns. */
export const ColumnChooser = ({ titles, of: { hidden, toggle } }: { titles: readonly string[]; of: ChosenColumns }) => (
  <Menu
    local
    items={titles.map((title) => ({
      label: title,
      note: hidden.has(title) ? 'hidden' : '✓',
      act: () => toggle(title),
    }))}
    button={(attributes) => (
      <IconButton label="Choose columns" {...attributes}>
        <IconColumns3 size={16} stroke={1.6} />
      </IconButton>
    )}
  />
)
