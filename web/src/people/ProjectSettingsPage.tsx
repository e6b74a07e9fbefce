import { useNavigate } from '@tanstack/react-router'
import { useAnswer, useRefresh } from '../api/answers.ts'
import { call, type Schemas } from '../api/client.ts'
import { Answer } from '../kit/Answer.tsx'
import { Button } from '../kit/Button.tsx'
import { useConfirm } from '../kit/Dialog.tsx'
import { useDraft } from '../kit/drafts.ts'
import { AreaField, ChoiceField, Form, Group, ListField, TextField } from '../kit/Form.tsx'
import { useToasts } from '../kit/Toasts.tsx'
import { unless, usePart } from './organization.ts'
import { ProjectFrame } from './ProjectFrame.tsx'
import { tagsOf, textOf } from './tags.ts'

type Project = Schemas['Project']

/** What a project is called, and what its workspaces have from it. */
export const ProjectSettingsPage = () => (
  <ProjectFrame actions={(project) => <DeleteProject project={project} />}>
    {(project) => <Settings key={project.id} project={project} />}
  </ProjectFrame>
)

function Settings({ project }: { project: Project }) {
  const asked = useAnswer('projects.list-tag-bindings', { params: { path: { projectId: project.id } } })
  return (
    <Answer of={asked} failed="The default tags could not be read">
      {({ data }) => <ProjectForm project={project} tags={data.map(({ attributes }) => textOf(attributes))} />}
    </Answer>
  )
}

type Values = {
  readonly name: string
  readonly description: string
  readonly mode: string
  readonly pool: string
  readonly tags: readonly string[]
}

const organizationsOwn = 'as the organization'

const valuesOf = ({ attributes, relationships }: Project, tags: readonly string[]): Values => ({
  name: attributes.name ?? '',
  description: attributes.description ?? '',
  mode: attributes['setting-overwrites']?.['default-execution-mode']
    ? (attributes['default-execution-mode'] ?? 'remote')
    : organizationsOwn,
  pool: (relationships?.['default-agent-pool']?.data as { id: string } | null | undefined)?.id ?? '',
  tags,
})

function ProjectForm({ project, tags }: { project: Project; tags: readonly string[] }) {
  const organization = usePart('organization')
  const draft = useDraft(valuesOf(project, tags))
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const pools = useAnswer('agent-pools.list', { params: { path: { organization }, query: { 'page[size]': 100 } } })
  const { permissions, name: before = '' } = project.attributes
  const reason = unless(permissions?.['can-update'], `change project ${before}`)
  const send = async (values: Values, changes: readonly string[]) => {
    const body = { data: { type: 'projects', attributes: attributesOf(values, changes) } } as never
    const path = { projectId: project.id }
    if (changes.some((name) => name !== 'tags')) await call('projects.update', { params: { path }, body })
    if (changes.includes('tags'))
      await call('projects.replace-tag-bindings', { params: { path }, body: { data: tagsOf(values.tags) } })
    if (values.name !== before)
      navigate({ to: '.', params: { organization, project: values.name }, replace: true } as never)
    await refresh(['projects', 'workspaces'])
    say.done(`Project ${values.name} was saved`)
  }
  return (
    <Form draft={draft} send={send} action="Save project" denied={reason} effect="Holds for its workspaces at once.">
      <Group title="Project">
        <TextField draft={draft} name="name" label="Name" reason={reason} />
        <AreaField draft={draft} name="description" label="What it is for" rows={2} reason={reason} />
      </Group>
      <Group title="What its workspaces have from it">
        <ListField
          draft={draft}
          name="tags"
          label="Default tags"
          hint="key=value, Enter after each"
          reason={unless(permissions?.['can-manage-tags'], `change the tags of ${before}`)}
        />
        <ChoiceField
          draft={draft}
          name="mode"
          label="Execution mode"
          hint="For workspaces that do not set their own"
          reason={reason}
          choices={[
            [organizationsOwn, 'As the organization'],
            ['remote', 'Remote'],
            ['local', 'Local'],
            ['agent', 'Agent'],
          ]}
        />
        {draft.values.mode === 'agent' && (
          <ChoiceField
            draft={draft}
            name="pool"
            label="Agent pool"
            reason={reason}
            choices={[
              ['', 'Choose…'],
              ...(pools.data?.data ?? []).map(({ id, attributes }) => [id, attributes.name ?? id] as const),
            ]}
          />
        )}
      </Group>
    </Form>
  )
}

/** Only what was changed is sent. */
function attributesOf({ name, description, mode, pool }: Values, changes: readonly string[]) {
  const isOwn = mode !== organizationsOwn
  return {
    ...(changes.includes('name') && { name }),
    ...(changes.includes('description') && { description }),
    ...((changes.includes('mode') || changes.includes('pool')) && {
      ...(isOwn && { 'default-execution-mode': mode }),
      ...(mode === 'agent' && { 'default-agent-pool-id': pool }),
      'setting-overwrites': { 'default-execution-mode': isOwn, 'default-agent-pool': mode === 'agent' },
    }),
  }
}

function DeleteProject({ project }: { project: Project }) {
  const organization = usePart('organization')
  const confirm = useConfirm()
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const { name = '', permissions, 'workspace-count': workspaces = 0 } = project.attributes
  const reason =
    workspaces > 0
      ? `${workspaces} workspaces are in it. Move or delete them first.`
      : unless(permissions?.['can-destroy'], `delete project ${name}`)
  const remove = async () => {
    const { yes } = await confirm({
      title: `Delete project ${name}?`,
      text: 'No workspace is in it. The access of teams to it and its default tags are deleted.',
      action: 'Delete project',
    })
    if (!yes) return
    try {
      await call('projects.delete', { params: { path: { projectId: project.id } } })
      await refresh(['projects'])
      say.done(`Project ${name} is deleted`)
      navigate({ to: '/$organization/organization/projects', params: { organization } } as never)
    } catch (error) {
      say.failed(`Project ${name} was not deleted`, error)
    }
  }
  return (
    <Button kind="danger" reason={reason} onClick={remove}>
      Delete project…
    </Button>
  )
}
