import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Dialog, DialogActions } from '../kit/Dialog.tsx'
import { size } from '../kit/numbers.ts'
import { RestoreDialog } from './RestoreDialog.tsx'

/** Asks for the file to restore. */
export function RestoreFileDialog({ close }: { close: () => void }) {
  const [chosen, setChosen] = useState<File>()
  const [upload, setUpload] = useState<File>()
  if (upload) return <RestoreDialog source={{ upload }} close={close} />
  return (
    <Dialog title="Restore a file?" close={close}>
      <p className="soft">
        Choose a snapshot that was downloaded. First you see what it would change. Stored snapshots are restored from
        their schedule, without downloading them.
      </p>
      <label className="row">
        <span className="strong">Snapshot</span>
        <br />
        <input data-autofocus type="file" accept=".snap,.gz" onChange={({ target }) => setChosen(target.files?.[0])} />
      </label>
      <DialogActions note={chosen && size(chosen.size)}>
        <Button local onClick={close}>
          Cancel
        </Button>
        <Button kind="primary" reason={chosen ? undefined : 'Choose a file first.'} onClick={() => setUpload(chosen)}>
          See what changes
        </Button>
      </DialogActions>
    </Dialog>
  )
}
