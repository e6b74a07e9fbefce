import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './TipLayer.module.css'

/** The one tooltip of all pages: it shows what the element under the pointer, or with the focus, has in `data-tip`. */
export function TipLayer() {
  const [target, setTarget] = useState<HTMLElement>()
  const tip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let timer = 0
    const show = (event: Event) => {
      const found = (event.target as Element | null)?.closest<HTMLElement>('[data-tip]') ?? undefined
      clearTimeout(timer)
      timer = window.setTimeout(() => setTarget(found), found && event.type === 'mouseover' ? 250 : 0)
    }
    const hide = () => {
      clearTimeout(timer)
      setTarget(undefined)
    }
    // A click gives the focus, too, but whoever clicks has read the tip, and what it says may be over.
    const onFocus = (event: Event) => {
      if ((event.target as Element | null)?.matches(':focus-visible')) show(event)
    }
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    document.addEventListener('mouseover', show)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', hide)
    document.addEventListener('pointerdown', hide)
    document.addEventListener('click', hide)
    document.addEventListener('scroll', hide, true)
    document.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('mouseover', show)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', hide)
      document.removeEventListener('pointerdown', hide)
      document.removeEventListener('click', hide)
      document.removeEventListener('scroll', hide, true)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  useLayoutEffect(() => {
    const box = tip.current
    if (!target || !box) return
    const at = target.getBoundingClientRect()
    const own = box.getBoundingClientRect()
    const left = Math.min(Math.max(8, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 8)
    const below = at.bottom + 6
    box.style.left = `${left}px`
    box.style.top = `${below + own.height > innerHeight ? at.top - own.height - 6 : below}px`
    target.setAttribute('aria-describedby', 'tip')
    return () => target.removeAttribute('aria-describedby')
  }, [target])
  if (!target?.isConnected || !target.dataset.tip) return null
  return (
    <div ref={tip} id="tip" role="tooltip" className={styles.tip}>
      {target.dataset.tip}
    </div>
  )
}
