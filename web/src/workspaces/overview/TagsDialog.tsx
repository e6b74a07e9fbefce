import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { Form, ListField } from '../../kit/Form.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'
import { type ShownTag, tagChange, tagsProblem, tagText } from './tags.ts'

/** Changes the tags that a workspace has of its own. */
export function TagsDialog({ own, close }: { own: readonly ShownTag[]; close: () => void }) {
  const { id, name, attributes } = useWorkspace()
  const say = useToasts()
  const refresh = useRefresh()
  const before = own.map(tagText)
  const draft = useDraft({ tags: before as readonly string[] })
  const flat = attributes['tag-names'] ?? []
  const set = async (texts: readonly string[], from: readonly ShownTag[]) => {
    const { bindings, added, removed } = tagChange(from, flat, texts)
    const params = { path: { workspaceId: id } }
    const flatTags = (names: readonly string[]) => ({
      data: names.map((tag) => ({ type: 'tags' as const, attributes: { name: tag } })),
    })
    const data = bindings.map((tag) => ({ type: 'tag-bindings' as const, attributes: tag }))
    await call('tag-bindings.replace', { params, body: { data } })
    if (removed.length > 0) await call('tags.remove', { params, body: flatTags(removed) })
    if (added.length > 0) await call('tags.add', { params, body: flatTags(added) })
    await refresh(['workspaces', 'tags', 'tag-bindings', 'workspace-changes'])
  }
  const send = async ({ tags }: typeof draft.values) => {
    await set(tags, own)
    close()
    say.done(`The tags of ${name} are changed`)
  }
  const problem = tagsProblem(draft.values.tags)
  return (
    <Dialog title={`Tags of ${name}`} close={close} unsaved={draft.changes.length > 0}>
      <Form draft={draft} send={send} action="Save tags" cancel={close} reason={problem}>
        <ListField
          draft={draft}
          name="tags"
          label="Tags"
          hint="env=prod has a value, core has none. Tags of the project stay."
          problem={problem}
          first
        />
      </Form>
    </Dialog>
  )
}
