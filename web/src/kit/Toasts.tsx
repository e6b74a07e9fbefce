import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button, IconButton } from './Button.tsx'
import { IconX } from './icons.ts'
import { StatusShape } from './Status.tsx'
import styles from './Toasts.module.css'

type Toast = {
  readonly id: number
  readonly kind: 'done' | 'failed'
  /** One sentence. */
  readonly title: string
  readonly text?: string
  readonly undo?: () => unknown
}

type Say = {
  /** What has happened, and how to take it back. */
  done(title: string, rest?: { text?: string; undo?: () => unknown }): void
  /** What did not happen, and why; it stays until it is closed. */
  failed(title: string, error: unknown): void
}

const Context = createContext<Say>({ done: () => undefined, failed: () => undefined })

/** Says what has happened. */
export const useToasts = (): Say => useContext(Context)

const most = 3

/** Says at the corner of the window what has happened. */
export function ToastsProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const next = useRef(0)
  const add = useCallback((toast: Omit<Toast, 'id'>) => {
    next.current++
    const id = next.current
    setToasts((before) => [...before, { ...toast, id }].slice(-most))
  }, [])
  const say = useMemo<Say>(
    () => ({
      done: (title, rest = {}) => add({ kind: 'done', title, ...rest }),
      failed: (title, error) => add({ kind: 'failed', title, text: `“${sentenceOf(error)}”` }),
    }),
    [add],
  )
  const close = useCallback((id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)), [])
  return (
    <Context value={say}>
      {children}
      <div className={styles.toasts}>
        {toasts.map((toast) => (
          <ToastBox key={toast.id} toast={toast} close={close} />
        ))}
      </div>
    </Context>
  )
}

function ToastBox({ toast, close }: { toast: Toast; close: (id: number) => void }) {
  const { id, kind, title, text, undo } = toast
  const [isRead, setRead] = useState(false)
  const lifetime = kind === 'failed' ? undefined : undo ? 10_000 : 6_000
  useEffect(() => {
    if (lifetime === undefined || isRead) return
    const timer = setTimeout(() => close(id), lifetime)
    return () => clearTimeout(timer)
  }, [lifetime, isRead, close, id])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it only keeps it there.
    <div
      className={styles.toast}
      role={kind === 'failed' ? 'alert' : 'status'}
      onMouseEnter={() => setRead(true)}
      onMouseLeave={() => setRead(false)}
    >
      <StatusShape shape={kind} />
      <div>
        <div className="strong">{title}</div>
        {text && <p>{text}</p>}
      </div>
      {undo ? (
        <Button
          small
          kind="quiet"
          onClick={() => {
            close(id)
            undo()
          }}
        >
          Undo
        </Button>
      ) : (
        <span />
      )}
      <IconButton label="Close" onClick={() => close(id)}>
        <IconX size={15} stroke={1.6} />
      </IconButton>
    </div>
  )
}
