import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Button } from '../../kit/Button.tsx'
import { type Question, useConfirm } from '../../kit/Dialog.tsx'
import { count } from '../../kit/numbers.ts'
import { Facts, Section } from '../../kit/Page.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useWorkspace } from '../workspace.tsx'

/** What goes with a workspace, in numbers. */
function useLosses(): readonly (readonly [name: string, number: number | undefined])[] {
  const { organization, name, id, attributes, relationships, reasonNot } = useWorkspace()
  const query = { 'filter[organization][name]': organization, 'filter[workspace][name]': name, 'page[size]': 1 }
  const when = reasonNot('can-read-state-versions') === undefined
  const states = useAnswer('state-versions.list', { params: { query } }, { when })
  const params = { path: { workspaceId: id }, query: { 'page[size]': 1 } }
  const readers = useAnswer('remote-state-consumers.list', { params })
  return [
    ['Resources that nothing manages any more', attributes['resource-count']],
    ['Versions of its state', states.data?.meta.pagination['total-count']],
    ['Variables', (relationships.vars as { data?: readonly unknown[] } | undefined)?.data?.length],
    ['Workspaces that read its state', readers.data?.meta.pagination['total-count']],
  ]
}

/** Deletes the workspace: safely, if it manages nothing; else by force. */
export function Deletion() {
  const { name, attributes, reasonNot } = useWorkspace()
  const losses = useLosses()
  const { remove } = useDelete()
  const manages = (attributes['resource-count'] ?? 0) > 0
  const unsafe = attributes.locked
    ? 'It is locked. Unlock it first.'
    : manages
      ? `It manages ${count(attributes['resource-count'] ?? 0)} resources. Destroy them first, or delete it by force.`
      : undefined
  const told = <Facts of={losses.map(([what, number]) => [what, number === undefined ? 'unknown' : count(number)])} />
  const text = (
    <>
      <p>This cannot be undone. With {name} go:</p>
      {told}
      {manages && <p>The real resources stay where they are, and cost what they cost.</p>}
    </>
  )
  const question = { title: `Delete ${name}?`, text, action: 'Delete the workspace' }
  const force = { title: `Delete ${name} by force?`, text, action: 'Delete it by force', typed: name }
  return (
    <Section title="Delete" lead="Its state, its variables and its history go with it; what it manages stays.">
      <p>
        <Button
          kind="danger"
          reason={reasonNot('can-destroy') ?? unsafe}
          onClick={() => remove('workspaces.safe-delete', question)}
        >
          Delete the workspace…
        </Button>{' '}
        {unsafe !== undefined && (
          <Button
            kind="danger"
            reason={reasonNot('can-force-delete')}
            onClick={() => remove('workspaces.delete', force)}
          >
            Delete it by force…
          </Button>
        )}
      </p>
    </Section>
  )
}

function useDelete() {
  const { organization, id, name } = useWorkspace()
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const remove = async (verb: 'workspaces.safe-delete' | 'workspaces.delete', question: Question) => {
    if (!(await confirm(question)).yes) return
    try {
      await call(verb, { params: { path: { workspaceId: id } } })
    } catch (error) {
      return say.failed(`${name} was not deleted`, error)
    }
    say.done(`${name} is deleted`)
    await navigate({ to: '/$organization/workspaces' as never, params: { organization } as never })
    await refresh(['workspaces'])
  }
  return { remove }
}
