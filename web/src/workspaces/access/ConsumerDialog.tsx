import { useDeferredValue } from 'react'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Form, TextField } from '../../kit/Form.tsx'
import { TextButton } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'

/** Lets another workspace read the state of this one. */
export function ConsumerDialog({ known, close }: { known: readonly string[]; close: () => void }) {
  const { organization, id, name } = useWorkspace()
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft({ name: '' })
  const typed = useDeferredValue(draft.values.name.trim())
  const query = { 'search[name]': typed, 'page[size]': 8, sort: 'name' as const }
  const asked = useAnswer(
    'workspaces.list',
    { params: { path: { organization }, query } },
    { when: typed !== '', keep: true },
  )
  const found =
    typed === '' ? [] : (asked.data?.data ?? []).filter((each) => each.id !== id && !known.includes(each.id))
  const target = found.find((each) => each.attributes.name === draft.values.name.trim())
  const send = async () => {
    const body = { data: [{ type: 'workspaces' as const, id: target?.id ?? '' }] }
    await call('remote-state-consumers.add', { params: { path: { workspaceId: id } }, body })
    close()
    say.done(`${target?.attributes.name} can read the state of ${name}`)
    await refresh(['remote-state-consumers', 'workspace-changes'])
  }
  return (
    <Dialog title={`Who else reads the state of ${name}?`} close={close} unsaved={draft.changes.length > 0}>
      <Form
        draft={draft}
        send={send}
        action="Let it read"
        isNew
        cancel={close}
        reason={target ? undefined : 'Type the name of a workspace that does not read it yet.'}
      >
        <TextField draft={draft} name="name" label="Workspace" first />
        {!target && found.length > 0 && (
          <ul aria-label="Found">
            {found.map((each) => (
              <li key={each.id}>
                <TextButton onClick={() => draft.set('name', each.attributes.name ?? '')}>
                  {each.attributes.name}
                </TextButton>
              </li>
            ))}
          </ul>
        )}
        {!target && typed !== '' && found.length === 0 && asked.data && (
          <p className="soft">None has this in its name.</p>
        )}
      </Form>
    </Dialog>
  )
}
