import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form } from '../../kit/Form.tsx'
import { count, counted } from '../../kit/numbers.ts'
import { Table } from '../../kit/Table.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { useAddress } from '../address.ts'
import { targetOf } from '../names.ts'
import type { Workspace } from './columns.tsx'
import { useProjects } from './Filters.tsx'

type MoveDialogProps = { readonly chosen: readonly Workspace[]; readonly close: () => void; readonly clear: () => void }

const projectIdOf = ({ relationships }: Workspace): string => targetOf(relationships?.project)?.id ?? ''

/** Moves the workspaces that are chosen into one project. */
export function MoveDialog({ chosen, close, clear }: MoveDialogProps) {
  const { organization } = useAddress<object>()
  const projects = useProjects(organization)
  const say = useToasts()
  const refresh = useRefresh()
  const draft = useDraft({ project: '' })
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id
  const { project } = draft.values
  const moving = chosen.filter((workspace) => projectIdOf(workspace) !== project)
  const moveTo = (projectId: string, workspaces: readonly Workspace[]) =>
    call('projects.move-workspaces', {
      params: { path: { projectId } },
      body: { data: workspaces.map(({ id }) => ({ type: 'workspaces' as const, id })) },
    })
  const takeBack = async () => {
    try {
      for (const [from, all] of Map.groupBy(moving, projectIdOf)) await moveTo(from, all)
    } catch (error) {
      say.failed('Not all of them were moved back', error)
    }
    await refresh(['workspaces', 'projects'])
  }
  const send = async () => {
    await moveTo(project, moving)
    close()
    clear()
    say.done(`${counted(moving.length, 'workspace')} moved to ${nameOf(project)}`, { undo: takeBack })
    await refresh(['workspaces', 'projects'])
  }
  const reason = project === '' ? 'Choose a project.' : moving.length === 0 ? 'All of them are in it.' : undefined
  return (
    <Dialog title={`Move ${counted(chosen.length, 'workspace')}?`} close={close} width={620}>
      <Form draft={draft} send={send} action={`Move ${count(moving.length)}`} isNew cancel={close} reason={reason}>
        <ChoiceField
          draft={draft}
          name="project"
          label="To the project"
          hint="They get its defaults, its tags and the access of its teams, and lose those of the project they leave. If one cannot be moved, none is."
          choices={[['', 'Choose a project'], ...projects.map(({ id, name }) => [id, name] as const)]}
        />
        {project !== '' && (
          <Table
            label="What each will get"
            rows={chosen.slice(0, 12)}
            keyOf={({ id }) => id}
            foot={chosen.length > 12 ? `and ${count(chosen.length - 12)} more` : undefined}
            columns={[
              { title: 'Workspace', cell: ({ attributes }) => attributes.name, phone: 'name' },
              { title: 'From', cell: (workspace) => nameOf(projectIdOf(workspace)), phone: 'status' },
              {
                title: 'To',
                phone: 'fact',
                cell: (workspace) => (projectIdOf(workspace) === project ? 'stays' : nameOf(project)),
              },
            ]}
          />
        )}
      </Form>
    </Dialog>
  )
}
