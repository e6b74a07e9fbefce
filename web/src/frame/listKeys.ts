import { useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useRef } from 'react'

/** The names in the list of the page: what opens its rows. */
const rowLinks = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main tbody th a')]

/** Moves the focus among the names of the list. */
const move = (step: 1 | -1) => (event: KeyboardEvent) => {
  const links = rowLinks()
  const at = links.indexOf(document.activeElement as HTMLElement)
  // Arrows scroll the page until somebody is in the list.
  if (event.key.startsWith('Arrow') && at === -1) return
  event.preventDefault()
  links[at === -1 ? 0 : at + step]?.focus()
  if (event.shiftKey) press('input[type=checkbox]')
}

/** Presses a part of the row that has the focus. */
const press = (part: string): void => document.activeElement?.closest('tr')?.querySelector<HTMLElement>(part)?.click()

/** Goes to the first field of the page, or to the page that has the fields. */
function edit(event: KeyboardEvent): void {
  event.preventDefault()
  const field = document.querySelector<HTMLElement>('main form :is(input, textarea, select)')
  const tab = [...document.querySelectorAll<HTMLElement>('main nav a')].find(
    ({ textContent }) => textContent === 'Settings',
  )
  if (field) field.focus()
  else tab?.click()
}

/** What keys do in the list of a page. */
export const listKeys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  j: move(1),
  k: move(-1),
  J: move(1),
  K: move(-1),
  ArrowDown: move(1),
  ArrowUp: move(-1),
  x: () => press('input[type=checkbox]'),
  '.': () => press('[aria-haspopup]'),
  e: edit,
  f: () => document.querySelector<HTMLElement>('[data-filter]')?.click(),
}

/**
 * Goes to the previous or the next thing of the list one came from, to the same of its tabs. Of a long list, it knows the
 * rows that were near the one that was opened.
 */
export function useNeighbours(): (step: 1 | -1) => void {
  const { history } = useRouter()
  const list = useRef<readonly string[]>([])
  useEffect(() => {
    const remember = ({ target }: MouseEvent) => {
      if (!(target as Element).closest('main tbody th a')) return
      list.current = rowLinks().map((link) => new URL((link as HTMLAnchorElement).href).pathname)
    }
    document.addEventListener('click', remember, true)
    return () => document.removeEventListener('click', remember, true)
  }, [])
  return useCallback(
    (step) => {
      const { pathname } = location
      const at = list.current.findIndex((path) => pathname === path || pathname.startsWith(`${path}/`))
      const next = list.current[at + step]
      if (at !== -1 && next) history.push(next + pathname.slice(list.current[at]?.length))
    },
    [history],
  )
}
