import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLostReason } from '../api/connection.ts'
import styles from './Menu.module.css'

/** One thing that a menu offers. */
export type MenuItem = {
  readonly label: string
  readonly icon?: ReactNode
  readonly note?: ReactNode
  readonly danger?: boolean
  /** Why it cannot be chosen now. */
  readonly reason?: string | undefined
  readonly act: () => unknown
}

type MenuProps = {
  readonly items: readonly (MenuItem | false | undefined)[]
  /** The button; it gets what makes it open the menu. */
  readonly button: (attributes: MenuButtonAttributes) => ReactNode
  readonly side?: 'left' | 'right'
  /** It needs no server, so that it works without one. */
  readonly local?: boolean
}

type MenuButtonAttributes = {
  readonly 'aria-haspopup': 'menu'
  readonly 'aria-expanded': boolean
  readonly onClick: () => void
}

/** A button with a list of actions: arrows move, Escape closes and returns the focus. */
export function Menu({ items, button, side = 'right', local = false }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const wrap = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const lost = useLostReason()
  const whyNot = ({ reason }: MenuItem) => reason ?? (local ? undefined : lost)
  usePlace(isOpen, wrap, list, side)
  const close = (focus = true) => {
    setOpen(false)
    if (focus) wrap.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    wrap.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    const outside = ({ target }: PointerEvent) => {
      if (!wrap.current?.contains(target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', outside)
    return () => document.removeEventListener('pointerdown', outside)
  }, [isOpen])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key === 'Tab') setOpen(false)
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const all = [...(wrap.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    <div className={styles.wrap} ref={wrap}>
      {button({ 'aria-haspopup': 'menu', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) })}
      {isOpen && (
        <div ref={list} role="menu" className={styles.menu} onKeyDown={onKeyDown}>
          {items.map(
            (item) =>
              item && (
                <button
                  key={item.label}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  className={`${styles.item} ${item.danger ? styles.danger : ''}`}
                  aria-disabled={whyNot(item) !== undefined || undefined}
                  data-tip={whyNot(item)}
                  onClick={() => {
                    if (whyNot(item) !== undefined) return
                    close()
                    item.act()
                  }}
                >
                  {item.icon}
                  {item.label}
                  {item.note && <span className={styles.note}>{item.note}</span>}
                </button>
              ),
          )}
        </div>
      )}
    </div>
  )
}

/** Puts the list below its button, or above it where there is no room: a table around it must not cut it off. */
function usePlace(
  isOpen: boolean,
  wrap: RefObject<HTMLDivElement | null>,
  list: RefObject<HTMLDivElement | null>,
  side: 'left' | 'right',
): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const place = () => {
      if (!wrap.current || !list.current) return
      const at = wrap.current.getBoundingClientRect()
      const own = list.current.getBoundingClientRect()
      const left = side === 'left' ? at.left : at.right - own.width
      const below = at.bottom + 4
      list.current.style.left = `${Math.max(8, Math.min(left, innerWidth - own.width - 8))}px`
      list.current.style.top = `${below + own.height > innerHeight ? Math.max(8, at.top - own.height - 4) : below}px`
    }
    place()
    document.addEventListener('scroll', place, true)
    return () => document.removeEventListener('scroll', place, true)
  }, [isOpen, wrap, list, side])
}
