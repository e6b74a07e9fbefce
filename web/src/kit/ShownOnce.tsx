import { Button } from './Button.tsx'
import { CodeBlock } from './Code.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'
import { Note } from './Page.tsx'

/** A secret that was just made, and that nobody can ask for again. */
export type Secret = {
  /** What it is: "Token of team network". */
  readonly title: string
  readonly text: string
  /** Why it is shown only now, or what to do with it. */
  readonly advice?: string
}

/** Shows a secret until it is closed; neither Escape nor a click beside it loses it. */
export const ShownOnce = ({ secret, close }: { secret: Secret; close: () => void }) => (
  <Dialog title={secret.title} close={close} width={620} unsaved>
    <Note tone="warn">{secret.advice ?? 'Copy it now: it is shown only this once.'}</Note>
    <CodeBlock text={secret.text} label="Copy" />
    <DialogActions>
      <Button local kind="primary" onClick={close}>
        I have kept it
      </Button>
    </DialogActions>
  </Dialog>
)
