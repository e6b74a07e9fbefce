import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import styles from './Dialog.module.css'
import { IconX } from './icons.ts'

type DialogProps = {
  readonly title: string
  readonly close: () => void
  readonly width?: 420 | 620 | 760
  /** Text that would be lost: then neither Escape nor a click beside it closes. */
  readonly unsaved?: boolean
  readonly children: ReactNode
}

/** A dialog; on a phone it fills the screen. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, close, width = 420, unsaved = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape and the button.
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[`width${width}`]}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        if (!unsaved) close()
      }}
      onClick={({ target }) => {
        if (target === dialog.current && !unsaved) close()
      }}
    >
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <IconButton label="Close" onClick={close}>
            <IconX size={16} stroke={1.6} />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** The buttons of a dialog: the one that does it last, Cancel before it. */
export const DialogActions = ({ note, children }: { note?: ReactNode; children: ReactNode }) => (
  <div className={styles.actions}>
    {note && <span>{note}</span>}
    {children}
  </div>
)

/** What is asked before something that cannot be undone. */
export type Question = {
  /** A question: "Delete 3 workspaces?" */
  readonly title: string
  /** The effect in numbers. */
  readonly text: ReactNode
  /** The verb and its object: "Delete 3". */
  readonly action: string
  /** False for what is no loss; the button is then not red. */
  readonly destroys?: boolean
  /** The name to type where much is lost. */
  readonly typed?: string
  /** What is told to others or kept, such as the reason of a lock. */
  readonly note?: { readonly label: string; readonly hint?: string }
}

/** True, or the note that was asked for; false if the person thought better of it. */
type Verdict = { readonly yes: boolean; readonly note: string }

const Context = createContext<(question: Question) => Promise<Verdict>>(async () => ({ yes: false, note: '' }))

/** Asks before something happens. */
export const useConfirm = (): ((question: Question) => Promise<Verdict>) => useContext(Context)

/** The one place that asks. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ question: Question; answer: (verdict: Verdict) => void }>()
  const ask = useCallback((question: Question) => new Promise<Verdict>((answer) => setAsked({ question, answer })), [])
  const answer = (verdict: Verdict) => {
    asked?.answer(verdict)
    setAsked(undefined)
  }
  return (
    <Context value={ask}>
      {children}
      {asked && <Confirm question={asked.question} answer={answer} />}
    </Context>
  )
}

function Confirm({ question, answer }: { question: Question; answer: (verdict: Verdict) => void }) {
  const { title, text, action, destroys = true, typed, note: asksNote } = question
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const isReady = typed === undefined || name === typed
  const no = () => answer({ yes: false, note: '' })
  const yes = () => isReady && answer({ yes: true, note })
  return (
    <Dialog title={title} close={no}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          yes()
        }}
      >
        <div className={styles.text}>{text}</div>
        {asksNote && <TypedName label={asksNote.label} hint={asksNote.hint} value={note} change={setNote} />}
        {typed !== undefined && <TypedName label={`Type ${typed} to confirm`} value={name} change={setName} />}
        <DialogActions>
          <Button local data-autofocus={typed === undefined && !asksNote ? true : undefined} onClick={no}>
            Cancel
          </Button>
          <Button
            type="submit"
            kind={destroys ? 'destroy' : 'primary'}
            reason={isReady ? undefined : `Type ${typed} first.`}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

type TypedNameProps = {
  readonly label: string
  readonly hint?: string | undefined
  readonly type?: 'text' | 'password'
  readonly value: string
  readonly change: (value: string) => void
}

/** What is typed before something happens: a name, a reason, a key. */
export const TypedName = ({ label, hint, type = 'text', value, change }: TypedNameProps) => (
  <label className={styles.asked}>
    <span className="strong">{label}</span>
    {hint && <span className="faint">{hint}</span>}
    <input
      data-autofocus
      type={type}
      className={styles.input}
      autoComplete="off"
      value={value}
      onChange={({ target }) => change(target.value)}
    />
  </label>
)
