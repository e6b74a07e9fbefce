import { useNavigate } from '@tanstack/react-router'
import { useRefresh } from '../../api/answers.ts'
import { call } from '../../api/client.ts'
import { Dialog } from '../../kit/Dialog.tsx'
import { useDraft } from '../../kit/drafts.ts'
import { ChoiceField, Form, ListField, TextField } from '../../kit/Form.tsx'
import { useToasts } from '../../kit/Toasts.tsx'
import { parseTag, tagsProblem } from '../overview/tags.ts'
import { nameProblem, versionProblem } from '../settings/settings.ts'
import { useProjects } from './Filters.tsx'

const modes = [
  ['', 'As its project or the organization says'],
  ['remote', 'Remote: this server runs it'],
  ['local', 'Local: it runs where the command is typed'],
] as const

const empty = { name: '', project: '', description: '', mode: '', toolVersion: '', tags: [] as readonly string[] }

/** Describes a workspace and makes it. */
export function NewWorkspace({ organization, close }: { organization: string; close: () => void }) {
  const projects = useProjects(organization)
  const say = useToasts()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const draft = useDraft(empty, { 'tool-version': 'toolVersion', 'execution-mode': 'mode' })
  const { values } = draft
  const problems = {
    name: nameProblem(values.name),
    tool: versionProblem(values.toolVersion),
    tags: tagsProblem(values.tags),
  }
  const reason = Object.values(problems).find(Boolean) ?? (values.name === '' ? 'It needs a name.' : undefined)
  const send = async (sent: typeof empty) => {
    await call('workspaces.create', { params: { path: { organization } }, body: { data: documentOf(sent) } })
    say.done(`${sent.name} is created`)
    await refresh(['workspaces', 'projects'])
    const params = { organization, name: sent.name } as never
    await navigate({ to: '/$organization/workspaces/$name' as never, params, ignoreBlocker: true })
  }
  return (
    <Dialog title="New workspace" close={close} width={620} unsaved={draft.changes.length > 0}>
      <Form draft={draft} send={send} action="Create workspace" isNew cancel={close} reason={reason}>
        <TextField draft={draft} name="name" label="Name" placeholder="network-prod" problem={problems.name} first />
        <ChoiceField
          draft={draft}
          name="project"
          label="Project"
          choices={[['', 'The default project'], ...projects.map(({ id, name }) => [id, name] as const)]}
        />
        <TextField draft={draft} name="description" label="What it is for" />
        <ListField draft={draft} name="tags" label="Tags" hint="env=prod, core" problem={problems.tags} />
        <ChoiceField draft={draft} name="mode" label="Where it runs" choices={modes} />
        <TextField
          draft={draft}
          name="toolVersion"
          label="Tool version"
          hint="The newest release if nothing is given."
          placeholder="~> 1.9"
          problem={problems.tool}
        />
      </Form>
    </Dialog>
  )
}

function documentOf({ name, project, description, mode, toolVersion, tags }: typeof empty) {
  const parsed = tags.map(parseTag)
  return {
    type: 'workspaces' as const,
    attributes: {
      name,
      description,
      ...(mode !== '' && { 'execution-mode': mode as 'remote' }),
      ...(toolVersion !== '' && { 'tool-version': toolVersion }),
    },
    relationships: {
      ...(project !== '' && { project: { data: { type: 'projects' as const, id: project } } }),
      'tag-bindings': {
        data: parsed
          .filter(({ value }) => value !== '')
          .map((attributes) => ({ type: 'tag-bindings' as const, attributes })),
      },
      tags: {
        data: parsed
          .filter(({ value }) => value === '')
          .map(({ key }) => ({ type: 'tags' as const, attributes: { name: key } })),
      },
    },
  }
}
