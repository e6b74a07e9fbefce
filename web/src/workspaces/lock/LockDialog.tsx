import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, TextField } from '../../kit/Form.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'

/** How long a lock may last, as people choose it. */
export const lockTimes: readonly (readonly [value: string, label: string])[] = [
  ['', 'until I unlock it'],
  ['30m', '30 minutes'],
  ['2h', '2 hours'],
  ['8h', '8 hours'],
  ['24h', 'a day'],
  ['168h', 'a week'],
]

/** Locks the workspace of the page, with a reason and an end. */
export function LockDialog({ close }: { close: () => void }) {
  const { id, name } = useWorkspace()
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft({ reason: '', 'expires-after': '' })
  const path = { workspaceId: id }
  const unlock = async () => {
    try {
      await call('workspaces.unlock', { params: { path } })
    } catch (error) {
      say.failed(`${name} was not unlocked`, error)
    }
    await refresh(['workspaces', 'workspace-changes'])
  }
  const send = async (values: typeof draft.values) => {
    await call('workspaces.lock', { params: { path }, body: values })
    close()
    say.done(`${name} is locked by you`, { undo: unlock })
    await refresh(['workspaces', 'workspace-changes'])
  }
  return (
    <Dialog title={`Lock ${name}?`} close={close} unsaved={draft.changes.length > 0}>
      <Form draft={draft} send={send} action="Lock" isNew cancel={close}>
        <TextField
          draft={draft}
          name="reason"
          label="Why"
          hint="Everybody who is kept out reads it."
          placeholder="Moving the peering"
          first
        />
        <ChoiceField draft={draft} name="expires-after" label="How long" choices={lockTimes} />
      </Form>
    </Dialog>
  )
}
