import { useNavigate } from '@tanstack/react-router'
import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, TextField } from '../../kit/Form.tsx'
import { useWorkspace } from '../workspace.tsx'

const kinds = [
  ['', 'Plan, and apply after approval'],
  ['plan-only', 'Plan only'],
  ['save-plan', 'Plan, and keep the plan for later'],
  ['refresh-only', 'Refresh the state'],
  ['is-destroy', 'Destroy everything it manages'],
] as const

/** Starts a run of the workspace of the page, with its newest configuration. */
export function NewRun({ close }: { close: () => void }) {
  const { organization, id, name, reasonNot } = useWorkspace()
  const navigate = useNavigate()
  const refresh = useRefresh()
  const draft = useDraft({ message: '', kind: '' })
  const send = async ({ message, kind }: typeof draft.values) => {
    const attributes = { ...(message && { message }), ...(kind && { [kind]: true }) }
    const relationships = { workspace: { data: { type: 'workspaces' as const, id } } }
    const { data } = await call('runs.create', { body: { data: { type: 'runs', attributes, relationships } } })
    close()
    await refresh(['runs'])
    await navigate({
      to: '/$organization/workspaces/$name/runs/$run' as never,
      params: { organization, name, run: data.id } as never,
    })
  }
  const mayDestroy = reasonNot('can-queue-destroy') === undefined
  return (
    <Dialog title={`Start a run of ${name}?`} close={close} unsaved={draft.changes.length > 0}>
      <Form draft={draft} send={send} action="Start the run" isNew cancel={close}>
        <TextField draft={draft} name="message" label="What for" hint="Others see it in the list." first />
        <ChoiceField
          draft={draft}
          name="kind"
          label="What it does"
          choices={kinds.filter(([kind]) => kind !== 'is-destroy' || mayDestroy)}
        />
      </Form>
    </Dialog>
  )
}
