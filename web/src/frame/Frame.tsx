import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLoss } from '../api/connection.ts'
import { Dialog } from '../kit/Dialog.tsx'
import { Crumbs } from './Crumbs.tsx'
import styles from './Frame.module.css'
import { LostConnection } from './LostConnection.tsx'
import { useLiveChanges } from './live.ts'
import { useOrganization } from './organization.ts'
import { organizationPlaces, serverPlaces } from './places.ts'
import { SideBar } from './SideBar.tsx'
import { SignedOut } from './SignedOut.tsx'
import { TopBar } from './TopBar.tsx'

// What opens over a page is loaded when it is opened.
const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }))

/** What is around every page. */
export function Frame() {
  const { name } = useOrganization()
  const [opened, setOpened] = useState<'palette' | 'keys' | 'side'>()
  const close = () => setOpened(undefined)
  const isLost = useLoss() !== undefined
  useLiveChanges(name, isLost)
  useKeys({ organization: name, open: setOpened })
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <LostConnection />
      <SideBar isOpen={opened === 'side'} isLost={isLost} close={close} />
      {opened === 'side' && (
        <button type="button" className={styles.veil} aria-label="Close the menu" onClick={close} />
      )}
      <TopBar crumbs={<Crumbs />} openMenu={() => setOpened('side')} search={() => setOpened('palette')} />
      <main id="content" className={styles.main} tabIndex={-1} data-lost={isLost || undefined}>
        <Outlet />
      </main>
      {opened === 'palette' && (
        <Suspense>
          <Palette close={close} />
        </Suspense>
      )}
      {opened === 'keys' && <Keys close={close} />}
      <SignedOut />
    </div>
  )
}

type KeyActions = {
  readonly organization: string | undefined
  readonly open: (what: 'palette' | 'keys') => void
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

/** The keys of every page: search, and `g` with the place to go to. */
function useKeys({ organization, open }: KeyActions): void {
  const navigate = useNavigate()
  const wentAt = useRef(0)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault()
        open('palette')
        return
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('[role=dialog]') || localStorage.getItem('holdfast-keys') === 'off') return
      if (event.key === '?') open('keys')
      else if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLElement>('[data-search]')?.focus()
      } else if (event.key === 'g') wentAt.current = performance.now()
      else if (performance.now() - wentAt.current < 1_500) {
        wentAt.current = 0
        const place = [...organizationPlaces, ...serverPlaces].find(({ key }) => key === event.key)
        if (place) navigate({ to: place.to, params: { organization } as never })
      } else listKeys[event.key]?.(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, organization, open])
}

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

const listKeys: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  j: move(1),
  k: move(-1),
  J: move(1),
  K: move(-1),
  ArrowDown: move(1),
  ArrowUp: move(-1),
  x: () => press('input[type=checkbox]'),
  '.': () => press('[aria-haspopup]'),
  f: () => document.querySelector<HTMLElement>('[data-filter]')?.click(),
}

const keys = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search this list'],
  ...[...organizationPlaces, ...serverPlaces].map(({ key, label }) => [`g ${key}`, label] as const),
  ['j  k', 'Next and previous row, as the arrows in a list'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row; with Shift and an arrow, the next one'],
  ['.', 'Actions of the row'],
  ['f', 'Filter this list'],
  ['Ctrl Enter', 'Save'],
  ['Escape', 'Close'],
  ['?', 'This table'],
] as const

const Keys = ({ close }: { close: () => void }) => (
  <Dialog title="Keys" close={close}>
    <dl className={styles.keys}>
      {keys.map(([key, meaning]) => [
        <dt key={`${key}-key`}>
          <kbd>{key}</kbd>
        </dt>,
        <dd key={key}>{meaning}</dd>,
      ])}
    </dl>
  </Dialog>
)
