import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import type { Draft } from './drafts.ts'
import { Form } from './Form.tsx'

type FormDialogProps<Values extends object> = {
  readonly title: string
  readonly close: () => void
  readonly draft: Draft<Values>
  /** Sends it; the dialog closes when it was taken. */
  readonly send: (values: Values, changes: readonly (keyof Values & string)[]) => Promise<unknown>
  readonly action: string
  readonly effect?: string
  /** Why it cannot be sent yet. */
  readonly reason?: string | undefined
  /** False for something that exists and is changed. */
  readonly isNew?: boolean
  readonly width?: 420 | 620
  readonly children: ReactNode
}

/** A short form in a dialog. What was typed is not lost by a click beside it. */
export function FormDialog<Values extends object>(props: FormDialogProps<Values>) {
  const { title, close, draft, send, action, effect, reason, isNew = true, width = 420, children } = props
  const sendAndClose: typeof send = async (values, changes) => {
    await send(values, changes)
    close()
  }
  return (
    <Dialog title={title} close={close} width={width} unsaved={draft.changes.length > 0}>
      <Form
        draft={draft}
        send={sendAndClose}
        action={action}
        isNew={isNew}
        cancel={close}
        reason={reason}
        {...(effect !== undefined && { effect })}
      >
        {children}
      </Form>
    </Dialog>
  )
}
