import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
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
}

type MenuButtonAttributes = {
  readonly 'aria-haspopup': 'menu'
  readonly 'aria-expanded': boolean
  readonly onClick: () => void
}

/** A button with a list of actions: arrows move, Escape closes and returns the focus. */
export function Menu({ items, button, side = 'right' }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const wrap = useRef<HTMLDivElement>(null)
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
        <div role="menu" className={`${styles.menu} ${styles[side]}`} onKeyDown={onKeyDown}>
          {items.map(
            (item) =>
              item && (
                <button
                  key={item.label}
                  type="button"
                  role="menuitem"
                  tabIndex={-1}
                  className={`${styles.item} ${item.danger ? styles.danger : ''}`}
                  aria-disabled={item.reason !== undefined || undefined}
                  data-tip={item.reason}
                  onClick={() => {
                    if (item.reason !== undefined) return
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
