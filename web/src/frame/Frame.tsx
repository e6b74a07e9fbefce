import { Outlet, useBlocker, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLoss } from '../api/connection.ts'
import { Dialog } from '../kit/Dialog.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { Crumbs } from './Crumbs.tsx'
import styles from './Frame.module.css'
import { LostConnection } from './LostConnection.tsx'
import { listKeys, useNeighbours } from './listKeys.ts'
import { useLiveChanges } from './live.ts'
import { useOrganization } from './organization.ts'
import { organizationPlaces, serverPlaces } from './places.ts'
import { SideBar } from './SideBar.tsx'
import { SignedOut } from './SignedOut.tsx'
import { TopBar } from './TopBar.tsx'

// What opens over a page is loaded when it is opened.
const loadPalette = () => import('./Palette.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))

/** What is around every page. */
export function Frame() {
  const { name } = useOrganization()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  const isLost = useLoss() !== undefined
  useLiveChanges(name, isLost)
  const open = useOpen(setOpened)
  useKeys({ organization: name, open })
  useStay(isLost)
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
      <TopBar crumbs={<Crumbs />} openMenu={() => setOpened('side')} search={() => open('palette')} />
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

type Opened = 'palette' | 'keys' | 'side'

/** Opens something over the page, which stays as it is if that cannot be loaded. */
function useOpen(setOpened: (what: Opened) => void): (what: Opened) => Promise<void> {
  const say = useToasts()
  return useCallback(
    async (what) => {
      try {
        if (what === 'palette') await loadPalette()
        setOpened(what)
      } catch (error) {
        say.failed('The search could not be opened', error)
      }
    },
    [say, setOpened],
  )
}

/** Stays on the page while the server is lost: another one could not be loaded, and what was typed here would be gone. */
function useStay(isLost: boolean): void {
  const say = useToasts()
  useBlocker({
    disabled: !isLost,
    enableBeforeUnload: false,
    shouldBlockFn: ({ current, next }) => {
      const isElsewhere = current.pathname !== next.pathname
      if (isElsewhere) say.failed('That page cannot be loaded now', undefined)
      return isElsewhere
    },
  })
}

type KeyActions = {
  readonly organization: string | undefined
  readonly open: (what: 'palette' | 'keys') => unknown
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null

/** The keys of every page: search, and `g` with the place to go to. */
function useKeys({ organization, open }: KeyActions): void {
  const navigate = useNavigate()
  const goBeside = useNeighbours()
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
      } else if (event.key === '[' || event.key === ']') goBeside(event.key === '[' ? -1 : 1)
      else listKeys[event.key]?.(event)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [navigate, goBeside, organization, open])
}

const keys = [
  ['Ctrl K', 'Search everything'],
  ['/', 'Search this list'],
  ...[...organizationPlaces, ...serverPlaces].map(({ key, label }) => [`g ${key}`, label] as const),
  ['j  k', 'Next and previous row, as the arrows in a list'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row; with Shift and an arrow, the next one'],
  ['.', 'Actions of the row'],
  ['[  ]', 'Previous and next of the list one came from'],
  ['e', 'Edit what the page shows'],
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
